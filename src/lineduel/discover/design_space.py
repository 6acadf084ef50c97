"""The space of designs: all of them in order, or drawn, changed and crossed by chance."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property
from itertools import combinations, combinations_with_replacement, product
from math import comb, inf
from random import Random
from typing import Any

from lineduel.discover.design import DESIGN_KEYS, Design, idle_value, is_idle, words_added
from lineduel.errors import DiscoverError
from lineduel.rules import (
    MAX_CELLS,
    MAX_NUMBERS,
    MAX_PIECES,
    MIN_CELLS,
    MIN_NUMBERS,
    RULE_KEYS,
    BattleRule,
    KeyKind,
    Meeting,
    RulebookKey,
)

_GOALS = ((0,), (0, 1), (0, 1, 2))
_FARTHEST_HOME = 5
"""Cells from the own end in which pieces start."""
_MOST_STEPS = 4
_UNEVEN = 0.25
"""The share of drawn designs with several pieces in which one has steps of its own."""
_FIELDS = tuple(one.name for one in fields(Design))
_KEYS = {key.name: key for key in DESIGN_KEYS}
_ENEMY = RULE_KEYS["meet.enemy"]


@dataclass(frozen=True, kw_only=True)
class DesignSpace:
    """Bounds within which designs lie."""

    pieces: range = range(1, 4)
    cells: range = range(4, 13)
    steps: range = range(-2, 4)
    """The steps from which up to four are chosen, one of them forward."""
    numbers: range = range(2, 6)
    meetings: tuple[Meeting, ...] = tuple(Meeting)
    """What an enemy's cell may do."""
    words: int | None = None
    """The most words of a design."""

    def __post_init__(self) -> None:
        _check("pieces", self.pieces, 1, MAX_PIECES)
        _check("cells", self.cells, MIN_CELLS, MAX_CELLS)
        _check("numbers", self.numbers, MIN_NUMBERS, MAX_NUMBERS)
        _check("steps", self.steps, -MAX_CELLS + 1, MAX_CELLS - 1)
        if max(self.steps) < 1:
            raise DiscoverError("steps: with no step forward nobody can ever reach anything.")
        if not self.meetings:
            raise DiscoverError("meet: name at least one way in which enemies meet.")
        # The fewest pieces, one step, one goal cell, and the plainest way to meet.
        fewest = min(self.pieces) + 2 + min(words_added(_ENEMY, one) for one in self.meetings)
        if self.words is not None and self.words < fewest:
            raise DiscoverError(
                f"words: No duel within these bounds has so few words; the simplest has {fewest}."
            )

    @property
    def has_battles(self) -> bool:
        """Whether some designs have battles."""
        return any(meeting.consequences.opens_battle for meeting in self.meetings)

    # All in which the pieces of a side have the same steps; those with others are only drawn

    def __len__(self) -> int:
        """How many designs there are."""
        total = 0
        for cells, pieces in product(self.cells, self.pieces):
            homes = comb(len(_homes(cells)) + pieces - 1, pieces)
            rules = self._count_rules(pieces)
            for goal in _goals(cells):
                left = self._most_words - pieces - len(goal)
                total += homes * sum(many for words, many in rules.items() if words <= left)
        return total

    def __iter__(self) -> Iterator[Design]:
        """Every design once, those with fewer words first."""
        return iter(sorted(self._all(), key=lambda design: (design.words, design)))

    def __contains__(self, design: Design) -> bool:
        return (
            len(design.homes) in self.pieces
            and design.cells in self.cells
            and design.enemy in self.meetings
            and all(step in self.steps for one in design.all_steps for step in one)
            and (not design.numbers or design.numbers in self.numbers)
            and design.words <= self._most_words
        )

    @property
    def _most_words(self) -> float:
        return inf if self.words is None else self.words

    def _all(self) -> Iterator[Design]:
        for cells, pieces in product(self.cells, self.pieces):
            for goal in _goals(cells):
                for rules in self._rules(pieces, self._most_words - pieces - len(goal)):
                    for homes in combinations_with_replacement(_homes(cells), pieces):
                        yield Design(cells=cells, homes=homes, goal=goal, **rules)

    def _rules(self, pieces: int, most: float) -> Iterator[dict[str, Any]]:
        """The steps and words of all designs with this number of pieces a side.

        Together they are up to `most` words.
        """
        for different in self._different(pieces):
            for rules in _chosen(list(different.items()), most):
                if self._fits(rules["numbers"], rules["wins"]):
                    yield rules

    def _count_rules(self, pieces: int) -> Counter[int]:
        """How many `_rules` there are, by their words."""
        total: Counter[int] = Counter()
        for different in self._different(pieces):
            words = {
                name: [words_added(_KEYS[name], value) for value in values]
                for name, values in different.items()
            }
            wins = list(zip(different["wins"], words.pop("wins"), strict=True))
            words["numbers"] = [
                cost
                for number, (one, cost) in product(different["numbers"], wins)
                if self._fits(number, one)
            ]
            total += _sums(words.values())
        return total

    def _different(self, pieces: int) -> Iterator[dict[str, Sequence[Any]]]:
        """For each word for enemies: the values of every key that make different games."""
        for enemy in self.meetings:
            yield {
                key.name: (
                    (idle_value(key),) if is_idle(key, enemy, pieces) else self._values(key, pieces)
                )
                for key in DESIGN_KEYS
            } | {"enemy": (enemy,)}

    def _fits(self, numbers: int, wins: BattleRule) -> bool:
        """Whether a battle rule allows this number of numbers, which is 0 without battles."""
        return not numbers or numbers in _usable(self.numbers, wins)

    def _values(self, key: RulebookKey, pieces: int) -> Sequence[Any]:
        """The values of a key within the bounds, for this number of pieces a side."""
        if key.table == "player1":
            return range(1, pieces + 1)
        bounds = {
            "move.steps": self._step_sets,
            "meet.enemy": self.meetings,
            "battle.numbers": self.numbers,
        }
        return bounds.get(key.path) or tuple(key.words) or (True, False)

    @cached_property
    def _step_sets(self) -> tuple[tuple[int, ...], ...]:
        return tuple(
            steps
            for size in range(1, _MOST_STEPS + 1)
            for steps in combinations(self.steps, size)
            if steps[-1] > 0
        )

    # By chance

    def draw(self, chance: Random) -> Design:
        """Any design of the space."""
        return self._fitted(chance, self._drawn(chance))

    def change(self, chance: Random, design: Design) -> Design:
        """A design that differs from another in one to three values."""

        other = self._drawn(chance)
        names = chance.sample(_FIELDS, chance.choice((1, 1, 2, 3)))
        made = replace(design, **{name: getattr(other, name) for name in names})
        return self._fitted(chance, made)

    def cross(self, chance: Random, one: Design, other: Design) -> Design:
        """A design that takes each value from one of two others."""
        taken: dict[str, Any] = {
            name: getattr(chance.choice((one, other)), name) for name in _FIELDS
        }
        return self._fitted(chance, Design(**taken))

    def _drawn(self, chance: Random) -> Design:
        cells, enemy = chance.choice(self.cells), chance.choice(self.meetings)
        homes, pieces = _homes(cells), chance.choice(self.pieces)
        drawn: dict[str, Any] = {
            "homes": tuple(chance.choice(homes) for _ in range(pieces)),
            "goal": chance.choice(_goals(cells)),
        }
        for key in DESIGN_KEYS:
            if key.path != "meet.enemy":
                is_flag = key.kind is KeyKind.FLAG
                drawn[key.name] = (
                    chance.random() < 0.5 if is_flag else chance.choice(self._values(key, pieces))
                )
        if pieces > 1 and chance.random() < _UNEVEN:
            walks = [drawn["steps"]] * pieces
            walks[chance.randrange(pieces)] = chance.choice(self._step_sets)
            drawn["own_steps"] = tuple(walks)
        return Design(cells=cells, enemy=enemy, **drawn)

    def _fitted(self, chance: Random, design: Design) -> Design:
        """The design with what does not fit put right."""
        homes, numbers = _homes(design.cells), design.numbers
        usable = _usable(self.numbers, design.wins)
        if design.enemy.consequences.opens_battle and numbers not in usable:
            wins = design.wins if usable else BattleRule.UNDERCUT
            design = replace(design, wins=wins, numbers=chance.choice(usable or self.numbers))
        fitted = replace(
            design,
            homes=tuple(min(home, homes[-1]) for home in design.homes),
            goal=tuple(goal for goal in design.goal if goal < design.cells - 1) or (0,),
            **{
                key.name: min(getattr(design, key.name), len(design.homes))
                for key in DESIGN_KEYS
                if key.table == "player1"
            },
        ).in_normal_form()
        if fitted.words <= self._most_words:
            return fitted
        return self._fitted(chance, chance.choice(tuple(self._simpler(fitted))))

    def _simpler(self, design: Design) -> Iterator[Design]:
        """The designs with one thing less to learn."""
        if design.own_steps:
            yield replace(design, own_steps=())
        for step in design.steps:
            if max(others := [one for one in design.steps if one != step], default=0) > 0:
                yield replace(design, steps=tuple(others), own_steps=())
        if len(design.goal) > 1:
            yield replace(design, goal=design.goal[:-1])
        if len(design.homes) - 1 in self.pieces:
            yield replace(design, homes=design.homes[:-1], own_steps=design.own_steps[:-1])
        for key in DESIGN_KEYS:
            if key is _ENEMY and key.plain not in self.meetings:
                continue
            if key.kind is not KeyKind.INTEGERS and words_added(key, getattr(design, key.name)):
                yield replace(design, **{key.name: key.plain})


