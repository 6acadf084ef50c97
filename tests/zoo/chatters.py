"""It plays well, and writes more to its standard error than a pipe holds."""

import sys

from polite import play, serve


def chatter() -> None:
    print("thinking aloud\n" * 10_000, file=sys.stderr)
    play()


serve(chatter)
