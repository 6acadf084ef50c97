"""A design: the rules of a duel that is the same for both sides, as few values, and its names.

Two designs are the same game exactly if they are equal: cells are counted from each side's own
end, pieces have no names, and words that could not matter are left out.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import field, make_dataclass, replace
from functools import lru_cache
from itertools import count
from math import comb, prod
from typing import Any, assert_never

from lineduel.rules import (
    RULE_KEYS,
    RULEBOOK_TABLES,
    Battle,
    BattleRule,
    Displacement,
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
    listed,
)

_LETTERS = "ABCDEFGH"
DESIGN_KEYS = tuple(
    key
    for table in ("move", "meet", "battle", "turn", "player1")
    for key in RULEBOOK_TABLES[table].keys
    if key.path != "turn.first" and (table != "player1" or key.kind is KeyKind.INTEGER)
)
"""The keys of the rules that a design has under the same name, those of a side once."""


def is_idle(key: RulebookKey, enemy: Meeting, pieces: int) -> bool:
    """Whether a key cannot matter with this word for enemies and this number of pieces a side."""
    alone = key.path == "meet.own" or key.table == "player1"
    return not key.matters(enemy) or (alone and pieces == 1)


def idle_value(key: RulebookKey) -> Any:
    """What a design has for a key that cannot matter."""
    return key.plain if key.words or key.is_recent else 0


def words_added(key: RulebookKey, value: Any) -> int:
    """How much a key with this value adds to what there is to learn."""
    if key.kind is KeyKind.INTEGERS:
        return len(value)
    is_special = key.kind in (KeyKind.WORD, KeyKind.FLAG) or key.table == "player1"
    return int(is_special and value != key.plain)


_TYPES: dict[KeyKind, Any] = {
    KeyKind.INTEGER: int,
    KeyKind.INTEGERS: tuple[int, ...],
    KeyKind.FLAG: bool,
}


def _field(key: RulebookKey) -> Any:
    """The field of a design for a key: it is required unless it can be idle or is recent."""
    kind = type(key.plain) if key.words else _TYPES[key.kind]
    if key.table != "battle" and not key.is_recent:
        return key.name, kind
    return key.name, kind, field(default=idle_value(key))


_Fields: Any = make_dataclass(
    "_Fields",
    [
        ("cells", int),
        ("homes", tuple[int, ...]),
        ("goal", tuple[int, ...]),
        *map(_field, DESIGN_KEYS),
        ("own_steps", tuple[tuple[int, ...], ...], field(default=())),
    ],
    frozen=True,
    slots=True,
    order=True,
    kw_only=True,
)


class Design(_Fields):  # type: ignore[misc]  # its fields follow from the keys
    """The rules of a duel in which both sides have the same pieces, goals and moves.

    `homes` are where a side's pieces start, in cells from its own end, and `goal` the cells on
    which it wins, counted from the far end. Every key of `DESIGN_KEYS` has a field of its name;
    `numbers` is 0 without battles. Cells and steps are in ascending order. `own_steps` has the
    steps of each piece if they differ, and `steps` is then the first of them.
    """

    __slots__ = ()

    @property
    def words(self) -> int:
        """How much there is to learn: pieces, steps and goal cells of a side, and special rules."""
        keys = (key for key in DESIGN_KEYS if self.numbers or key.table != "battle")
        special = sum(words_added(key, getattr(self, key.name)) for key in keys)
        own = sum(map(len, self.all_steps)) - len(self.steps)
        return len(self.homes) + len(self.goal) + special + own

    @property
    def all_steps(self) -> tuple[tuple[int, ...], ...]:
        """The steps that pieces have, each set once."""
        return tuple(dict.fromkeys((self.steps, *self.own_steps)))

    @property
    def forward_first(self) -> tuple[int, ...]:
        """The steps as people list them."""
        return _forward_first(self.steps)

    def in_normal_form(self) -> "Design":
        """The same game without words that cannot matter, and in order."""
        idle: dict[str, Any] = {
            key.name: idle_value(key)
            for key in DESIGN_KEYS
            if is_idle(key, self.enemy, len(self.homes))
        }
        walks = [tuple(sorted(set(one))) for one in self.own_steps or (self.steps,)]
        walks = walks if len(walks) == len(self.homes) else walks[:1] * len(self.homes)
        pieces = sorted(zip(self.homes, walks, strict=True))
        differ = len(set(walks)) > 1
        return replace(
            self,
            homes=tuple(home for home, _ in pieces),
            goal=tuple(sorted(set(self.goal))),
            steps=pieces[0][1],
            own_steps=tuple(steps for _, steps in pieces) if differ else (),
            **idle,
        )

    def values(self, table: str) -> dict[str, Any]:
        """What it has for the keys of a table of the rules."""
        return {key.name: getattr(self, key.name) for key in DESIGN_KEYS if key.table == table}


def rulebook_of_design(design: Design) -> Rulebook:
    """The rulebook of a design; RulebookError if its rules contradict each other."""
    last = design.cells
    rules = Rules(
        track=Track(first=1, last=last),
        player1=_team(
            design,
            _pieces("P1", [1 + home for home in design.homes]),
            tuple(last - goal for goal in design.goal),
        ),
        player2=_team(
            design,
            _pieces("P2", [last - home for home in design.homes]),
            tuple(1 + goal for goal in design.goal),
        ),
        movement=Movement(**design.values("move") | {"steps": design.forward_first}),
        meet=Meetings(**design.values("meet")),
        battle=Battle(**design.values("battle")) if design.numbers else None,
        **design.values("turn"),
    )
    return Rulebook(id="design", title="A Duel", summary="", rules=rules, words=Words())


def _team(design: Design, pieces: tuple[Piece, ...], goal: tuple[int, ...]) -> Team:
    own = tuple(
        (piece.name, _forward_first(steps))
        for piece, steps in zip(pieces, design.own_steps, strict=False)
        if steps != design.steps
    )
    return Team(pieces, goal, piece_steps=own, **design.values("player1"))


def _forward_first(steps: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(steps, key=lambda step: (step < 1, abs(step))))


def _pieces(side: str, cells: list[int]) -> tuple[Piece, ...]:
    named = zip(_LETTERS, cells, strict=False)
    return tuple(Piece(f"{side}-{letter}", cell) for letter, cell in named)


def design_of(rules: Rules) -> Design | None:
    """The design of some rules; None if the two sides are not alike."""
    track = rules.track
    teams = [
        (
            sorted(
                (abs(home - end), tuple(sorted(rules.steps_of(side, place))))
                for place, home in enumerate(rules.team(side).homes)
            ),
            tuple(sorted(abs(far - goal) for goal in rules.team(side).goal)),
        )
        for side, end, far in (
            (Side.ONE, track.first, track.last),
            (Side.TWO, track.last, track.first),
        )
    ]
    differ = any(
        key.value(rules) != RULE_KEYS[f"player2.{key.name}"].value(rules)
        for key in DESIGN_KEYS
        if key.table == "player1"
    )
    if teams[0] != teams[1] or differ or rules.first is Side.TWO:
        return None
    values = {key.name: key.value(rules) for key in DESIGN_KEYS if key.matters(rules.meet.enemy)}
    pieces, goal = teams[0]
    return Design(
        cells=len(track),
        homes=tuple(home for home, _ in pieces),
        goal=goal,
        own_steps=tuple(steps for _, steps in pieces),
        **values,
    ).in_normal_form()


def rough_size(design: Design) -> int:
    """About how many positions a design has, as if each piece could be wherever its steps lead."""
    goes = design.loser.displaces if design.numbers else design.enemy.consequences.displaces
    walks = design.own_steps or (design.steps,) * len(design.homes)
    stops = design.goal if design.goal_needs == 1 else ()
    # Pieces that come back to homes of their own are not alike.
    alike: dict[tuple[int | None, tuple[int, ...]], list[int]] = defaultdict(list)
    for home, steps in zip(design.homes, walks, strict=True):
        alike[home if goes is Displacement.HOME else None, steps].append(home)
    one_side = prod(
        _placements(
            _in_reach(design.cells, min(homes), steps, stops),
            len(homes),
            shared=not design.own.consequences.blocks,
            may_be_out=goes is Displacement.OUT,
        )
        for (_, steps), homes in alike.items()
    )
    # Both sides have spent equally many of their numbers.
    hands: int = comb(2 * design.numbers, design.numbers) - 1 if design.hand.is_spent else 1
    return 2 * one_side**2 * hands


def _placements(cells: int, pieces: int, *, shared: bool, may_be_out: bool) -> int:
    """How many ways there are to place alike pieces on this number of cells."""
    if shared:
        return comb(cells + may_be_out + pieces - 1, pieces)
    if may_be_out:
        return sum(comb(cells, on) for on in range(pieces + 1))
    return comb(max(cells, pieces), pieces)


@lru_cache(maxsize=1 << 14)
def _in_reach(cells: int, home: int, steps: Sequence[int], goal: Sequence[int]) -> int:
    """How many cells a piece can get to if nobody is in its way."""
    reached, waiting = {home}, [home]
    while waiting:
        at = waiting.pop()
        if cells - 1 - at in goal:
            continue
        new = {at + step for step in steps if 0 <= at + step < cells} - reached
        reached |= new
        waiting += new
    return len(reached)


# Titles and summaries for duels that nobody has named

_SIDES = {1: "One piece", 2: "Two pieces", 3: "Three pieces", 4: "Four pieces"}


def title_of_design(design: Design, taken: Set[str]) -> str:
    """A title that fits the rules and is not taken."""
    return next(title for title in _titles(design) if title not in taken)


def _titles(design: Design) -> Iterator[str]:
    adjective = _adjective(design)
    nouns = _nouns(design.enemy)
    yield from (f"{adjective} {noun}" for noun in nouns)
    for number in count(2):
        yield from (f"{adjective} {noun} {number}" for noun in nouns)


def _nouns(enemy: Meeting) -> tuple[str, ...]:
    """Words for what happens when enemies meet."""
    match enemy:
        case Meeting.BLOCKED:
            return "Standstill", "Barrier", "Narrow Bridge"
        case Meeting.SHARED:
            return "Passage", "Crossing", "Open Road"
        case Meeting.CAPTURED:
            return "Hunt", "Raid", "Ambush"
        case Meeting.SENT_HOME:
            return "Setback", "Pushback", "Long Way Home"
        case Meeting.BATTLE:
            return "Clash", "Skirmish", "Encounter"
        case Meeting.WINS:
            return "Tag", "Pursuit", "Chase"
        case _:
            assert_never(enemy)


def _adjective(design: Design) -> str:
    """The word for what is most unusual about a design."""
    kinds = (
        (design.wins is BattleRule.CYCLIC, "Circular"),
        (design.wins is BattleRule.UNDERCUT, "Sly"),
        (design.loser is Loser.CAPTURED, "Deadly"),
        (design.again.after_displacing, "Rapid"),
        (design.tie is not Tie.BOTH, "Stubborn"),
        (design.hand.is_spent, "Thrifty"),
        (bool(design.own_steps), "Uneven"),
        (min(design.steps) < 0, "Wavering"),
        (0 in design.steps, "Patient"),
        (not design.jump, "Narrow"),
        (max(design.steps) > 2, "Swift"),
        (design.edge.keeps_cell, "Walled"),
    )
    return next((word for holds, word in kinds if holds), "Plain")


def summary_of(design: Design) -> str:
    """The duel in two sentences: the pieces and how they step, then how to win."""
    count = len(design.homes)
    side = _SIDES.get(count, f"{count} pieces")
    end = "the far end" if len(design.goal) == 1 else f"the last {len(design.goal)} cells"
    steps = f"step {listed(map(_step, design.forward_first), 'or')}"
    if design.own_steps:
        steps = "not all have the same steps"
    return (
        f"{side} a side on {design.cells} cells; {steps}. Reach {end} to win; "
        f"{_meeting(design.enemy)}."
    )


def _step(step: int) -> str:
    if step == 0:
        return "stay"
    return str(step) if step > 0 else f"{-step} back"


def _meeting(enemy: Meeting) -> str:
    """What landing on an enemy means."""
    match enemy:
        case Meeting.BLOCKED:
            return "enemies block the way"
        case Meeting.SHARED:
            return "enemies may share a cell"
        case Meeting.CAPTURED:
            return "landing on an enemy takes it"
        case Meeting.SENT_HOME:
            return "landing on an enemy sends it home"
        case Meeting.BATTLE:
            return "landing on an enemy opens a battle"
        case Meeting.WINS:
            return "so does landing on an enemy"
        case _:
            assert_never(enemy)
