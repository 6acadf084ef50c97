"""The command line: `main.py` has the list of commands, and their modules read options and print."""
