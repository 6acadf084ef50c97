"""The cache of solutions for commands."""

import sys

from lineduel.solve import Cache


def kept_solutions() -> Cache:
    """The user's cache of solutions; a wrong one is reported on standard error."""
    return Cache(note=_warn)


def _warn(sentence: str) -> None:
    advice = "To use no kept solutions at all: lineduel solve --no-cache."
    print(f"{sentence}\n{advice}", file=sys.stderr, flush=True)
