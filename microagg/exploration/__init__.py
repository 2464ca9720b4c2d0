"""Many plans: sweeps, the λ curve, the lower bound, a recommendation, and how long they take."""
