"""The command line: options, errors, and games in plain lines."""
