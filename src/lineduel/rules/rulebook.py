"""A rulebook: its rules, its texts, the claims of its author, and its errata."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from lineduel.errors import RulebookError, UnknownGame
from lineduel.quantities import counted
from lineduel.rules.vocabulary import (
    DISPLACING_MEETINGS,
    MAX_PIECES,
    Again,
    Battle,
    Displacement,
    Meetings,
    Movement,
    Resting,
    Side,
    Stuck,
    Team,
    Track,
    check_steps,
    meetings_that,
    quoted,
)
from lineduel.rules.words import Words, listed


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Everything that affects play: games with equal rules are the same game under any name."""

    track: Track
    player1: Team
    player2: Team
    movement: Movement
    meet: Meetings
    first: Side | None = Side.ONE
    """The side that begins; None if the players agree on it or draw lots."""
    battle: Battle | None = None
    stuck: Stuck = Stuck.PASSES

    def __post_init__(self) -> None:
        self._check_names()
        for side in Side:
            self._check_team(side)
            self._check_steps(side)
        self._check_starts()
        self._check_again()
        fights = self.meet.enemy.consequences.opens_battle
        if fights and self.battle is None:
            raise RulebookError(
                "battle",
                f'missing, though meet.enemy is "{self.meet.enemy}"',
                "a table with numbers",
            )
        if self.battle is not None and not fights:
            raise RulebookError(
                "battle", f'given, though meet.enemy is "{self.meet.enemy}"', "no such table then"
            )

    def team(self, side: Side) -> Team:
        return self.player1 if side is Side.ONE else self.player2

    @property
    def resting(self) -> Resting:
        """The cells on which enemies can be together after a move is complete."""
        return self.battle.resting if self.battle else self.meet.enemy.consequences.resting

    @property
    def both_can_be_gone(self) -> bool:
        """Whether both sides can lose their last piece at once."""
        fight = self.battle
        return bool(fight and fight.displaces is Displacement.OUT and all(fight.tie.consequences))

    @property
    def displacements(self) -> frozenset[Displacement]:
        """Everything that can happen to a piece that is landed on or in a battle."""
        landing = self.meet.enemy.consequences.displaces
        return frozenset((landing, self.battle.displaces) if self.battle else (landing,))

    @property
    def pieces_leave(self) -> bool:
        """Whether a piece can leave the game."""
        return Displacement.OUT in self.displacements

    @property
    def pieces_come_back(self) -> bool:
        """Whether being landed on or a battle can return a piece to a cell it was on before."""
        return any(one.comes_back for one in self.displacements)

    @property
    def moves_again(self) -> bool:
        """Whether a side can have two turns in a row."""
        return self.movement.again.after_displacing

    @property
    def homes_matter(self) -> bool:
        """Whether pieces can be sent home, so that pieces with different homes are not alike."""
        return Displacement.HOME in self.displacements

    @property
    def all_steps(self) -> tuple[int, ...]:
        """Every step that some piece may take, in the order in which moves are listed."""
        given = [self.movement.steps]
        for side in Side:
            given += [self.team(side).steps, *(steps for _, steps in self.team(side).piece_steps)]
        used = {
            step
            for side in Side
            for place in range(len(self.team(side).pieces))
            for step in self._steps(side, place)
        }
        return tuple(dict.fromkeys(step for steps in given for step in steps if step in used))

    def steps_of(self, side: Side, place: int) -> tuple[int, ...]:
        """The steps that a side's piece at that index may take, in the order of `all_steps`."""
        steps = self._steps(side, place)
        return tuple(step for step in self.all_steps if step in steps)

    def _steps(self, side: Side, place: int) -> tuple[int, ...]:
        """The steps of a piece as they are given: a piece's own before its side's."""
        team = self.team(side)
        own = dict(team.piece_steps).get(team.pieces[place].name)
        return own or team.steps or self.movement.steps

    def like_pieces(self, side: Side) -> tuple[tuple[int, ...], ...]:
        """The indices of a side's pieces, grouped into pieces that are interchangeable."""
        groups = dict[tuple[int, frozenset[int]], list[int]]()
        for place, home in enumerate(self.team(side).homes):
            steps = frozenset(self._steps(side, place))
            groups.setdefault((home if self.homes_matter else 0, steps), []).append(place)
        return tuple(map(tuple, groups.values()))

    def _check_again(self) -> None:
        if self.movement.again.after_displacing and self.meet.enemy not in DISPLACING_MEETINGS:
            raise RulebookError(
                "move.again",
                f'"{self.movement.again}", though meet.enemy is "{self.meet.enemy}"',
                f'"{Again.NEVER}", unless meet.enemy is {quoted(DISPLACING_MEETINGS)}',
            )

    def _check_names(self) -> None:
        seen: set[str] = set()
        for side in Side:
            for piece in self.team(side).pieces:
                if piece.name.upper() in seen:
                    raise RulebookError(
                        f"player{side}.pieces",
                        f"a second piece is called {piece.name}",
                        "a name for each piece of both players, letters in either case being alike",
                    )
                seen.add(piece.name.upper())

    def _check_team(self, side: Side) -> None:
        team, key = self.team(side), f"player{side}"
        on_track = f"cells {self.track.first} to {self.track.last}"
        if not 1 <= len(team.pieces) <= MAX_PIECES:
            raise RulebookError(
                f"{key}.pieces", f"{len(team.pieces)} pieces", f"1 to {MAX_PIECES} pieces"
            )
        for piece in team.pieces:
            if piece.home not in self.track:
                raise RulebookError(
                    f"{key}.pieces", f"{piece.name} starts on {piece.home}, off the track", on_track
                )
            if piece.home in team.goal:
                raise RulebookError(
                    f"{key}.pieces",
                    f"{piece.name} starts on {piece.home}, which is its own goal",
                    "a cell that does not win at once",
                )
        if not team.goal or len(set(team.goal)) != len(team.goal):
            raise RulebookError(
                f"{key}.goal", f"[{', '.join(map(str, team.goal))}]", "one or more different cells"
            )
        if not 1 <= team.goal_needs <= len(team.pieces):
            raise RulebookError(
                f"{key}.goal_needs",
                f"{team.goal_needs}, though there are {counted(len(team.pieces), 'piece')}",
                f"1 to {len(team.pieces)}" if len(team.pieces) > 1 else "1",
            )
        for cell in team.goal:
            if cell not in self.track:
                raise RulebookError(f"{key}.goal", f"{cell} is off the track", on_track)

    def _check_steps(self, side: Side) -> None:
        """Refuse steps of a side with which none of its pieces could move on an empty track."""
        team = self.team(side)
        key = f"player{side}.{'piece_steps' if team.piece_steps else 'steps'}"
        names = [piece.name for piece in team.pieces]
        if team.steps:
            check_steps(f"player{side}.steps", team.steps)
        for name, steps in team.piece_steps:
            if name not in names:
                raise RulebookError(
                    key, f"{name} is not a piece of player {side}", listed(names, "or")
                )
            check_steps(f"{key}.{name}", steps)
        if not (team.steps or team.piece_steps):
            return
        if not self.movement.edge.keeps_cell and not any(
            home + side.direction * step in self.track
            for place, home in enumerate(team.homes)
            for step in self.steps_of(side, place)
        ):
            raise RulebookError(
                key,
                f"player {side} could never move",
                "a step that stays on the track from the start of one of the pieces",
            )

    def _check_starts(self) -> None:
        if self.meet.enemy.consequences.start_together:
            return
        allowed = meetings_that(lambda consequences: consequences.start_together)
        for cell in sorted(set(self.player1.homes) & set(self.player2.homes)):
            raise RulebookError(
                "player2.pieces",
                f"both players start on {cell}",
                f"different cells, unless meet.enemy is {quoted(allowed)}",
            )


