"""The rule sets of an exam: shipped games, their variants, and new ones drawn by a seed."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Annotated

from msgspec import Meta

from lineduel.arena import RandomStream, key_of
from lineduel.engine import Game, Move, Position, Step
from lineduel.envs import random_rulebooks
from lineduel.errors import TooLarge
from lineduel.graph import result_of
from lineduel.players import LEVELS, Level, table_of_level
from lineduel.rulebooks import catalogue, find_rulebook
from lineduel.rules import (
    Rulebook,
    Rules,
    Side,
    Team,
    Words,
    format_rules,
    parse_rules,
)
from lineduel.solve import (
    MOST_PLAIN,
    Number,
    Solution,
    given_away,
    given_away_by_number,
    solve,
)

LimitedText = Annotated[str, Meta(max_length=20_000)]
_DEPTH = 4
"""A win that is forced at the start of an unseen rule set takes at least this many plies."""
_WITHOUT_BATTLES, _WITH_BATTLES = (20, 2000), (20, 300)
"""Positions of unseen rule sets; those with battles take longer to solve."""


class Group(StrEnum):
    """Where a rule set comes from."""

    SHIPPED = "shipped"
    VARIANT = "variant"
    UNSEEN = "unseen"
    GIVEN = "given"


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A rule set of an exam; the rules are written as assignments in one line."""

    id: LimitedText
    group: Group
    rules: LimitedText

    @property
    def rulebook(self) -> Rulebook:
        rules = parse_rules(self.rules)
        return Rulebook(id=self.id, title=self.id, summary="", rules=rules, words=Words())


def shipped_rule_sets() -> Iterator[RuleSet]:
    """The shipped games, and their variants."""
    for entry in catalogue():
        for address in entry.addresses():
            group = Group.VARIANT if ":" in address else Group.SHIPPED
            yield rule_set_of(find_rulebook(address), group)


def unseen_rule_sets(count: int, seed: int) -> Iterator[RuleSet]:
    """New rule sets, the same for the same seed; every fourth has battles."""
    plain = random_rulebooks(
        seed, split="test", battles=False, positions=_WITHOUT_BATTLES, depth=_DEPTH
    )
    battles = random_rulebooks(
        seed, split="test", battles=True, positions=_WITH_BATTLES, depth=_DEPTH
    )
    for number in range(count):
        yield rule_set_of(next(battles if number % 4 == 3 else plain), Group.UNSEEN)


def rule_set_of(rulebook: Rulebook, group: Group = Group.GIVEN) -> RuleSet:
    """A rulebook as a rule set of an exam."""
    return RuleSet(rulebook.id, group, format_rules(rulebook.rules))


