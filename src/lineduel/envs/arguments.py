"""Checks of what environments are given; each error says what is allowed."""

from collections.abc import Sequence
from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lineduel.errors import shown
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Rulebook


def require_rulebook(rulebook: Rulebook | str) -> Rulebook:
    """A rulebook as it was given, or the one at an address."""
    if isinstance(rulebook, str):
        return find_rulebook(rulebook)
    if not isinstance(rulebook, Rulebook):
        raise refused_argument("rulebook", "a rulebook or its address", rulebook)
    return rulebook


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
