"""Small changes of a rulebook that a designer would try: one word each, for both sides.

Also, when two rulebooks are the same game: renamed, relabelled, or seen from the other side.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, NamedTuple

import msgspec

from lineduel.errors import RulebookError
from lineduel.quantities import counted
from lineduel.rules import (
    LENGTH,
    MAX_PIECES,
    RULE_KEYS,
    RULEBOOK_TABLES,
    Battle,
    KeyKind,
    Piece,
    Rulebook,
    RulebookKey,
    Rules,
    Side,
    apply_assigned,
    format_value,
)

STRETCH = (-4, -3, -2, -1, 1, 2, 3, 4)
"""Cells by which a track is made longer or shorter."""
_LONGEST_NAME = 16
WHAT_IT_IS_ABOUT = "meet.enemy"
"""The word that no repair changes."""
Name = tuple[Annotated[str, msgspec.Meta(max_length=1000)], ...]
"""The changes that make a candidate."""
Key = tuple[object, ...]
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
    def text(self) -> str:
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


@dataclass(frozen=True, slots=True)
class Candidate:
    """A rulebook some changes away."""

    rulebook: Rulebook
    changes: tuple[Change, ...]

    @property
    def name(self) -> Name:
        """The changes as assignments, which tell it from all others."""
        return tuple(map(str, self.changes))


def candidates(rulebook: Rulebook, size: int) -> Iterator[Candidate]:
    """Every rulebook that is this many changes away; changes of one word exclude each other."""
    known = alternatives(rulebook.rules)
    for abouts in combinations((one for one in known if one != WHAT_IT_IS_ABOUT), size):
        for made, changes in _grown(rulebook, abouts, known):
            yield Candidate(made, changes)


def _grown(
    rulebook: Rulebook, abouts: tuple[str, ...], known: Mapping[str, tuple[Change, ...]]
) -> Iterator[tuple[Rulebook, tuple[Change, ...]]]:
    """The rulebook with a change of each word, one after the other."""
    if not abouts:
        yield rulebook, ()
        return
    for change in known.get(abouts[0], ()):
        made = changed(rulebook, change)
        if made is None:
            continue
        # On another track, or with other pieces, other changes fit.
        fitting = alternatives(made.rules) if change.about in STRUCTURE else known
        for last, others in _grown(made, abouts[1:], fitting):
            yield last, (change, *others)


# Which changes there are


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
    yield from _both(rules)
    yield from _starts(rules)


def _pieces(rules: Rules) -> Iterator[Change]:
    """A piece more, or one less, on either side."""
    teams = {side: rules.team(side).pieces for side in Side}
    fewer = {side: pieces[:-1] for side, pieces in teams.items()}
    taken = frozenset(piece.name.upper() for pieces in teams.values() for piece in pieces)
    more = {side: (*pieces, _another(pieces, taken)) for side, pieces in teams.items()}
    for made in (more, fewer):
        if all(1 <= len(pieces) <= MAX_PIECES for pieces in made.values()):
            named = {s: [(one.name, one.home) for one in pieces] for s, pieces in made.items()}
            yield _placed("pieces", named)


def _placed(about: str, pieces: Mapping[Side, Iterable[tuple[str, int]]]) -> Change:
    """Both sides' pieces by their names, and where they start."""
    return Change(about, {f"player{side}": {"pieces": dict(ps)} for side, ps in pieces.items()})


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
        cells = list(rules.track.cells)
        goals = {Side.ONE: cells[-depth:], Side.TWO: cells[:depth]}
        if all(set(goals[side]) == set(rules.team(side).goal) for side in Side):
            continue
        keys = {f"player{side}": {"goal": goals[side]} for side in Side}
        yield Change("goals", keys)


def _both(rules: Rules) -> Iterator[Change]:
    """Other numbers for a key that each side has, the same for both, or nothing of its own."""
    for key in RULEBOOK_TABLES["player1"].keys:
        if key.kind is KeyKind.INTEGER:
            most = min(len(rules.team(side).pieces) for side in Side)
            now = [one.value(rules) for one in _of_sides(key.name)]
            for value in range(1, most + 1):
                if any(value != one for one in now):
                    keys = {f"player{side}": {key.name: value} for side in Side}
                    yield Change(key.name, keys)
        elif key.is_recent and any(key.value(rules) for key in _of_sides(key.name)):
            keys = {f"player{side}": {key.name: key.default} for side in Side}
            yield Change(key.name, keys)


