"""Games as arrays and tables, by compiled code and on a GPU."""
