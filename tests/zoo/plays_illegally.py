"""It makes a move that the rules do not know."""

from polite import say, serve

serve(lambda: say("bestmove P2+9"))
