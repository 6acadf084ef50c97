"""It chooses a number that is not to be had."""

from polite import say, serve

serve(lambda: say("bestmove 6"))
