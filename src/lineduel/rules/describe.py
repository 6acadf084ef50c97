"""A description of a rulebook in plain English, generated from its data."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
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
    Side,
    Tie,
)
from lineduel.rules.words import listed


class Phrasing(StrEnum):
    """One of three ways to say the same rules: readers should not depend on the words."""

    PLAIN = "plain"
    FORMAL = "formal"
    BRIEF = "brief"


Wording = tuple[str, str, str]
"""A sentence in each of the three phrasings."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its paragraphs."""

    heading: str
    paragraphs: tuple[str, ...]


def describe(rulebook: Rulebook, *, notes: bool = True) -> tuple[Section, ...]:
    """Everything a player needs to know, and, if wanted, notes about the rulebook itself."""
    sections = [*_rule_sections(rulebook.rules)]
    if not notes:
        return tuple(sections)
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


def rule_sentences(rules: Rules, phrasing: Phrasing = Phrasing.PLAIN) -> tuple[str, ...]:
    """The rules in words, without any notes."""
    return tuple(one for section in _rule_sections(rules, phrasing) for one in section.paragraphs)


def _rule_sections(rules: Rules, phrasing: Phrasing = Phrasing.PLAIN) -> Iterator[Section]:
    at = tuple(Phrasing).index(phrasing)
    for heading, wordings in (
        ("The track", _setup(rules)),
        ("A turn", _turn(rules)),
        ("Meeting a piece", _meetings(rules)),
        ("Winning", _winning(rules)),
    ):
        yield Section(heading, tuple(wording[at] for wording in wordings))


def _setup(rules: Rules) -> Iterable[Wording]:
    cells, first, last = len(rules.track), rules.track.first, rules.track.last
    yield (
        f"{cells} cells in a row, {first} to {last}.",
        f"The game is played on a line of {cells} cells, which are numbered {first} to {last}.",
        f"Line: cells {first} to {last}.",
    )
    for side in Side:
        homes = [(one.name, one.home) for one in rules.team(side).pieces]
        pieces = ", ".join(f"{name} on {home}" for name, home in homes)
        placed = ", ".join(f"{name} (cell {home})" for name, home in homes)
        listing = ", ".join(f"{name}={home}" for name, home in homes)
        end = last if side is Side.ONE else first
        yield (
            f"Player {side} has {pieces}, and moves forward toward {end}.",
            f"The pieces of player {side} and where they start: {placed}. "
            f"Forward means toward cell {end} for this player.",
            f"Player {side}: {listing}; forward is toward {end}.",
        )
    if rules.first is None:
        yield (
            "The players agree on who begins, or choose at random; by default it is player 1.",
            "Either player may take the first turn; unless it is said otherwise, player 1 does.",
            "First turn: either player (default: player 1).",
        )
    else:
        yield (
            f"Player {rules.first} begins.",
            f"The first turn is taken by player {rules.first}.",
            f"First turn: player {rules.first}.",
        )


def _turn(rules: Rules) -> Iterable[Wording]:
    several = any(len(rules.team(side).pieces) > 1 for side in Side)
    walks = _walks(rules)
    steps = _steps(walks[0][1]) if len(walks) == 1 else "by steps of its own"
    yield (
        f"Move {'one of your pieces' if several else 'your piece'} {steps}.",
        f"In a turn, a player moves {'exactly one of their pieces' if several else 'their piece'} "
        f"by this many cells: {steps if len(walks) == 1 else 'one of the steps of that piece'}.",
        f"A turn: {'any own piece' if several else 'own piece'} {steps}.",
    )
    for walkers, own in walks if len(walks) > 1 else ():
        goes = f"{walkers} {'goes' if walkers.count(' ') == 0 else 'go'}"
        yield (
            f"{goes} {_steps(own)}.",
            f"Steps of {walkers}: {_steps(own)}.",
            f"{walkers}: {_steps(own)}.",
        )
    match rules.movement.edge:
        case Edge.ILLEGAL:
            yield (
                "A step off the track is not allowed.",
                "A piece must not leave the line.",
                "Off the line: illegal.",
            )
        case Edge.STAY:
            yield (
                "A step off the track leaves the piece where it is, and counts as a move.",
                "If a step would leave the line, the piece remains on its cell; "
                "this is a legal move.",
                "Off the line: legal, the piece stays.",
            )
        case _:
            assert_never(rules.movement.edge)
    if any(abs(step) > 1 for step in rules.all_steps):
        may = rules.movement.jump
        yield (
            f"A step {'may' if may else 'may not'} pass over occupied cells.",
            f"Cells between the start and the end of a step "
            f"{'may be occupied' if may else 'must be empty'}.",
            f"Jumping over pieces: {'yes' if may else 'no'}.",
        )
    if rules.stuck.ends_game:
        yield (
            "A turn cannot be skipped.",
            "A player who has the turn has to move.",
            "Passing: never.",
        )
    else:
        yield (
            "A turn cannot be skipped; only a player without any legal move passes.",
            "A player who has a legal move has to make one; a player who has none passes.",
            "Passing: only without a legal move.",
        )


