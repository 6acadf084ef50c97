"""It does not want to."""

from polite import say, serve

serve(lambda: say("error no time for games"))
