"""Every key of the rules is known in every layer that has to know it."""

import re
from dataclasses import fields
from pathlib import Path
from random import Random

import pytest
from hypothesis import given

import lineduel
from lineduel.discover import Design, DesignSpace
from lineduel.documents import rules_document
from lineduel.engine import Game
from lineduel.lab.changes import alternatives, identity
from lineduel.rulebooks import find_rulebook
from lineduel.rules import (
    COMMAND_KEYS,
    RULE_KEYS,
    Meeting,
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
from support.strategies import rulebooks

WORDS = {
    "turn.stuck": ("cross-over", "loses"),
    "move.edge": ("flag-chase", "illegal"),
    "move.jump": ("cross-over", "false"),
    "move.again": ("cross-over", "capture"),
    "meet.own": ("cross-over", "shared"),
    "meet.enemy": ("cross-over", "sent home"),
    "battle.wins": ("flag-chase", "cyclic"),
    "battle.loser": ("flag-chase", "captured"),
    "battle.tie": ("flag-chase", "nobody"),
    "battle.hand": ("flag-chase", "spent"),
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


def test_the_last_word_is_named_in_few_files() -> None:
    """What follows from the table of keys does not name `battle.tie`, which came last.

    CONTRIBUTING lists the files that do.
    """
    package = Path(lineduel.__file__).parent
    naming = re.compile(r'\bTie\b|\bbattle\.tie\b|\bdesign\.tie\b|"tie"|\btie: ')
    sources = [path for kind in ("*.py", "*.js") for path in sorted(package.rglob(kind))]
    found = [path for path in sources if naming.search(path.read_text(encoding="utf-8"))]
    names = {path.relative_to(package).as_posix() for path in found}
    assert {"rules/vocabulary.py", "rules/keys.py"} <= names
    assert len(names) <= 12
    page = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    steps = page.partition("## How to add a word")[2]
    assert {name for name in names if f"`{name}`" not in steps} == set()


def test_a_design_has_every_key_that_both_sides_share() -> None:
    """So that `discover` draws, changes and crosses what a new word says."""
    shared = [key for key in RULE_KEYS.values() if key.table in ("move", "meet", "battle")]
    assert {key.name for key in shared} <= {one.name for one in fields(Design)}
    space = DesignSpace(meetings=tuple(Meeting), cells=range(8, 9))
    drawn = [space.draw(Random(seed)) for seed in range(300)]
    for key in shared:
        held = {getattr(one, key.name) for one in drawn}
        assert held >= set(key.words), key.path
        assert len(held) > 1, key.path


@given(rulebooks())
def test_a_repair_tries_every_other_value_that_the_table_lists(rulebook: Rulebook) -> None:
    """Of every key that has a meaning with what landing on an enemy does."""
    rules = rulebook.rules
    made = alternatives(rules)
    for path, key in RULE_KEYS.items():
        if path == "turn.first" or not key.tried or not key.matters(rules.meet.enemy):
            continue
        values = [change.keys[key.table][key.name] for change in made.get(path, ())]
        now = key.written(rules)
        others = [
            one
            for one in key.tried
            if one != now and not (isinstance(one, list) and sorted(one) == sorted(now))
        ]
        assert values == others, path


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
    text = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
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
    if key == "battle.hand":  # with more numbers, it takes bounds in arrays
        small = assign(after, ["battle.numbers=3"])
    solution = solve(Game(small))
    assert isinstance(solution, PlainSolution)
    text = write_certificate(solution)
    assert f"{key}={WORDS[key][1]}" in text.splitlines()[1]
    check_certificate(read_certificate(text))