def _walks(rules: Rules) -> list[tuple[str, tuple[int, ...]]]:
    """The pieces that share their steps, by name, each group with these; one group if all do."""
    groups: dict[tuple[frozenset[int], Side], list[str]] = {}
    steps: dict[frozenset[int], tuple[int, ...]] = {}
    for side in Side:
        for place, piece in enumerate(rules.team(side).pieces):
            own = rules.steps_of(side, place)
            steps.setdefault(frozenset(own), own)
            groups.setdefault((frozenset(own), side), []).append(piece.name)
    if len(steps) == 1:
        return [("", next(iter(steps.values())))]
    return [(listed(names, "and"), steps[own]) for (own, _), names in groups.items()]


def _steps(steps: tuple[int, ...]) -> str:
    parts = []
    for word, sign in (("forward", 1), ("backward", -1)):
        found = [str(abs(step)) for step in steps if step * sign > 0]
        if found:
            parts.append(f"{listed(found, 'or')} {word}")
    if 0 in steps:
        parts.append("not at all (it stays)")
    return ", or ".join(parts)


def _meetings(rules: Rules) -> Iterable[Wording]:
    if any(len(rules.team(side).pieces) > 1 for side in Side):
        if rules.meet.own.consequences.blocks:
            yield (
                "You cannot land on a cell with one of your own pieces on it.",
                "A step must not end on a cell that holds another piece of the same player.",
                "Landing on an own piece: illegal.",
            )
        else:
            yield (
                "Your own pieces may share a cell.",
                "Any number of pieces of the same player may stand on one cell.",
                "Landing on an own piece: legal, they share the cell.",
            )
    match rules.meet.enemy:
        case Meeting.BLOCKED:
            yield (
                "You cannot land on a cell with an enemy on it.",
                "A step must not end on a cell that holds an enemy piece.",
                "Landing on an enemy: illegal.",
            )
        case Meeting.SHARED:
            yield (
                "Enemies may share a cell; nothing happens.",
                "A step may end on a cell with enemy pieces, and this has no effect.",
                "Landing on an enemy: legal, no effect.",
            )
        case Meeting.CAPTURED:
            yield (
                "Landing on the enemy takes every enemy piece on that cell out of the game.",
                "All enemy pieces on the cell where a step ends are removed from the game.",
                "Landing on enemies: all enemies there leave the game.",
            )
        case Meeting.SENT_HOME:
            yield (
                "Landing on the enemy sends every enemy piece on that cell home to its start.",
                "All enemy pieces on the cell where a step ends go back to the cells "
                "they started on.",
                "Landing on enemies: all enemies there return to their start.",
            )
        case Meeting.WINS:
            yield (
                "Landing on an enemy wins the game.",
                "A player whose step ends on a cell with an enemy piece wins at once.",
                "Landing on an enemy: wins.",
            )
        case Meeting.BATTLE:
            yield (
                "Landing on the enemy starts a battle on that cell.",
                "If a step ends on a cell with enemy pieces, a battle is fought there.",
                "Landing on an enemy: a battle on that cell.",
            )
        case _:
            assert_never(rules.meet.enemy)
    if rules.battle:
        yield from _battle(rules.battle)
    if rules.movement.again.after_displacing:
        yield from _again(rules)