def _of_sides(name: str) -> list[RulebookKey]:
    """A key of both sides."""
    return [RULE_KEYS[f"player{side}.{name}"] for side in Side]


def _starts(rules: Rules) -> Iterator[Change]:
    """Pieces in a row, with gaps or on one cell, from a side's own end or some cells ahead."""
    seen = {tuple(rules.team(side).homes for side in Side)}
    most = max(len(rules.team(side).pieces) for side in Side)
    for gap in (1, 0, 2) if most > 1 else (0,):
        for ahead in (0, 1, 2, 3):
            homes = {
                side: [
                    end + ahead + gap * at if side is Side.ONE else end - ahead - gap * at
                    for at in range(len(rules.team(side).pieces))
                ]
                for side, end in ((Side.ONE, rules.track.first), (Side.TWO, rules.track.last))
            }
            stands = tuple(tuple(homes[side]) for side in Side)
            inside = all(cell in rules.track for cells in homes.values() for cell in cells)
            if stands in seen or not inside:
                continue
            seen.add(stands)
            names = {side: [piece.name for piece in rules.team(side).pieces] for side in Side}
            yield _placed(
                "starts", {side: zip(names[side], homes[side], strict=True) for side in Side}
            )


# When two rulebooks are the same game


class Identity(NamedTuple):
    """What a game is, whatever its pieces and cells are called, and whether it was turned round."""

    key: Key
    mirrored: bool


def identity(rules: Rules) -> Identity:
    """Equal keys are the same game; a mirrored one has the players' seats exchanged."""
    straight, turned = _key(rules, turned=False), _key(rules, turned=True)
    return Identity(straight, False) if straight <= turned else Identity(turned, True)


def _key(rules: Rules, turned: bool) -> tuple[str, ...]:
    """All that decides the game as text, with cells counted from the first player's end."""
    track = rules.track
    sides = (Side.TWO, Side.ONE) if turned else (Side.ONE, Side.TWO)

    def cell(label: int) -> int:
        return track.last - label if turned else label - track.first

    walks = {
        side: [sorted(rules.steps_of(side, place)) for place in range(len(rules.team(side).pieces))]
        for side in sides
    }
    all_alike = all(one == walks[sides[0]][0] for side in sides for one in walks[side])
    teams = [
        (
            sorted(map(cell, rules.team(side).homes))
            if all_alike
            else sorted(zip(map(cell, rules.team(side).homes), walks[side], strict=True)),
            sorted(map(cell, rules.team(side).goal)),
            *_recent(rules, f"player{side}"),
        )
        for side in sides
    ]
    # Who begins counts from the default, as a game is solved from there.
    first = sides.index(rules.first or Side.ONE)
    words = [
        (walks[sides[0]][0] if all_alike else []) if key.path == "move.steps" else key.value(rules)
        for table in ("move", "meet")
        for key in RULEBOOK_TABLES[table].keys
    ]
    words += _recent(rules, "turn")
    battle = rules.battle and (
        _winners(rules.battle),
        *(
            key.value(rules)
            for key in RULEBOOK_TABLES["battle"].keys
            if key.name not in ("numbers", "wins", "hand")
        ),
        *(["hand=spent"] if rules.battle.hand.is_spent else []),
    )
    return tuple(map(str, (len(track), teams, first, *words, battle)))


def _recent(rules: Rules, table: str) -> list[str]:
    """The recent keys of a table that differ from their defaults: an older game keeps its key."""
    return [
        f"{key.name}={value}"
        for key in RULEBOOK_TABLES[table].keys
        if key.is_recent
        and key.kind in (KeyKind.INTEGER, KeyKind.WORD)  # steps are in the key for each piece
        and (value := key.value(rules)) != key.default
    ]


def _winners(battle: Battle) -> tuple[tuple[int, ...], ...]:
    """Which number wins against which, whatever the rule is called and from which end it counts."""
    numbers = range(1, battle.numbers + 1)
    return min(
        tuple(tuple(battle.winner(one, two) or 0 for two in order) for one in order)
        for order in (numbers, numbers[::-1])
    )