def space_around(design: Design, given: Mapping[str, Any]) -> DesignSpace:
    """The space near a design, in which enemies meet as they do there; `given` bounds hold."""
    steps = [step for one in design.all_steps for step in one]
    bounds: dict[str, Any] = {
        "pieces": _near(len(design.homes), 1, 1, MAX_PIECES),
        "cells": _near(design.cells, 3, MIN_CELLS, MAX_CELLS),
        "steps": range(min(*steps, -2), max(*steps, 3) + 1),
        "numbers": _near(design.numbers or MIN_NUMBERS, 2, MIN_NUMBERS, MAX_NUMBERS),
        "meetings": (design.enemy,),
    }
    return DesignSpace(**(bounds | dict(given)))


def _chosen(
    different: Sequence[tuple[str, Sequence[Any]]], most: float
) -> Iterator[dict[str, Any]]:
    """Every choice of a value for each key, by name, that has up to `most` words."""
    if not different:
        yield {}
        return
    (name, values), *others = different
    for value in values:
        left = most - words_added(_KEYS[name], value)
        if left >= 0:
            yield from ({name: value, **rest} for rest in _chosen(others, left))


def _sums(parts: Iterable[Iterable[int]]) -> Counter[int]:
    """How often each sum comes up, of one number from each part."""
    totals = Counter((0,))
    for part in parts:
        pairs = list(product(totals.items(), Counter(part).items()))
        totals = Counter()
        for (one, many), (other, times) in pairs:
            totals[one + other] += many * times
    return totals


def _near(number: int, by: int, least: int, most: int) -> range:
    return range(max(number - by, least), min(number + by, most) + 1)


def _check(key: str, given: range, least: int, most: int) -> None:
    if not given or given[0] < least or given[-1] > most:
        told = f"{given.start}..{given.stop - 1}"
        raise DiscoverError(f"{key}: {told} is not a range within {least}..{most}.")


@cache
def _homes(cells: int) -> range:
    return range(min((cells - 2) // 2, _FARTHEST_HOME) + 1)


@cache
def _goals(cells: int) -> Sequence[tuple[int, ...]]:
    return tuple(goal for goal in _GOALS if len(goal) < cells)


@cache
def _usable(numbers: range, wins: BattleRule) -> tuple[int, ...]:
    """The numbers that a battle rule can do with."""
    odd = wins is BattleRule.CYCLIC
    return tuple(number for number in numbers if number % 2 or not odd)
