"""The solutions that are kept for the next command."""

import sys

from lineduel.solve import Cache


def kept_solutions() -> Cache:
    """This user's solutions; of one that is false standard error is told."""
    return Cache(note=_warn)


def _warn(sentence: str) -> None:
    advice = "To use no kept solutions at all: lineduel solve --no-cache."
    print(f"{sentence}\n{advice}", file=sys.stderr, flush=True)
