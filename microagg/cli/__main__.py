"""``python -m microagg.cli``, where the command is not on the path."""

from microagg.cli import main

main()
