"""A short game of each rulebook, played by chance, for the boards of the first page."""

from random import Random

from lineduel.documents import SampleTurn, sample_turn
from lineduel.play import Session
from lineduel.web.rulebook_shelf import PlayedRulebook

_FEWEST, _MOST = 5, 24
"""Turns that a sample game has."""
_TRIES = 40


def sample_game(played: PlayedRulebook) -> list[SampleTurn]:
    """The turns of a game that ends soon, or the first turns of one that does not.

    Of the games tried, it is one in which the most happens.
    """
    games = [_by_chance(played, Random(seed)) for seed in range(_TRIES)]
    ended = [one for one in games if one.winner is not None and len(one.turns) >= _FEWEST]
    best = max(ended or games, key=lambda one: sum(len(turn.events) > 1 for turn in one.turns))
    return [sample_turn(played.game, turn) for turn in best.turns]


def _by_chance(played: PlayedRulebook, rng: Random) -> Session:
    session = Session(played.game)
    while session.winner is None and len(session.turns) < _MOST:
        session.play(rng.choice(played.game.moves(session.position)))
    return session
