"""It calls something a move that is none."""

from polite import say, serve

serve(lambda: say("bestmove to-the-left"))
