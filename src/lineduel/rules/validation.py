"""Everything that is wrong with a rulebook file, at once and with its lines.

Reading stops at the first mistake. So what is wrong is taken out, or something harmless is put in
its place, and the rest is read again until nothing is left to complain about.
"""

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from operator import attrgetter
from typing import Any

from lineduel.errors import KeyPath, RulebookError, key_text, shown
from lineduel.rules.keys import RULE_KEYS, RULE_TABLES, RULEBOOK_TABLES, KeyKind
from lineduel.rules.rulebook import Property
from lineduel.rules.toml import cited, rulebook_from_data
from lineduel.rules.toml_text import key_lines
from lineduel.rules.vocabulary import MAX_CELLS
from lineduel.safe_toml import parse_toml

MOST_PROBLEMS = 100
_PLACE = re.compile(r"\(at line ([0-9]+), column ([0-9]+)\)")
_END = re.compile(r"\(at end of document\)")
_IN_WORDS = {
    "Illegal character '\\n'": "a text without a quotation mark at its end",
    "Invalid value": "a value that is neither a number nor a text in quotation marks",
}
"""What the parser says about common mistakes, and what it means."""
_CONTRADICTED = re.compile(r"though ([\w.]+) is")
_MISSING = "missing"
_VARIANTS = "variants"
_ALONE = (("turn",), ("move",), ("words",), ("summary",), ("why",), ())
"""What is right or wrong in a variant whatever the other rules are."""
_LISTED = [key.name for key in RULE_KEYS.values() if key.kind in (KeyKind.PIECES, KeyKind.INTEGERS)]
"""The keys with several entries."""


def problems_of(text: str, source: str | None = None) -> tuple[RulebookError, ...]:
    """Everything that is wrong with a rulebook's text, each with its line, in their order.

    What to raise if it is to be played; `source` is the name of its file.
    """
    try:
        data = parse_toml(text)
    except ValueError as error:
        return (_not_toml(text, error, source),)
    lines = key_lines(text)
    found = [
        RulebookError(one.path, one.holds, one.allowed, source, _line(lines, entry, one.holds))
        for entry, one in _Reader(data).mistakes()
    ]
    return tuple(sorted(found, key=attrgetter("line", "key", "holds", "allowed")))


def main_problem(text: str, error: RulebookError, source: str) -> RulebookError:
    """The problem to report if only one can be: the one that stopped the reading.

    An unknown key comes before it, because that may be why another key is missing.
    """
    problems = problems_of(text, source)
    unknown = (one for one in problems if one.holds == RulebookError.UNKNOWN_KEY)
    first = (one for one in problems if (one.key, one.holds) == (error.key, error.holds))
    return next(unknown, None) or next(first)


def not_toml(error: ValueError, source: str | None = None) -> RulebookError:
    """What to raise where a text is not TOML: the reason, with the place as the parser gives it."""
    said = str(error)
    for heard, meant in _IN_WORDS.items():
        said = said.replace(heard, meant)
    return RulebookError("not TOML", said, "one TOML document", source)


def _not_toml(text: str, error: ValueError, source: str | None) -> RulebookError:
    """The problem of a text that is not TOML; others can be found only once it is."""
    found = not_toml(error)
    place = _PLACE.search(found.holds)
    at_end = text.count("\n") + 1 if _END.search(found.holds) else 1
    line = int(place[1]) if place else at_end
    said = _END.sub("at the end of the file", _PLACE.sub("", found.holds)).strip()
    return RulebookError(found.key, said, found.allowed, source, line)


def _line(lines: Mapping[str, int], path: str, holds: str) -> int:
    """The line of a key, of the nearest table around it, or of the key that it contradicts."""
    while path and path not in lines:
        path = path.rpartition("[" if path.endswith("]") else ".")[0]
    if path:
        return lines[path]
    other = _CONTRADICTED.search(holds)
    return lines.get(other[1], 1) if other else 1