class SolvedRuleSet:
    """A rule set with everything that an exam needs to know about it."""

    def __init__(self, rulebook: Rulebook, start: Position | None = None) -> None:
        self.game = Game(rulebook)
        self.start = start or self.game.start()
        self._regrets: dict[tuple[Position, Side], tuple[Number, ...]] = {}
        self._levels: dict[int, Level] = {}

    @cached_property
    def solution(self) -> Solution:
        found = solve(self.game, self.start)
        if found.positions > MOST_PLAIN:
            raise TooLarge(
                found.positions,
                MOST_PLAIN,
                f"{self.game.rulebook.id} has {found.positions:,} positions; "
                f"exams take rule sets of at most {MOST_PLAIN:,}.",
            )
        return found

    @cached_property
    def mirrored(self) -> "SolvedRuleSet":
        """The same game from the other end."""
        rules, rulebook = self.game.rules, self.game.rulebook
        turned = replace(rulebook, rules=mirrored_rules(rules))
        return SolvedRuleSet(turned, mirrored_position(rules, self.start))

    def level(self, number: int) -> Level:
        if number not in self._levels:
            self._levels[number] = Level(number, self.solution)
        return self._levels[number]

    def choices(self, position: Position, side: Side) -> tuple[Move, ...] | tuple[int, ...]:
        """The legal moves; in a battle the numbers that a side has in hand."""
        if position.battle is not None:
            return self.game.hand(position, side)
        return self.game.moves(position)

    def regrets(self, position: Position, side: Side) -> tuple[Number, ...]:
        """What each choice of a side is proved to give away; 0 unless it is a mistake."""
        key = position, side
        if key not in self._regrets:
            solution = self.solution
            self._regrets[key] = (
                given_away(solution.value(position), solution.outlook(position), side)
                if position.battle is None
                else tuple(given_away_by_number(solution, position, side).values())
            )
        return self._regrets[key]

    def losing_regret(self, position: Position, side: Side) -> float:
        """What a side gives away that loses at once."""
        return float(1 + self.solution.value(position).sure(side))

    def questions(self, count: int, seed: int) -> tuple[tuple[Position, Side], ...]:
        """Positions to ask about, drawn by a seed, in which some choice is a mistake.

        Fewer if there are not that many.
        """
        stream = RandomStream(key_of(seed, "positions", format_rules(self.game.rules)))
        positions = list(self.solution.explored().positions)
        found: list[tuple[Position, Side]] = []
        while positions and len(found) < count:
            at = int(stream.random() * len(positions))
            positions[at], positions[-1] = positions[-1], positions[at]
            position = positions.pop()
            if self.game.outcome(position) is not None:
                continue
            side = position.side
            if position.battle is not None and stream.random() < 0.5:
                side = side.other
            if any(self.regrets(position, side)):
                found.append((position, side))
        return tuple(found)

    def expected_scores(self, levels: Iterable[int]) -> list[list[float]]:
        """What each level scores against each of these levels over both seats, exactly."""
        graph = self.solution.explored(compiled=True)
        tables = {number: table_of_level(number, graph) for number in LEVELS}

        def score(one: int, other: int) -> float:
            first = result_of(graph, tables[one], tables[other]).value
            second = -result_of(graph, tables[other], tables[one]).value
            return (2 + first + second) / 4

        return [[score(one, other) for other in levels] for one in LEVELS]


@lru_cache(maxsize=4)
def solved_rule_set(rule_set: RuleSet) -> SolvedRuleSet:
    """The last few are kept with what they have solved."""
    return SolvedRuleSet(rule_set.rulebook)


# The other way round


def mirrored_rules(rules: Rules) -> Rules:
    """The same game with the players' seats exchanged and the line turned round.

    If both have as many pieces, each seat keeps the names of its pieces.
    """
    track = rules.track
    alike = len(rules.player1.pieces) == len(rules.player2.pieces)

    def turned(side: Side) -> Team:
        from_, names = rules.team(side.other), rules.team(side if alike else side.other)
        return from_.renamed([piece.name for piece in names.pieces]).placed(
            lambda cell: track.first + track.last - cell
        )

    first = None if rules.first is None else rules.first.other
    return replace(rules, player1=turned(Side.ONE), player2=turned(Side.TWO), first=first)


def mirrored_position(rules: Rules, position: Position) -> Position:
    """The position of the mirrored game that is the same."""
    ends = rules.track.first + rules.track.last

    def turned(side: Side) -> tuple[int | None, ...]:
        return tuple(None if cell is None else ends - cell for cell in position.cells(side))

    battle = None if position.battle is None else ends - position.battle
    hands = position.hands and position.hands[::-1]
    return Position(turned(Side.TWO), turned(Side.ONE), position.side.other, battle, hands)


def mirrored_move(rules: Rules, move: Move) -> Move:
    """The move in the game of these rules that a move of its mirrored game is."""
    if not isinstance(move, Step):
        return move
    mirrored = mirrored_rules(rules)
    for side in Side:
        for piece, own in zip(
            mirrored.team(side).pieces, rules.team(side.other).pieces, strict=True
        ):
            if piece.name == move.piece:
                return Step(own.name, move.step)
    raise ValueError(move)
