"""How often a law is tried: a few times in `make test`, more often in `make test-long`."""

from collections.abc import Iterable

import pytest

from support.strategies import ALL_GAMES

LARGEST_GAME = "cross-over:own-may-share"


def tried(few: int, many: int) -> pytest.MarkDecorator:
    """Runs a test with `times` = few, and the long suite with `times` = many."""
    return pytest.mark.parametrize("times", [few, pytest.param(many, marks=pytest.mark.long)])


def for_games(name: str, games: Iterable[str] = ALL_GAMES) -> pytest.MarkDecorator:
    """Runs a test for each of these games, but for the largest in the long suite only.

    That one takes as long as all the others together.
    """
    later = {LARGEST_GAME: [pytest.mark.long]}
    return pytest.mark.parametrize(
        name, [pytest.param(game, marks=later.get(game, [])) for game in games]
    )