def _again(rules: Rules) -> Iterable[Wording]:
    several = any(len(rules.team(side).pieces) > 1 for side in Side)
    leave = rules.pieces_leave
    yield (
        f"A player who {'takes an enemy' if leave else 'sends an enemy home'} moves once more"
        f"{', with any piece,' if several else ''} "
        "if a move is legal, and again after each move that does the same.",
        f"After a move that {'removes an enemy piece' if leave else 'sends an enemy piece back'}, "
        f"the same player takes another turn{' with any own piece' if several else ''}, "
        "as often as this happens, unless there is no legal move.",
        f"{'Taking an enemy' if leave else 'Sending an enemy home'}: "
        f"the same player moves again{', any piece' if several else ''}, if a move is legal; "
        "this repeats.",
    )
    if rules.homes_matter:
        yield (
            "Landing on enemies that are already at home does not earn another move.",
            "If all enemies on the cell already stood on their starting cells, "
            "there is no further turn.",
            "Enemies already on their start: no second move.",
        )


def _battle(battle: Battle) -> Iterable[Wording]:
    yield (
        f"Both players secretly choose a number from 1 to {battle.numbers}; "
        "both numbers are shown together.",
        f"In a battle, each player chooses a number from 1 to {battle.numbers} "
        "without knowing the other's choice; then the two numbers are compared.",
        f"Battle: both choose 1 to {battle.numbers} in secret, at the same time.",
    )
    if battle.hand.is_spent:
        yield (
            "A number that was chosen is spent: it leaves the player's hand, and once a hand is "
            f"empty the player has all numbers from 1 to {battle.numbers} again. "
            "Both players see both hands.",
            "After a battle, each player puts aside the number just chosen and cannot choose it "
            "again until no number is left; then all of them return at once. What each player has "
            "left is known to both.",
            "A chosen number is spent; an empty hand is refilled at once. Hands are open.",
        )
    match battle.wins:
        case BattleRule.HIGHER:
            yield (
                "The higher number wins.",
                "The player with the larger number wins the battle.",
                "Higher number wins.",
            )
        case BattleRule.UNDERCUT:
            yield (
                "The higher number wins, but a number beats the one just above it.",
                "The larger number wins the battle, except that a number which is exactly one "
                "less than the other wins.",
                "Higher number wins, except: exactly one less wins.",
            )
        case BattleRule.CYCLIC:
            half = (battle.numbers - 1) // 2
            reach = f"1 to {half} below it" if half > 1 else "1 below it"
            less = f"1 to {half} less" if half > 1 else "1 less"
            yield (
                f"A number beats those {reach}, counting round from 1 to {battle.numbers}.",
                f"The numbers form a circle in which {battle.numbers} comes before 1; "
                f"a number wins against those that are {less} on this circle.",
                f"Numbers in a circle (below 1 comes {battle.numbers}): "
                f"a number beats those {less}.",
            )
        case _:
            assert_never(battle.wins)
    plain, formal, brief = _fate(battle.loser)
    tied: Wording
    match battle.tie:
        case Tie.BOTH:
            tied = "both players' pieces do", "of both players", "both sides' pieces"
        case Tie.ATTACKER:
            tied = (
                "the attacker's pieces do",
                "of the player who moved there",
                "the attacker's pieces",
            )
        case Tie.DEFENDER:
            tied = (
                "the attacked player's pieces do",
                "of the player who stood there before",
                "the defender's pieces",
            )
        case Tie.NOBODY:
            tied = "both stay", "of neither player", "nobody"
        case _:
            assert_never(battle.tie)
    yield (
        f"The loser's pieces on that cell {plain}; on a tie, {tied[0]}. "
        "Then it is the turn of the player who did not make the last move.",
        f"The pieces of the loser on that cell {formal}; if the numbers are equal, "
        f"those {tied[1]} do. "
        "After the battle, the player who did not start it takes the next turn.",
        f"Loser's pieces there {brief}; on a tie: {tied[2]}. "
        "Next turn: the player who did not attack.",
    )
    if battle.tie is Tie.NOBODY:
        yield (
            "Enemies that share a cell fight again when another piece enters it.",
            "If enemies stand on one cell and a further piece moves there, another battle follows.",
            "A piece entering a shared cell: a new battle.",
        )


