"""A fixed mix of small rulebooks without battles, as a designer's sweep would come across."""

from random import Random

from lineduel.engine import Game
from lineduel.errors import TooLarge
from lineduel.graph.explore import explore_compiled
from lineduel.rules import Rulebook, rulebook_from_data

FEWEST, MOST = 30, 5_000
"""Positions of a small rulebook."""
STEPS = ((1,), (1, 2), (1, 2), (1, 2, 3), (2, 1), (1, 3), (2, 3), (1, 2, -1), (1, -1), (2, -1))
ENEMY = ("captured", "sent home", "blocked", "shared", "wins")


def candidates(number: int, seed: int) -> list[tuple[Rulebook, int]]:
    """So many rulebooks of 30 to 5,000 positions, and how many each has."""
    rng = Random(seed)
    found: list[tuple[Rulebook, int]] = []
    while len(found) < number:
        rulebook = _drawn(rng, len(found))
        try:
            size = len(explore_compiled(Game(rulebook), most=MOST))
        except TooLarge:
            continue
        if size >= FEWEST:
            found.append((rulebook, size))
    return found


def _drawn(rng: Random, number: int) -> Rulebook:
    """A duel from end to end, the same for both sides but for the number of pieces."""
    length = rng.randint(5, 14)
    camp = rng.randint(1, 3)
    sides = []
    for ends in (range(length), range(length - 1, -1, -1)):
        pieces = rng.randint(1, 3)
        stacked = rng.random() < 0.5
        homes = [ends[0 if stacked else min(piece, length // 2 - 1)] for piece in range(pieces)]
        goal = [cell for cell in ends[-camp:] if cell not in homes]
        sides.append((homes, goal))
    (homes1, goal1), (homes2, goal2) = sides
    data = {
        "title": f"Candidate {number}",
        "summary": "",
        "track": {"first": 0, "last": length - 1},
        "player1": {"pieces": {f"A{at}": home for at, home in enumerate(homes1)}, "goal": goal1},
        "player2": {"pieces": {f"B{at}": home for at, home in enumerate(homes2)}, "goal": goal2},
        "turn": {"first": rng.choice(("player1", "player2"))},
        "move": {
            "steps": list(rng.choice(STEPS)),
            "edge": rng.choice(("illegal", "stay")),
            "jump": rng.random() < 0.6,
        },
        "meet": {"own": rng.choice(("blocked", "shared")), "enemy": rng.choice(ENEMY)},
    }
    return rulebook_from_data(data, f"candidate-{number}")
