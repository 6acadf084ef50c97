"""It tells what it thinks, for ever."""

import time

from polite import say, serve


def think() -> None:
    while True:
        say("info value 0")
        time.sleep(0.05)


serve(think)
