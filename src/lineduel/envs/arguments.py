"""Checks of what environments are given; each error says what is allowed."""

import os
from collections.abc import Mapping, Sequence
from numbers import Integral
from operator import index
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lineduel.engine import Game, Position, valid_position
from lineduel.errors import NotationError, NotNow, shown
from lineduel.record import read_position
from lineduel.rulebooks import find_rulebook, read_rulebook
from lineduel.rules import Rulebook, Side

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


def require_position(game: Game, position: Position | str) -> Position:
    """A position that games can begin at, as it was given or from its text form."""
    if isinstance(position, str):
        found = read_position(game, position)
    elif isinstance(position, Position):
        found = valid_position(game.rules, position)
    else:
        raise refused_argument("position", "a position or its text form", position)
    if game.outcome(found) is not None:
        raise NotNow(f"The game is over in {found}; choose a position where it still goes on.")
    return found


def position_asked_for(game: Game, options: Mapping[str, Any] | None) -> Position | None:
    """The position in the options of a reset; None if they have none."""
    position = (options or {}).get("position")
    return None if position is None else require_position(game, position)


def require_start(game: Game, first: Side | None, position: Position | str | None) -> Position:
    """Where games begin: at that position, or else at the rulebook's start."""
    if position is None:
        start = game.start(first)
        if game.outcome(start) is not None:
            raise NotNow(f"Player {start.side} begins without a legal move, so the game is over.")
        return start
    if first is not None:
        raise ValueError("Give first or position; a position says who moves first.")
    return require_position(game, position)


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
    """The argument of that name has to be a whole number of 1 or more, or None for no limit."""
    if value is not None:
        require_at_least(1, name, value)


def require_seed(seed: int | None) -> None:
    """A seed has to be a whole number of 0 or more; checked before a reset changes anything."""
    if seed is not None:
        require_at_least(0, "seed", seed)


def refused_argument(name: str, allowed: str, value: object) -> ValueError:
    """The error about an argument: what it has to be, and what it is."""
    return ValueError(f"{name} has to be {allowed}, not {shown(repr(value))}.")


def whole_action(action: object, actions: int) -> int:
    """An action as an int: of any whole type, also of NumPy's and as an array without axes."""
    try:
        return index(action)  # type: ignore[arg-type]
    except TypeError:
        raise no_action(action, actions) from None


def no_action(action: object, actions: int) -> NotationError:
    """The error about what is not an action."""
    return NotationError(
        f"{shown(repr(action))} is not an action; the actions are 0 to {actions - 1}."
    )


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
