"""The full-screen interface. It only displays games; `session` and `match` carry out the rules."""
