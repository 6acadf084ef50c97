"""It sends a line that never ends."""

import sys

from polite import serve


def flood() -> None:
    while True:
        sys.stdout.write("x" * 1000)


serve(flood)
