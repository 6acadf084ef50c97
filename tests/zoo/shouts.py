"""It chooses with control characters and thousands of digits, which no terminal should see."""

from polite import say, serve

serve(lambda: say(f"bestmove \x1b[31m\x07{'9' * 5000}"))
