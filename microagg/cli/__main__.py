"""``python -m microagg.cli``, where the command is not on the path."""

from microagg.cli import main

if __name__ == "__main__":  # worker processes import this file too
    main()
