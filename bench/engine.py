"""Random games of Cross Over, one step at a time, beside the same game in OpenSpiel."""

import random
import time

import pyspiel

from bench import openspiel_cross_over  # noqa: F401  it registers the game
from bench.timing import interleaved, verdict
from lineduel import Game, find_rulebook

GOAL = 8
ROUNDS = 9
GAMES = {"lineduel": 10_000, "OpenSpiel, Python game": 1_000, "OpenSpiel, C++ breakthrough": 500}


def main() -> None:
    game = Game(find_rulebook("cross-over"))
    began = time.perf_counter()
    known = _visit_all(game)
    learning = time.perf_counter() - began
    rng = random.Random(7)
    python_game = pyspiel.load_game("python_cross_over")
    cpp_game = pyspiel.load_game("breakthrough(rows=6,columns=6)")
    runs = {
        "lineduel": lambda: _per_step(_lineduel_steps, game, rng, "lineduel"),
        "OpenSpiel, Python game": lambda: _per_step(
            _openspiel_steps, python_game, rng, "OpenSpiel, Python game"
        ),
        "OpenSpiel, C++ breakthrough": lambda: _per_step(
            _openspiel_steps, cpp_game, rng, "OpenSpiel, C++ breakthrough"
        ),
    }
    taken = interleaved(runs, ROUNDS)
    ratio = taken["OpenSpiel, Python game"] / taken["lineduel"]
    print("Random games of Cross Over, a step at a time")
    for name, each in taken.items():
        print(f"  {name:<28} {each * 1e6:6.2f} µs a step")
    print(f"  ratio to the Python game     {ratio:6.1f}  ({verdict(ratio, GOAL)})")
    print(f"  before that, once: {learning:.1f} s to work out all {known:,} positions")


def _visit_all(game: Game) -> int:
    """Make the game's tables, as long play would."""
    seen = {game.start()}
    waiting = [game.start()]
    for position in waiting:
        for move in game.moves(position):
            after = game.play(position, move)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return len(seen)


def _per_step(play, game, rng: random.Random, name: str) -> float:
    began = time.perf_counter()
    steps = play(game, rng, GAMES[name])
    return (time.perf_counter() - began) / steps


def _lineduel_steps(game: Game, rng: random.Random, games: int) -> int:
    steps, draw = 0, rng.random
    for _ in range(games):
        position = game.start()
        while moves := game.moves(position):
            position = game.play(position, moves[int(draw() * len(moves))])
            steps += 1
        game.outcome(position)
    return steps


def _openspiel_steps(game: pyspiel.Game, rng: random.Random, games: int) -> int:
    steps, draw = 0, rng.random
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(draw() * len(actions))])
            steps += 1
        state.returns()
    return steps