class Property(StrEnum):
    """A property of a rulebook that can be decided; a claim is mapped to one."""

    ALWAYS_ENDS = "always ends"
    NO_DRAW = "no draw"
    ENDS_QUICKLY = "ends quickly"
    SKILL_WINS = "skill wins"
    FAIR_SEATS = "neither seat favoured"
    RULES_MATTER = "every rule matters"
    CHOICES_MATTER = "choices matter"
    NO_BEST_NUMBER = "no number is always best"


class Claim(NamedTuple):
    """A promise of the author, and the property it was mapped to."""

    says: str
    property: Property
    not_tested: str = ""
    """What the sentence says beyond the property."""


class Erratum(NamedTuple):
    """A place where the written rulebook contradicts itself, and the ruling."""

    where: str
    says: str
    ruling: str


@dataclass(frozen=True, slots=True)
class Variant:
    """Another way to take the rulebook: the keys it changes, nested as in the file."""

    name: str
    summary: str
    why: str
    changes: Mapping[str, object] = field(hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulebook:
    """The content of one TOML file."""

    id: str
    """How it is addressed: `cross-over`, `cross-over:no-jump`, or a file's name."""
    title: str
    summary: str
    rules: Rules
    words: Words
    claims: tuple[Claim, ...] = ()
    errata: tuple[Erratum, ...] = ()
    variants: tuple[Variant, ...] = ()
    variant: Variant | None = None
    """The variant that this rulebook is, if it is one."""

    @property
    def full_title(self) -> str:
        """The title, with the variant if the title does not name it."""
        variant = self.id.partition(":")[2].replace("-", " ")
        is_named = not variant or variant in self.title
        return self.title if is_named else f"{self.title}, {variant}"

    def variant_named(self, name: str) -> Variant:
        for variant in self.variants:
            if variant.name == name:
                return variant
        from difflib import get_close_matches

        known = ", ".join(f"{self.id}:{variant.name}" for variant in self.variants)
        advice = f"Variants of {self.id}: {known}." if known else f"{self.id} has no variants."
        names = [variant.name for variant in self.variants]
        near = [f"{self.id}:{one}" for one in get_close_matches(name, names, n=1, cutoff=0.7)]
        raise UnknownGame(f"{self.id}:{name}", near, advice)
