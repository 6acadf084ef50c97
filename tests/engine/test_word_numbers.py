"""Small rulebooks that use the words of turns and battles: numbers that must not drift.

`golden/words.json` holds for each its rules, the number of move sequences of each length, the
number of positions, and what the start is worth. The naive witness works all of it out;
`LINEDUEL_UPDATE_GOLDEN=1` writes down what it finds.
"""

import json
import os
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from lineduel.engine import Game, perft
from lineduel.graph import explore_by_engine, explore_compiled
from lineduel.rules import (
    Again,
    BattleRule,
    Hand,
    Loser,
    Rulebook,
    Rules,
    Side,
    Tie,
    Words,
    parse_rules,
    rulebook_data,
)
from lineduel.solve import solve
from lineduel.tablebase import solve_dense
from oracles.witness import Witness

GOLDEN = Path(__file__).parents[1] / "golden" / "words.json"
KNOWN: dict[str, dict[str, Any]] = json.loads(GOLDEN.read_text(encoding="utf-8"))
every_rulebook = pytest.mark.parametrize("name", KNOWN)


def rulebook(name: str) -> Rulebook:
    rules = parse_rules(KNOWN[name]["rules"])
    return Rulebook(id=name, title=name, summary="", rules=rules, words=Words())


def newer_words(rules: Rules) -> set[str]:
    """The four words that came last, as far as some rules have them."""
    teams = [rules.team(side) for side in Side]
    found = {
        "steps": any(team.steps or team.piece_steps for team in teams),
        "goal_needs": any(team.goal_needs > 1 for team in teams),
        "stuck": rules.stuck.ends_game,
        "hand": rules.battle is not None and rules.battle.hand is Hand.SPENT,
    }
    return {word for word, is_there in found.items() if is_there}


def test_every_word_is_there() -> None:
    """Each word beside its default, alone and together with others."""
    rules = [rulebook(name).rules for name in KNOWN]
    newer = [newer_words(one) for one in rules]
    assert len([one for one in newer if one]) >= 16
    for word in ("steps", "goal_needs", "stuck", "hand"):
        assert {word} in newer
        assert any(word in one and len(one) > 1 for one in newer)
    assert {one.movement.again for one in rules} == set(Again)
    assert {str(one.stuck) for one in rules} == {"passes", "loses"}
    teams = [one.team(side) for one in rules for side in Side]
    assert {team.goal_needs for team in teams} >= {1, 2}
    assert {(bool(team.steps), bool(team.piece_steps)) for team in teams} == {
        *product((False, True), repeat=2)
    }
    battles = [one.battle for one in rules if one.battle]
    assert {one.hand for one in battles} == set(Hand)
    spent = [one for one in battles if one.hand is Hand.SPENT]
    assert {one.wins for one in spent} == set(BattleRule)
    assert {one.tie for one in spent} == set(Tie)
    assert {(one.battle.loser, one.battle.tie) for one in rules if one.battle} >= {
        (loser, tie) for loser in Loser for tie in Tie if (loser, tie) != ("sent home", "both")
    }


@every_rulebook
def test_the_witness_finds_the_golden_numbers(name: str) -> None:
    """The naive rules, and nothing of the program."""
    known = KNOWN[name]
    witness = Witness(rulebook_data(rulebook(name)))
    worth = witness.worth()
    found = {
        "rules": known["rules"],
        "perft": witness.perft(5),
        "positions": len(witness.boards),
        "value": round(worth.value, 6) + 0.0,
        "plies": worth.plies,
    }
    if os.environ.get("LINEDUEL_UPDATE_GOLDEN"):
        KNOWN[name] = found
        GOLDEN.write_text(json.dumps(KNOWN, indent=1) + "\n", encoding="utf-8")
    assert found == KNOWN[name]


@every_rulebook
def test_the_engine_and_both_explorers_find_them(name: str) -> None:
    game, known = Game(rulebook(name)), KNOWN[name]
    assert list(perft(game, game.start(), 5)) == known["perft"]
    by_engine, compiled = explore_by_engine(game, game.start()), explore_compiled(game)
    assert len(by_engine) == len(compiled) == known["positions"]
    assert list(by_engine.positions) == list(compiled.positions)
    for one, other in zip(by_engine.columns, compiled.columns, strict=True):
        assert list(one) == list(other)


@every_rulebook
def test_the_solver_finds_them(name: str) -> None:
    """One by one, and in a table by either way where there are no battles."""
    game, known = Game(rulebook(name)), KNOWN[name]
    solution = solve(game)
    value = solution.value(game.start())
    assert value.plies == known["plies"]
    assert float(value.low) == pytest.approx(known["value"], abs=1e-6)
    assert float(value.high) == pytest.approx(known["value"], abs=1e-6)
    if game.rules.battle is None:
        for backward in (False, True):
            table = solve_dense(game.rules, game.start(), backward=backward)
            for position in explore_by_engine(game, game.start()).positions:
                exact = solution.value(position)
                assert table.lookup(position) == (exact.winner, exact.plies)
