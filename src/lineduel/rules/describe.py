"""A description of a rulebook in plain English, generated from its data."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from textwrap import TextWrapper, fill
from typing import assert_never

from lineduel.rules.assignments import format_value
from lineduel.rules.rulebook import Rulebook, Rules, Variant
from lineduel.rules.vocabulary import (
    Battle,
    BattleRule,
    Edge,
    Loser,
    Meeting,
    Movement,
    Side,
    Tie,
)
from lineduel.rules.words import listed


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its paragraphs."""

    heading: str
    paragraphs: tuple[str, ...]


def describe(rulebook: Rulebook) -> tuple[Section, ...]:
    """Everything a player needs to know, and notes about the rulebook itself."""
    sections = [*_rule_sections(rulebook.rules)]
    if rulebook.claims:
        claims = tuple(f"{claim.says} ({claim.property})" for claim in rulebook.claims)
        sections.append(Section("What its author promises", claims))
    if rulebook.errata:
        errata = tuple(
            f"{one.where}: {_lowered(one.says)} Ruling: {_lowered(one.ruling)}"
            for one in rulebook.errata
        )
        sections.append(Section("Errata and rulings", errata))
    if rulebook.variant:
        told = f"{rulebook.variant.summary} {rulebook.variant.why}"
        sections.append(
            Section("This variant", (told, f"It changes {'; '.join(_changes(rulebook.variant))}."))
        )
    elif rulebook.variants:
        variants = tuple(
            f"{rulebook.id}:{one.name}: {one.summary} {one.why} "
            f"It changes {'; '.join(_changes(one))}."
            for one in rulebook.variants
        )
        sections.append(Section("Other variants", variants))
    return tuple(sections)


def rule_sentences(rules: Rules) -> tuple[str, ...]:
    """The rules in plain words, without any notes."""
    return tuple(one for section in _rule_sections(rules) for one in section.paragraphs)


def _rule_sections(rules: Rules) -> Iterator[Section]:
    yield Section("The track", tuple(_setup(rules)))
    yield Section("A turn", tuple(_turn(rules)))
    yield Section("Meeting a piece", tuple(_meetings(rules)))
    yield Section("Winning", tuple(_winning(rules)))


def _setup(rules: Rules) -> Iterable[str]:
    yield f"{len(rules.track)} cells in a row, {rules.track.first} to {rules.track.last}."
    for side in Side:
        pieces = ", ".join(f"{one.name} on {one.home}" for one in rules.team(side).pieces)
        end = rules.track.last if side is Side.ONE else rules.track.first
        yield f"Player {side} has {pieces}, and moves forward toward {end}."
    if rules.first is None:
        yield "The players agree on who begins, or choose at random; by default it is player 1."
    else:
        yield f"Player {rules.first} begins."


def _turn(rules: Rules) -> Iterable[str]:
    several = any(len(rules.team(side).pieces) > 1 for side in Side)
    yield f"Move {'one of your pieces' if several else 'your piece'} {_steps(rules.movement)}."
    match rules.movement.edge:
        case Edge.ILLEGAL:
            yield "A step off the track is not allowed."
        case Edge.STAY:
            yield "A step off the track leaves the piece where it is, and counts as a move."
        case _:
            assert_never(rules.movement.edge)
    if any(abs(step) > 1 for step in rules.movement.steps):
        yield f"A step {'may' if rules.movement.jump else 'may not'} pass over occupied cells."
    yield "A turn cannot be skipped; only a player without any legal move passes."


def _steps(movement: Movement) -> str:
    parts = []
    for word, sign in (("forward", 1), ("backward", -1)):
        found = [str(abs(step)) for step in movement.steps if step * sign > 0]
        if found:
            parts.append(f"{listed(found, 'or')} {word}")
    if 0 in movement.steps:
        parts.append("not at all (it stays)")
    return ", or ".join(parts)


