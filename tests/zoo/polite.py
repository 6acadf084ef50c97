"""An engine for flag-chase that does all as it should, until it is told otherwise."""

import sys
from collections.abc import Callable


def say(text: str) -> None:
    print(text, flush=True)


def play() -> None:
    """Right wherever player 2 can step, and in a battle."""
    say("bestmove 1" if battle else "bestmove P2+1")


battle = False


def serve(go: Callable[[], None] = play) -> None:
    global battle
    for line in sys.stdin:
        match line.split():
            case ["duel"]:
                say("id name zoo")
                say("duelok")
            case ["isready"]:
                say("readyok")
            case ["position", where, *_]:
                battle = where.endswith("*")
            case ["go", *_]:
                go()
            case ["quit"]:
                return


if __name__ == "__main__":
    serve()
