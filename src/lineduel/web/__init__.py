"""Live games in the browser: a server for people who play by link, and its HTTP interface."""