def _meetings(rules: Rules) -> Iterable[str]:
    if any(len(rules.team(side).pieces) > 1 for side in Side):
        if rules.meet.own.consequences.blocks:
            yield "You cannot land on a cell with one of your own pieces on it."
        else:
            yield "Your own pieces may share a cell."
    match rules.meet.enemy:
        case Meeting.BLOCKED:
            yield "You cannot land on a cell with an enemy on it."
        case Meeting.SHARED:
            yield "Enemies may share a cell; nothing happens."
        case Meeting.CAPTURED:
            yield "Landing on the enemy takes every enemy piece on that cell out of the game."
        case Meeting.SENT_HOME:
            yield "Landing on the enemy sends every enemy piece on that cell home to its start."
        case Meeting.WINS:
            yield "Landing on an enemy wins the game."
        case Meeting.BATTLE:
            yield "Landing on the enemy starts a battle on that cell."
        case _:
            assert_never(rules.meet.enemy)
    if rules.battle:
        yield from _battle(rules.battle)
    if rules.movement.again.after_displacing:
        yield from _again(rules)


def _again(rules: Rules) -> Iterable[str]:
    several = any(len(rules.team(side).pieces) > 1 for side in Side)
    done = "takes an enemy" if rules.pieces_leave else "sends an enemy home"
    yield (
        f"A player who {done} moves once more{', with any piece,' if several else ''} "
        "if a move is legal, and again after each move that does the same."
    )
    if rules.homes_matter:
        yield "Landing on enemies that are already at home does not earn another move."


def _battle(battle: Battle) -> Iterable[str]:
    yield (
        f"Both players secretly choose a number from 1 to {battle.numbers}; "
        "both numbers are shown together."
    )
    match battle.wins:
        case BattleRule.HIGHER:
            yield "The higher number wins."
        case BattleRule.UNDERCUT:
            yield "The higher number wins, but a number beats the one just above it."
        case BattleRule.CYCLIC:
            half = (battle.numbers - 1) // 2
            reach = f"1 to {half} below it" if half > 1 else "1 below it"
            yield f"A number beats those {reach}, counting round from 1 to {battle.numbers}."
        case _:
            assert_never(battle.wins)
    turn = "then it is the turn of the player who did not make the last move."
    lost = f"The loser's pieces on that cell {_fate(battle.loser)}"
    match battle.tie:
        case Tie.BOTH:
            yield f"{lost}, on a tie both players' pieces; {turn}"
        case Tie.ATTACKER:
            yield f"{lost}, on a tie those of the player who attacked; {turn}"
        case Tie.DEFENDER:
            yield f"{lost}, on a tie those of the player who was attacked; {turn}"
        case Tie.NOBODY:
            yield f"{lost}, on a tie both stay; {turn}"
            yield "Enemies that share a cell fight again when another piece enters it."
        case _:
            assert_never(battle.tie)


def _fate(loser: Loser) -> str:
    match loser:
        case Loser.SENT_HOME:
            return "go home"
        case Loser.CAPTURED:
            return "leave the game"
        case _:
            assert_never(loser)


def _winning(rules: Rules) -> Iterable[str]:
    for side in Side:
        cells = listed(map(str, rules.team(side).goal), "or")
        yield f"Player {side} wins with a piece on {cells}."
    if rules.battle:
        enough = "" if rules.battle.tie.consequences.attacker_goes else "; a tie is enough to win"
        yield f"On an occupied goal cell the battle comes first{enough}."
    if rules.pieces_leave:
        yield "Taking the last enemy piece wins as well."
    if rules.both_can_be_gone:
        yield "If both lose their last piece at once, the player who did not attack wins."
    yield (
        "There is no draw: play goes on until somebody wins or resigns. "
        "You are told when a position keeps coming back."
    )


def _changes(variant: Variant) -> Iterable[str]:
    """The keys that a variant sets, with their values."""
    for table, keys in variant.changes.items():
        if isinstance(keys, Mapping) and table != "words":
            for key, value in keys.items():
                yield f"{table}.{key} to {format_value(value)}"


def _lowered(sentence: str) -> str:
    """A sentence with a small first letter, to follow a colon; names keep their capitals."""
    first = sentence.split(" ", 1)[0]
    if first == "A" or (first.isalpha() and first[1:].islower()):
        return sentence[0].lower() + sentence[1:]
    return sentence


def rules_in_lines(rulebook: Rulebook, width: int) -> Iterator[str]:
    """The rules of a game for a terminal of that width."""
    wrapper = TextWrapper(
        width, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False
    )
    yield f"{rulebook.title} ({rulebook.id})"
    if rulebook.summary:
        yield fill(rulebook.summary, width)
    for section in describe(rulebook):
        yield f"\n{section.heading}"
        for paragraph in section.paragraphs:
            yield wrapper.fill(paragraph)
