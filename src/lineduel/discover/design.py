"""A design: the rules of a duel that is the same for both sides, as few values.

Two designs are the same game exactly if they are equal: cells are counted from each side's own
end, pieces have no names, and words that could not matter are left out.
"""

from dataclasses import dataclass, replace
from typing import Any

from lineduel.rules import (
    RULEBOOK_TABLES,
    Again,
    Battle,
    BattleRule,
    Edge,
    KeyKind,
    Loser,
    Meeting,
    Meetings,
    Movement,
    Piece,
    Rulebook,
    RulebookKey,
    Rules,
    Side,
    Team,
    Tie,
    Track,
    Words,
)

_LETTERS = "ABCDEFGH"
DESIGN_KEYS = tuple(
    key for table in ("move", "meet", "battle") for key in RULEBOOK_TABLES[table].keys
)
"""The keys of the rules that a design has under the same name."""


def is_idle(key: RulebookKey, enemy: Meeting, pieces: int) -> bool:
    """Whether a key cannot matter: with this word for enemies and so many pieces a side."""
    return not key.matters(enemy) or (key.path == "meet.own" and pieces == 1)


def idle_value(key: RulebookKey) -> Any:
    """What a design has for a key that cannot matter."""
    return key.plain if key.words else 0


@dataclass(frozen=True, slots=True, order=True, kw_only=True)
class Design:
    """The rules of a duel in which both sides have the same pieces, goals and moves."""

    cells: int
    homes: tuple[int, ...]
    """Where a side's pieces start, in cells from its own end, in ascending order."""
    goal: tuple[int, ...]
    """The cells on which a side wins, counted from the far end, in ascending order."""
    steps: tuple[int, ...]
    """In ascending order."""
    edge: Edge
    jump: bool
    again: Again = Again.NEVER
    own: Meeting
    enemy: Meeting
    numbers: int = 0
    """The numbers of a battle; 0 without battles. What follows is at its default then."""
    wins: BattleRule = BattleRule.HIGHER
    loser: Loser = Loser.SENT_HOME
    tie: Tie = Tie.BOTH

    @property
    def words(self) -> int:
        """How much there is to learn: pieces, steps and goal cells of a side, and special rules."""
        special = [
            key
            for key in DESIGN_KEYS
            if key.kind in (KeyKind.WORD, KeyKind.FLAG)
            and (self.numbers or key.table != "battle")
            and getattr(self, key.name) != key.plain
        ]
        return len(self.homes) + len(self.steps) + len(self.goal) + len(special)

    def in_normal_form(self) -> "Design":
        """The same game without words that cannot matter, and in order."""
        idle: dict[str, Any] = {
            key.name: idle_value(key)
            for key in DESIGN_KEYS
            if is_idle(key, self.enemy, len(self.homes))
        }
        return replace(
            self,
            homes=tuple(sorted(self.homes)),
            goal=tuple(sorted(set(self.goal))),
            steps=tuple(sorted(set(self.steps))),
            **idle,
        )

    def values(self, table: str) -> dict[str, Any]:
        """What it has for the keys of a table of the rules."""
        return {key.name: getattr(self, key.name) for key in RULEBOOK_TABLES[table].keys}


def rulebook_of_design(design: Design) -> Rulebook:
    """The rulebook of a design; RulebookError if its rules contradict each other."""
    last = design.cells
    steps = sorted(design.steps, key=lambda step: (step < 1, abs(step)))
    rules = Rules(
        track=Track(first=1, last=last),
        player1=Team(
            _pieces("P1", [1 + home for home in design.homes]),
            tuple(last - goal for goal in design.goal),
        ),
        player2=Team(
            _pieces("P2", [last - home for home in design.homes]),
            tuple(1 + goal for goal in design.goal),
        ),
        movement=Movement(**design.values("move") | {"steps": tuple(steps)}),
        meet=Meetings(**design.values("meet")),
        battle=Battle(**design.values("battle")) if design.numbers else None,
    )
    return Rulebook(id="design", title="A Duel", summary="", rules=rules, words=Words())


def _pieces(side: str, cells: list[int]) -> tuple[Piece, ...]:
    named = zip(_LETTERS, cells, strict=False)
    return tuple(Piece(f"{side}-{letter}", cell) for letter, cell in named)


def design_of(rules: Rules) -> Design | None:
    """The design of some rules; None if the two sides are not alike."""
    track = rules.track
    teams = [
        (
            tuple(sorted(home - track.first for home in rules.player1.homes)),
            tuple(sorted(track.last - goal for goal in rules.player1.goal)),
        ),
        (
            tuple(sorted(track.last - home for home in rules.player2.homes)),
            tuple(sorted(goal - track.first for goal in rules.player2.goal)),
        ),
    ]
    if teams[0] != teams[1] or rules.first is Side.TWO:
        return None
    return Design(
        cells=len(track),
        homes=teams[0][0],
        goal=teams[0][1],
        **{key.name: key.value(rules) for key in DESIGN_KEYS if key.matters(rules.meet.enemy)},
    ).in_normal_form()