def _fate(loser: Loser) -> Wording:
    match loser:
        case Loser.SENT_HOME:
            return "go home", "return to the cells they started on", "return to their start"
        case Loser.CAPTURED:
            return "leave the game", "are removed from the game", "are out"
        case _:
            assert_never(loser)


def _winning(rules: Rules) -> Iterable[Wording]:
    for side in Side:
        cells, needs = listed(map(str, rules.team(side).goal), "or"), rules.team(side).goal_needs
        if needs == 1:
            yield (
                f"Player {side} wins with a piece on {cells}.",
                f"If a piece of player {side} stands on cell {cells}, player {side} has won.",
                f"Goal of player {side}: {cells}.",
            )
        else:
            yield (
                f"Player {side} wins with {needs} pieces on {cells} at the same time.",
                f"As soon as {needs} pieces of player {side} stand on cells {cells}, "
                f"player {side} has won.",
                f"Goal of player {side}: {needs} pieces on {cells}.",
            )
    if rules.battle:
        enough = not rules.battle.tie.consequences.attacker_goes
        yield (
            "On an occupied goal cell the battle comes first"
            f"{'; a tie is enough to win' if enough else ''}.",
            "If enemies stand on the goal cell, the battle is fought before anybody wins"
            f"{', and a tie wins the game for the attacker' if enough else ''}.",
            "Goal with enemies on it: battle first"
            f"{' (a tie wins for the attacker)' if enough else ''}.",
        )
    if rules.pieces_leave:
        yield (
            "Taking the last enemy piece wins as well.",
            "A player who removes the last enemy piece from the game has won, too.",
            "No enemy left: wins as well.",
        )
    if rules.both_can_be_gone:
        yield (
            "If both lose their last piece at once, the player who did not attack wins.",
            "If a battle removes the last pieces of both, the player who was attacked has won.",
            "Both without pieces: the defender wins.",
        )
    if rules.stuck.ends_game:
        yield (
            "A player who has the turn and no legal move loses at once.",
            "If the player to move has no legal move, the other player has won.",
            "To move without a legal move: lost.",
        )
    yield (
        "No rule ends a game as a draw: play goes on until somebody wins or resigns. "
        "A position that keeps coming back is pointed out.",
        "No result other than a win for one player exists; a position may occur again "
        "any number of times.",
        "No draws; positions may repeat.",
    )


def goal_sentence(rules: Rules, side: Side, label: Callable[[int], str] = str) -> str:
    """How a side wins, in one line: `Get a piece to 8, 9 or 10, or take all enemy pieces.`"""
    team, enemies = rules.team(side), rules.team(side.other)
    cells = listed(map(label, team.goal), "or")
    pieces = "a piece " if team.goal_needs == 1 else f"{team.goal_needs} pieces "
    ways = [f"get {pieces if len(team.pieces) > 1 else ''}to {cells}"]
    if rules.pieces_leave:
        last = len(enemies.pieces) == 1
        ways.append(f"take {'the enemy piece' if last else 'all enemy pieces'}")
    if rules.meet.enemy.consequences.wins:
        ways.append("land on an enemy")
    if rules.stuck.ends_game:
        ways.append("leave the enemy without a move")
    told = listed(ways, "or")
    return f"{told[:1].upper()}{told[1:]}."


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


def rules_in_lines(rulebook: Rulebook, width: int, *, notes: bool = True) -> Iterator[str]:
    """The rules of a game for a terminal of that width, with or without notes about them."""
    wrapper = TextWrapper(
        width, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False
    )
    yield f"{rulebook.title} ({rulebook.id})"
    if rulebook.summary:
        yield fill(rulebook.summary, width)
    for section in describe(rulebook, notes=notes):
        yield f"\n{section.heading}"
        for paragraph in section.paragraphs:
            yield wrapper.fill(paragraph)
