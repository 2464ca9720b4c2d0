"""Files in, files out, and the reference data sets."""
