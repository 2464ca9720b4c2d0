"""The parts that pages are drawn with: controls, figures with their sentences, jobs."""
