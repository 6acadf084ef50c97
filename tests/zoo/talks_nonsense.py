"""It does not talk about moves."""

from polite import say, serve

serve(lambda: say("I like it here \x1b[31m"))
