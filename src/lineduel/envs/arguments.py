"""Checks of what environments are given; each error says what is allowed."""

import os
from collections.abc import Sequence
from numbers import Integral
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lineduel.engine import Game
from lineduel.errors import shown
from lineduel.rulebooks import find_rulebook, read_rulebook
from lineduel.rules import Rulebook

AnyRulebook = str | os.PathLike[str] | Rulebook | Game
"""What every environment takes: a game's name, a TOML file's path, a `Rulebook` or a `Game`."""


def require_rulebook(rulebook: AnyRulebook) -> Rulebook:
    """The rulebook that an environment was given, in any of its forms."""
    match rulebook:
        case Rulebook():
            return rulebook
        case Game():
            return rulebook.rulebook
        case str():
            return find_rulebook(rulebook)
        case os.PathLike():
            return read_rulebook(Path(rulebook))
    raise refused_argument("rulebook", "a name, a path, a Rulebook or a Game", rulebook)


def require_one_of(name: str, value: object, allowed: Sequence[object]) -> None:
    """The argument of that name has to be one of these values."""
    if value not in allowed:
        *others, last = (repr(one) if isinstance(one, str) else str(one) for one in allowed)
        choices = f"{', '.join(others)} or {last}" if others else last
        raise refused_argument(name, choices, value)


def require_at_least(least: int, name: str, value: int) -> None:
    """The argument of that name has to be a whole number that is not too small."""
    if not (isinstance(value, Integral) and value >= least):
        raise refused_argument(name, f"a whole number of at least {least}", value)


def require_limit(name: str, value: int | None) -> None:
    """The argument of that name has to be a whole number from 1 on, or None for no limit."""
    if value is not None:
        require_at_least(1, name, value)


def refused_argument(name: str, allowed: str, value: object) -> ValueError:
    """The error about an argument: what it has to be, and what it is."""
    return ValueError(f"{name} has to be {allowed}, not {shown(repr(value))}.")


def action_array(actions: ArrayLike, games: int) -> NDArray[np.integer]:
    """An action for each game, as an array that compiled code can read; copied only if it must be.

    Compiled code checks each action before it uses it.
    """
    chosen = np.asarray(actions)
    if chosen.shape != (games,) or chosen.dtype.kind not in "iu":
        raise ValueError(
            f"step takes {games} whole numbers, not an array of {chosen.dtype} with "
            f"the shape {chosen.shape}."
        )
    return chosen if chosen.dtype.isnative else chosen.astype(chosen.dtype.newbyteorder("="))


def check_chances(chances: NDArray[np.floating]) -> None:
    """Each row has to have chances of 0 or more, and one above 0; compiled code relies on it."""
    total = chances.sum(axis=1)
    if not np.isfinite(total).all() or (chances < 0).any() or (total <= 0).any():
        raise ValueError("Each state needs chances of 0 or more, and a legal action above 0.")
