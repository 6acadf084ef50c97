"""Small changes of a rulebook that a designer would try: one word each, for both sides."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lineduel.errors import RulebookError
from lineduel.quantities import counted
from lineduel.rules import (
    LENGTH,
    MAX_PIECES,
    RULE_KEYS,
    RULEBOOK_TABLES,
    KeyKind,
    Piece,
    Rulebook,
    RulebookKey,
    Rules,
    Side,
    Track,
    apply_assigned,
    format_value,
)

STRETCH = (-4, -3, -2, -1, 1, 2, 3, 4)
"""Cells by which a track is made longer or shorter."""
_LONGEST_NAME = 16
STRUCTURE = (LENGTH, "pieces")
"""Changes after which other changes fit."""


@dataclass(frozen=True, slots=True)
class Change:
    """One changed word: what it is about, and the keys that a command line sets for it, nested."""

    about: str
    keys: Mapping[str, Mapping[str, object]]

    def __str__(self) -> str:
        """The keys as assignments."""
        return ", ".join(
            f"{table}.{key}={format_value(value)}"
            for table, keys in self.keys.items()
            for key, value in keys.items()
        )

    @property
    def told(self) -> str:
        """The change in short."""
        match self.about:
            case "pieces":
                pieces = self.keys["player1"]["pieces"]
                count = len(pieces) if isinstance(pieces, Mapping) else 0
                return f"{counted(count, 'piece')} a side"
            case "goals" | "starts":
                both = (format_value(next(iter(keys.values()))) for keys in self.keys.values())
                return f"{self.about} {' and '.join(both)}"
            case _:
                return str(self)


def alternatives(rules: Rules) -> dict[str, tuple[Change, ...]]:
    """Every single change that is tried, grouped by topic."""
    made: dict[str, list[Change]] = {}
    for change in _all(rules):
        made.setdefault(change.about, []).append(change)
    return {about: tuple(changes) for about, changes in made.items()}


def changed(rulebook: Rulebook, change: Change) -> Rulebook | None:
    """The rulebook with a change, or None where that makes no rulebook."""
    try:
        return apply_assigned(rulebook, change.keys)
    except RulebookError:
        return None


def _all(rules: Rules) -> Iterator[Change]:
    for cells in STRETCH:
        yield Change(LENGTH, {"track": {"length": len(rules.track) + cells}})
    yield from _pieces(rules)
    words_first = sorted(RULE_KEYS.values(), key=lambda key: key.kind is KeyKind.INTEGER)
    for key in words_first:
        if key.tried and key.matters(rules.meet.enemy):
            yield from _values(rules, key)
    if rules.first is not None:
        yield Change("turn.first", {"turn": {"first": f"player{rules.first.other}"}})
    yield from _goals(rules)
    yield from _starts(rules)


def _pieces(rules: Rules) -> Iterator[Change]:
    """A piece more, or one less, on either side."""
    teams = {side: rules.team(side).pieces for side in Side}
    fewer = {side: pieces[:-1] for side, pieces in teams.items()}
    taken = frozenset(piece.name.upper() for pieces in teams.values() for piece in pieces)
    more = {side: (*pieces, _another(pieces, taken)) for side, pieces in teams.items()}
    for made in (more, fewer):
        if all(1 <= len(pieces) <= MAX_PIECES for pieces in made.values()):
            keys = {
                f"player{side}": {"pieces": {piece.name: piece.home for piece in pieces}}
                for side, pieces in made.items()
            }
            yield Change("pieces", {table: {**one} for table, one in keys.items()})


def _another(pieces: tuple[Piece, ...], taken: frozenset[str]) -> Piece:
    """A piece like the last one: as far ahead of it as that is of the one before."""
    last = pieces[-1]
    gap = last.home - pieces[-2].home if len(pieces) > 1 else 0
    marks = ("x", "y", "z", *(f"x{number}" for number in range(2, 10)))
    names = (f"{last.name[: _LONGEST_NAME - len(mark)]}{mark}" for mark in marks)
    return Piece(next(name for name in names if name.upper() not in taken), last.home + gap)


def _values(rules: Rules, key: RulebookKey) -> Iterator[Change]:
    """The other values of a key, each with what it asks for and the rules lack."""
    now = key.written(rules)
    for value in key.tried:
        if set(value) == set(now) if key.kind is KeyKind.INTEGERS else value == now:
            continue
        lacking = {
            table.name: {one.name: one.stand_in for one in table.keys if one.stand_in is not None}
            for table in RULEBOOK_TABLES.values()
            if table.needs
            and table.needs.key == key.path
            and value in table.needs.words
            and table.part(rules) is None
        }
        yield Change(key.path, {key.table: {key.name: value}, **lacking})


def _goals(rules: Rules) -> Iterator[Change]:
    """Goals of one to three cells at the far ends."""
    for depth in (1, 2, 3):
        if depth >= len(rules.track):
            return
        goals = {side: _far_end(rules.track, side, depth) for side in Side}
        if all(set(goals[side]) == set(rules.team(side).goal) for side in Side):
            continue
        keys = {f"player{side}": {"goal": goals[side]} for side in Side}
        yield Change("goals", keys)


def _far_end(track: Track, side: Side, depth: int) -> list[int]:
    cells = list(track.cells)
    return cells[-depth:] if side is Side.ONE else cells[:depth]


def _starts(rules: Rules) -> Iterator[Change]:
    """Pieces in a row, with gaps or on one cell, from the own end or some cells ahead of it."""
    seen = {tuple(rules.team(side).homes for side in Side)}
    most = max(len(rules.team(side).pieces) for side in Side)
    for gap in (1, 0, 2) if most > 1 else (0,):
        for ahead in (0, 1, 2, 3):
            homes = {
                side: [
                    _from_own_end(rules.track, side, ahead + gap * at)
                    for at in range(len(rules.team(side).pieces))
                ]
                for side in Side
            }
            stands = tuple(tuple(homes[side]) for side in Side)
            inside = all(cell in rules.track for cells in homes.values() for cell in cells)
            if stands in seen or not inside:
                continue
            seen.add(stands)
            yield Change(
                "starts",
                {
                    f"player{side}": {
                        "pieces": {
                            piece.name: cell
                            for piece, cell in zip(
                                rules.team(side).pieces, homes[side], strict=True
                            )
                        }
                    }
                    for side in Side
                },
            )


def _from_own_end(track: Track, side: Side, distance: int) -> int:
    return track.first + distance if side is Side.ONE else track.last - distance
