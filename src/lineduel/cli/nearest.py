"""Suggestions for misspelt words."""

from collections.abc import Iterable
from difflib import get_close_matches

from lineduel.errors import LineduelError


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The word among these that is most similar, if any is similar enough."""
    return next(iter(get_close_matches(word.lower(), list(known), n=1, cutoff=0.6)), None)


def nearest_command(word: str, commands: Iterable[str]) -> str:
    """A suggestion such as ` Did you mean 'play'?`, or an empty text."""
    if found := nearest(word, commands):
        return f" Did you mean '{found}'?"
    from lineduel.rulebooks import find_rulebook

    try:
        return f" Did you mean 'lineduel play {find_rulebook(word).id}'?"
    except (LineduelError, OSError):
        return ""
