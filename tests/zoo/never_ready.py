"""It names itself, and never gets ready; with an argument, not once it has been given rules."""

import sys

from polite import say

ready = len(sys.argv) > 1
for line in sys.stdin:
    match line.split():
        case ["duel"]:
            say("id name zoo")
            say("duelok")
        case ["rules", *_]:
            ready = False
        case ["isready"] if ready:
            say("readyok")
        case [word, *_] if word not in ("isready", "position"):
            say("error what?")