class _Reader:
    """Reads again and again, each time without the mistake before."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._file = data
        self._data: dict[str, Any] = deepcopy(dict(data))
        self._stand_ins: set[str] = set()
        """Tables of the rules in which something harmless stands for what is wrong."""

    def mistakes(self) -> Iterator[tuple[str, RulebookError]]:
        """Each mistake, with the path of the entry that is to blame."""
        for _ in range(MOST_PROBLEMS):
            error = _complaint(self._data)
            if error is None:
                return
            doubtful = self._is_doubtful(error)
            complaint = self._as_written(error)
            entry = self._take_out(error)
            if not doubtful:
                yield entry, complaint
            if _said(_complaint(self._data)) == _said(error):
                return  # nothing that can be taken out changes it

    def _as_written(self, error: RulebookError) -> RulebookError:
        """The complaint with the value of the file, of which parts may have been taken out."""
        if error.holds != shown(cited(_get(self._data, error.path)), 120):
            return error
        return RulebookError(error.path, cited(_get(self._file, error.path)), error.allowed)

    def _is_doubtful(self, error: RulebookError) -> bool:
        """Whether a complaint may be about what stands in for something else."""
        path = error.path
        within = path[2:] if path[0] == _VARIANTS else path
        if path[0] == _VARIANTS and self._stand_ins and within[:1] not in _ALONE:
            return True
        if "track" in self._stand_ins and (
            within == ("track",) or error.holds.endswith("off the track")
        ):
            return True
        return "meet" in self._stand_ins and (
            within == ("battle",) or error.holds.startswith("both players start")
        )

    def _take_out(self, error: RulebookError) -> str:
        """Mend the data so that this complaint is gone; the path of what was to blame."""
        path = error.path
        for without, entry in (*self._without_entries(path), *self._without_key(path)):
            after = _complaint(without)
            gone = after is None or (after.key, after.holds) != (error.key, error.holds)
            if gone and not (after and after.key == error.key and after.holds == _MISSING):
                self._data = without
                return entry
        self._put_stand_in(path)
        return error.key

    def _without_entries(self, path: KeyPath) -> Iterator[tuple[dict[str, Any], str]]:
        """The data without one of the several entries of a list or table."""
        value = _get(self._data, path)
        table = dict if path[-1] == "pieces" else list
        if path[-1] not in _LISTED or not isinstance(value, table) or len(value) < 2:
            return
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        for key in reversed(keys):  # of two that are the same the second is to blame
            yield _without(self._data, (*path, key)), key_text((*path, key))

    def _without_key(self, path: KeyPath) -> Iterator[tuple[dict[str, Any], str]]:
        """The data without the key, or without the table of a variant that it changes."""
        if _get(self._data, path) is not None:
            yield _without(self._data, path), key_text(path)
        if path[0] == _VARIANTS:
            for length in range(len(path) - 1, 2, -1):
                yield _without(self._data, path[:length]), key_text(path)

    def _put_stand_in(self, path: KeyPath) -> None:
        """Something harmless in place of what is needed and missing or wrong."""
        if path[0] in RULE_TABLES:
            self._stand_ins.add(str(path[0]))
        if path[0] == _VARIANTS and len(path) > 2 and path[2] not in ("summary", "why"):
            self._data = _without(self._data, path[:2])
            return
        self._data = _with(self._data, path, self._harmless(path))

    def _harmless(self, path: KeyPath) -> object:
        match path:
            case ("track", *_):
                track = self._track()
                return track if len(path) == 1 else track[str(path[1])]
            case ("player1" | "player2", *_):
                team = self._team(str(path[0]))
                return team if len(path) == 1 else team.get(str(path[1]))
            case ("meet",):
                return {"enemy": self._meeting()}
            case ("meet", "enemy"):
                return self._meeting()
            case (table,) if table in RULE_TABLES:
                return {
                    key.name: key.stand_in
                    for key in RULEBOOK_TABLES[str(table)].keys
                    if key.is_required
                }
            case (table, name) if f"{table}.{name}" in RULE_KEYS:
                return RULE_KEYS[f"{table}.{name}"].stand_in
            case ("claims", int(), "property"):
                return str(Property.NO_DRAW)
            case ("claims" | "errata", int()):
                return {}
            case _:
                return ""

    def _meeting(self) -> str:
        return "battle" if "battle" in self._data else "blocked"

    def _track(self) -> dict[str, int]:
        """A track on which every piece and goal has a place, as far as one may be so long."""
        cells = [0, *self._cells("player1"), *self._cells("player2")]
        given = self._data.get("track")
        kept = given if isinstance(given, dict) else {}
        cells += [kept[end] for end in ("first", "last") if type(kept.get(end)) is int]
        first = min(cells)
        return {"first": first, "last": max(first + 1, min(max(cells), first + MAX_CELLS - 1))}

    def _team(self, player: str) -> dict[str, Any]:
        """A piece and a goal that are in nobody's way."""
        other = "player2" if player == "player1" else "player1"
        track = self._data.get("track", {})
        cells = range(int(track.get("first", 0)), int(track.get("last", 1)) + 1)
        taken = {*self._cells(player), *self._cells(other)}
        free = [cell for cell in cells if cell not in taken] or list(cells)
        goal = [cell for cell in free if cell != free[0]] or list(cells)
        return {"pieces": {f"X{player}": free[0]}, "goal": goal[-1:]}

    def _cells(self, player: str) -> list[int]:
        """The cells that a player's pieces and goal name."""
        team = self._data.get(player)
        if not isinstance(team, dict):
            return []
        pieces, goal = team.get("pieces"), team.get("goal")
        cells = [*pieces.values()] if isinstance(pieces, dict) else []
        cells += goal if isinstance(goal, list) else []
        return [cell for cell in cells if type(cell) is int]


def _complaint(data: Mapping[str, Any]) -> RulebookError | None:
    try:
        rulebook_from_data(data, "")
    except RulebookError as error:
        return error
    return None


def _said(error: RulebookError | None) -> tuple[str, str] | None:
    return None if error is None else (error.key, error.holds)


def _get(data: object, path: KeyPath) -> object:
    for one in path:
        try:
            data = data[one]  # type: ignore[index]  # what cannot be indexed is caught
        except (TypeError, KeyError, IndexError):
            return None
    return data


def _without(data: Mapping[str, Any], path: KeyPath) -> dict[str, Any]:
    changed = deepcopy(dict(data))
    table, last = _get(changed, path[:-1]), path[-1]
    if isinstance(table, dict):
        table.pop(last, None)
    elif isinstance(table, list) and isinstance(last, int):
        del table[last : last + 1]
    return changed


def _with(data: Mapping[str, Any], path: KeyPath, value: object) -> dict[str, Any]:
    changed = deepcopy(dict(data))
    table: Any = changed
    for one in path[:-1]:
        if isinstance(table, list) and isinstance(one, int) and one < len(table):
            table = table[one]
        elif isinstance(table, dict):
            if not isinstance(table.get(one), dict | list):
                table[one] = {}
            table = table[one]
        else:
            return changed
    last = path[-1]
    if isinstance(table, dict):
        table[last] = value
    elif isinstance(table, list) and isinstance(last, int):
        table[last : last + 1] = [value]
    return changed
