"""Nobody decides about a word of the vocabulary without being found when there is a new one."""

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given

import lineduel
from lineduel.rulebooks import find_rulebook
from lineduel.rules import (
    Displacement,
    Meeting,
    Resting,
    Rulebook,
    Side,
    assign,
    goal_sentence,
    vocabulary,
)
from lineduel.rules.assignments import assignments_between
from lineduel.rules.vocabulary import OWN_MEETINGS
from support.strategies import ALL_GAMES, rulebooks

PACKAGE = Path(lineduel.__file__).parent
WORDS = {"Meeting", "Edge", "BattleRule", "Displacement", "Resting", "Property"}
"""The words of the rules, what they do, and what is claimed of them."""
AS_A_DEFAULT = {"rules/keys.py", "rules/vocabulary.py"}
"""Where a word is named that a rulebook need not say. The table of keys names every word, which
`test_every_key_word_field_and_property_is_described` makes sure of."""


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(PACKAGE).as_posix(), ast.parse(path.read_bytes())


def named(node: ast.AST) -> set[str]:
    """The enums whose members are named somewhere in this piece of code."""
    return {
        part.value.id
        for part in ast.walk(node)
        if isinstance(part, ast.Attribute)
        and isinstance(part.value, ast.Name)
        and part.value.id in WORDS
        and part.attr.isupper()
    }


def never(case: ast.match_case) -> bool:
    """Whether it is `case _: assert_never(...)`."""
    return (
        isinstance(case.pattern, ast.MatchAs)
        and case.pattern.pattern is None
        and any(isinstance(one, ast.Name) and one.id == "assert_never" for one in ast.walk(case))
    )


def test_every_match_on_the_vocabulary_has_a_case_for_each_word() -> None:
    """It ends with assert_never, for which mypy wants nothing to be left."""
    seen = 0
    for path, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.Match) and any(named(case.pattern) for case in node.cases):
                guarded = any(case.guard is not None for case in node.cases)
                assert guarded or never(node.cases[-1]), f"{path}, line {node.lineno}"
                seen += 1
    assert seen > 8


def test_nobody_asks_for_a_single_meeting() -> None:
    """A word stands in a match over all of them; who names a single one has missed the next."""
    for path, tree in modules():
        if path not in AS_A_DEFAULT:
            matched = {
                part
                for node in ast.walk(tree)
                if isinstance(node, ast.match_case)
                for part in ast.walk(node.pattern)
            }
            for node in ast.walk(tree):
                alone = isinstance(node, ast.Attribute) and node not in matched
                alone = alone and bool(named(node) & {"Meeting", "Edge"})
                assert not alone, f"{path}, line {getattr(node, 'lineno', 0)}"


@pytest.mark.parametrize("meeting", Meeting)
def test_consequences_fit_together(meeting: Meeting) -> None:
    """A word does one thing, and enemies stand together where that leaves them."""
    blocks, displaces, opens_battle, wins, resting, start_together, for_own = meeting.consequences
    done = [blocks, displaces is not Displacement.NONE, opens_battle, wins]
    assert sum(done) <= 1
    assert (resting is Resting.ANYWHERE) == (not any(done))
    assert (resting is Resting.WINNING_CELL) == wins
    assert start_together == (not meeting.consequences.changes_something)
    assert for_own <= start_together


def test_own_pieces_block_or_share() -> None:
    """All that is read of what own pieces do is whether they block."""
    assert [word.consequences.blocks for word in OWN_MEETINGS] == [True, False]
    assert not any(word.consequences.changes_something for word in OWN_MEETINGS)


def test_the_laws_are_about_the_words_that_there_are() -> None:
    assert {name for name in WORDS if hasattr(vocabulary, name)} == WORDS - {"Property"}


@given(rulebooks(), rulebooks())
def test_settings_that_turn_some_rules_into_others_do(one: Rulebook, other: Rulebook) -> None:
    """Whatever differs: the ends of the track, its length, the pieces."""
    texts = assignments_between(one.rules, other.rules)
    assert assign(one, texts).rules == other.rules


def test_settings_do_not_resize_a_track_that_begins_elsewhere() -> None:
    """Though that would be shorter: its length and its ends cannot be set together."""
    one = find_rulebook("ctf-tokens")
    ends = ["track.first=-4", "track.last=4", "player1.pieces=P1:-4", "player1.goal=3"]
    other = assign(one, [*ends, "player2.pieces=P2:3", "player2.goal=-4"])
    assert assign(one, assignments_between(one.rules, other.rules)).rules == other.rules


@pytest.mark.parametrize("address", ALL_GAMES)
def test_settings_change_rules_and_nothing_else(address: str) -> None:
    """Neither its words, claims and errata nor which variant it is."""
    before = find_rulebook(address)
    changed = assign(before, ["turn.first=player2"])
    assert changed.rules != before.rules
    assert replace(changed, rules=before.rules) == before


@pytest.mark.parametrize("length", [3, 9, 13, 63])
def test_what_lies_in_the_middle_stays_there(length: int) -> None:
    """Both tokens of Blockade Duel, whose bases move along with the ends."""
    rules = assign(find_rulebook("blockade-duel"), [f"track.length={length}"]).rules
    middle = (rules.track.first + rules.track.last) // 2
    assert rules.player1.homes == rules.player2.homes == (middle,)
    assert (rules.player1.goal, rules.player2.goal) == ((length - 1,), (0,))


@pytest.mark.parametrize(("needs", "told"), [(1, "a piece"), (2, "2 pieces"), (3, "3 pieces")])
def test_a_goal_says_how_many_pieces_it_needs(needs: int, told: str) -> None:
    """For each side its own number."""
    changed = assign(find_rulebook("cross-over"), [f"player2.goal_needs={needs}"])
    assert goal_sentence(changed.rules, Side.ONE).startswith("Get a piece to 8, 9 or 10 ")
    assert goal_sentence(changed.rules, Side.TWO).startswith(f"Get {told} to 0, 1 or 2 ")
