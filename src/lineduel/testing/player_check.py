"""Check that a policy returns valid probabilities in positions from random games."""

from collections.abc import Callable, Iterator
from math import isclose
from random import Random

from lineduel.engine import Game, Position
from lineduel.players import Policy
from lineduel.rules import Side
from lineduel.testing.finding import Finding

GAMES, LONGEST = 20, 40
"""The number of random games to check, and the most plies in each."""
Look = Callable[[Position, Side], str | None]


def check_player(player: Policy, game: Game, seed: int = 0) -> list[Finding]:
    """The findings of all checks of a policy, made in random games from the start."""
    asked = list(dict.fromkeys(_asked(game, Random(seed))))

    def fits(position: Position, side: Side) -> str | None:
        found, wanted = len(player.chances(position, side)), _choices(game, position)
        return None if found == wanted else f"{found} chances for {wanted} choices"

    def adds_up(position: Position, side: Side) -> str | None:
        chances = player.chances(position, side)
        if min(chances, default=0.0) < 0:
            return f"a chance of {min(chances)}"
        total = sum(chances)
        return None if isclose(total, 1, abs_tol=1e-9) else f"the sum is {total}"

    def repeats(position: Position, side: Side) -> str | None:
        same = player.chances(position, side) == player.chances(position, side)
        return None if same else "two answers"

    looks: dict[str, Look] = {
        "it gives one chance for each choice": fits,
        "its chances are not negative and add up to 1": adds_up,
        "asked again, it gives the same answer": repeats,
    }
    return [Finding(what, _first_wrong(asked, look)) for what, look in looks.items()]


def _first_wrong(asked: list[tuple[Position, Side]], look: Look) -> str | None:
    for position, side in asked:
        if wrong := look(position, side):
            return f"In {position} for player {side}: {wrong}."
    return None


def _asked(game: Game, rng: Random) -> Iterator[tuple[Position, Side]]:
    """Positions from random games, with each side that has to choose there."""
    for _ in range(GAMES):
        position = game.start()
        for _ in range(LONGEST):
            if not (moves := game.moves(position)):
                break
            for side in Side if position.battle is not None else (position.side,):
                yield position, side
            position = game.play(position, rng.choice(moves))


def _choices(game: Game, position: Position) -> int:
    if position.battle is not None and game.rules.battle is not None:
        return game.rules.battle.numbers
    return len(game.moves(position))
