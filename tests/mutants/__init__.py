"""Changes made on purpose, to see that a test notices each: ``python -m tests.mutants [--only NAME]``."""
