"""An endless stream of new rule sets, all different, for work on generalisation.

>>> from lineduel.envs import random_rulebooks
>>> first, second = random_rulebooks(1, count=2)
>>> first == second
False
>>> [one.id for one in random_rulebooks(1, count=2)] == [first.id, second.id]
True

Rulebooks of the split "train" are never those of the split "test", not even mirrored or with other
names: the split follows from what a game is.
"""

from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from itertools import count as count_from, islice
from random import Random
from typing import Any, Literal, get_args

from lineduel.engine import Game
from lineduel.envs.arguments import require_at_least, require_one_of
from lineduel.errors import RulebookError, TooLarge
from lineduel.graph import explore_by_engine, explore_compiled
from lineduel.lab import identity
from lineduel.rules import (
    RULEBOOK_TABLES,
    BattleRule,
    Displacement,
    Edge,
    Meeting,
    Rulebook,
    rulebook_from_data,
)

Split = Literal["train", "test"]
TEST_SHARE = 0.2
"""The share of all rule sets that belong to the split "test"."""
_MOST_REJECTED = 20_000
"""Rule sets in a row that do not have what was asked for, before the stream gives up."""
_MOST_BY_ENGINE = 20
"""Rule sets that the engine explores; for more it is worth while to load compiled code."""
_FEWEST_CELLS = 3
_STEPS = ((1, 2), (1, -1), (1, 2, 3), (-1, 1, 0), (1,), (2, 1), (1, 3), (2, -1))


def random_rulebooks(
    seed: int,
    *,
    count: int | None = None,
    split: Split | None = None,
    battles: bool | None = None,
    positions: tuple[int, int] = (20, 5000),
    depth: int | None = None,
    max_cells: int = 12,
    max_pieces: int = 3,
) -> Iterator[Rulebook]:
    """Rulebooks without end, or `count` of them; the same for the same arguments.

    `positions` bounds how many can come up from the start. With `depth`, a win that is forced at
    the start takes at least that many plies; where none is forced there, one from somewhere does.
    `battles` asks for rulebooks with or without them. Each is solvable, and no two are the same
    game up to mirror and renaming. ValueError if nothing seems to have what was asked for.
    """
    require_one_of("split", split, (*get_args(Split), None))
    require_one_of("battles", battles, (True, False, None))
    if count is not None:
        require_at_least(0, "count", count)
    require_at_least(_FEWEST_CELLS, "max_cells", max_cells)
    require_at_least(1, "max_pieces", max_pieces)
    rng, known, looked_at = Random(seed), set[object](), count_from(1)

    def fits(rulebook: Rulebook) -> bool:
        return (
            identity(rulebook.rules).key not in known
            and split in (None, split_of(rulebook))
            and _has(rulebook, positions, depth, next(looked_at) > _MOST_BY_ENGINE)
        )

    def found() -> Iterator[Rulebook]:
        rejected = 0
        while rejected <= _MOST_REJECTED:
            rulebook = _drawn(rng, battles, max_cells, max_pieces)
            rejected += 1
            if rulebook is not None and fits(rulebook):
                rejected = 0
                known.add(identity(rulebook.rules).key)
                yield rulebook
        raise ValueError("No rulebook with these properties was found; ask for less.")

    return islice(found(), count)  # a generator itself would refuse wrong arguments late


def split_of(rulebook: Rulebook) -> Split:
    """The split that a game belongs to, whatever its names and whichever way it is turned."""
    key = identity(rulebook.rules).key
    drawn = int.from_bytes(sha256(repr(key).encode()).digest()[:8], "big") / 2**64
    return "test" if drawn < TEST_SHARE else "train"


def _has(rulebook: Rulebook, positions: tuple[int, int], depth: int | None, compiled: bool) -> bool:
    """Whether a rulebook has the size and depth that were asked for."""
    game, explore = Game(rulebook), explore_compiled if compiled else explore_by_engine
    least, most = positions
    if game.outcome(game.start()) is not None:
        return False
    try:
        graph = explore(game, game.start(), most)
    except TooLarge:
        return False
    if len(graph) < least or not any(graph.columns.winner):
        return False
    if depth is None:
        return True
    winner, plies = graph.forced_wins
    return int(plies[0] if winner[0] else max(plies)) >= depth


def _drawn(rng: Random, battles: bool | None, max_cells: int, max_pieces: int) -> Rulebook | None:
    """A random rulebook, or None if what was drawn is not valid."""
    length = rng.randint(_FEWEST_CELLS, max_cells)
    meetings = [
        one for one in Meeting if battles is None or one.consequences.opens_battle == battles
    ]
    enemy = rng.choice(meetings)
    half = max(1, length // 2)
    homes1 = [rng.randrange(half) for _ in range(rng.randint(1, max_pieces))]
    same = rng.random() < 0.7
    homes2 = (
        [length - 1 - home for home in homes1]
        if same
        else [length - 1 - rng.randrange(half) for _ in range(rng.randint(1, max_pieces))]
    )
    size = rng.randint(1, 3)
    goal1 = list(range(max(half, length - size), length))
    goal2 = [length - 1 - cell for cell in goal1]
    data: dict[str, Any] = {
        "title": "A Random Duel",
        "summary": "Drawn by chance.",
        "track": {"first": 0, "last": length - 1},
        "player1": {"pieces": _named("A", homes1), "goal": goal1},
        "player2": {"pieces": _named("B", homes2), "goal": goal2},
        "turn": {"first": str(rng.choice(("player1", "player2", "either")))},
        "move": {
            "steps": list(rng.choice(_STEPS)),
            "edge": str(rng.choice(tuple(Edge))),
            "jump": rng.random() < 0.5,
        },
        "meet": {"own": rng.choice(("blocked", "shared")), "enemy": str(enemy)},
    }
    displaces = enemy.consequences.displaces is not Displacement.NONE
    if displaces and rng.random() < 0.3:
        data["move"]["again"] = "capture"
    if enemy.consequences.opens_battle:
        wins = rng.choice(tuple(BattleRule))
        odd = wins is BattleRule.CYCLIC
        data["battle"] = {"numbers": rng.choice((3, 5) if odd else (2, 3, 4, 5)), "wins": str(wins)}
        # Numbers are never spent here, so that a seed gives the same games as it always did.
        known = (*data["battle"], "hand")
        others = [key for key in RULEBOOK_TABLES["battle"].keys if key.name not in known]
        data["battle"] |= {key.name: str(rng.choice(tuple(key.words))) for key in others}
    try:
        rulebook = rulebook_from_data(data, "random")
    except RulebookError:
        return None
    digest = sha256(repr(identity(rulebook.rules).key).encode()).hexdigest()[:10]
    return replace(rulebook, id=f"random-{digest}")


def _named(letter: str, homes: list[int]) -> dict[str, int]:
    return {f"{letter}{number}": home for number, home in enumerate(homes, start=1)}
