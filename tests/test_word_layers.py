"""Every key of the rules is known in every layer that has to know it."""

from pathlib import Path

import pytest

from lineduel.documents import rules_document
from lineduel.engine import Game
from lineduel.lab.changes import alternatives
from lineduel.lab.same_game import identity
from lineduel.rulebooks import find_rulebook
from lineduel.rules import (
    COMMAND_KEYS,
    Rulebook,
    assign,
    assignments_between,
    describe,
    format_rules,
    parse_rules,
)
from lineduel.solve import solve
from lineduel.solve.certificate import read_certificate, write_certificate
from lineduel.solve.checker import check_certificate
from lineduel.solve.solution import PlainSolution

WORDS = {
    "move.edge": ("flag-chase", "illegal"),
    "move.jump": ("cross-over", "false"),
    "move.again": ("cross-over", "capture"),
    "meet.own": ("cross-over", "shared"),
    "meet.enemy": ("cross-over", "sent home"),
    "battle.wins": ("flag-chase", "cyclic"),
    "battle.loser": ("flag-chase", "captured"),
    "battle.tie": ("flag-chase", "nobody"),
}
"""Keys that take a word, each with a game and a word that changes it."""
every_word = pytest.mark.parametrize("key", WORDS)


def both(key: str) -> tuple[Rulebook, Rulebook]:
    """A game before and after its word is changed."""
    address, word = WORDS[key]
    rulebook = find_rulebook(address)
    return rulebook, assign(rulebook, [f"{key}={word}"])


def test_no_word_is_forgotten() -> None:
    """Every key whose value is a word, but for who begins."""
    words = {key for key, kind in COMMAND_KEYS.items() if kind in ("word", "flag")}
    assert words - {"turn.first"} == WORDS.keys()


@every_word
def test_a_word_is_written_read_and_named(key: str) -> None:
    """As one line, as the difference between two rulebooks, and as JSON."""
    before, after = both(key)
    word = WORDS[key][1]
    assert f"{key}={word}" in format_rules(after.rules)
    assert parse_rules(format_rules(after.rules)) == after.rules
    assert f"{key}={word}" in assignments_between(before.rules, after.rules)
    table, name = key.split(".")
    written = getattr(getattr(rules_document(after), table), name)
    assert str(written).lower() == word


@every_word
def test_a_word_is_described_and_documented(key: str) -> None:
    before, after = both(key)
    assert describe(before) != describe(after)
    table, name = key.split(".")
    text = (Path(__file__).parent.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert f"\n[{table}]" in text
    assert f"\n{name} = " in text


@every_word
def test_a_word_makes_another_game_that_a_repair_may_try(key: str) -> None:
    before, after = both(key)
    assert identity(before.rules) != identity(after.rules)
    tried = [str(change) for change in alternatives(before.rules)[key]]
    assert any(f"{key}={WORDS[key][1]}" in one for one in tried)


@every_word
def test_a_word_is_solved_certified_and_checked(key: str) -> None:
    """The certificate names it where it is not the default, and the checker plays by it."""
    _, after = both(key)
    small = assign(after, ["track.length=7"]) if after.id == "cross-over" else after
    solution = solve(Game(small))
    assert isinstance(solution, PlainSolution)
    text = write_certificate(solution)
    assert f"{key}={WORDS[key][1]}" in text.splitlines()[1]
    check_certificate(read_certificate(text))
