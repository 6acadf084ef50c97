"""The command line: `main.py` lists the commands, and their modules read options and print."""
