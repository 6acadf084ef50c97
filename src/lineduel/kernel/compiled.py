"""How functions are compiled here: once, kept on disk, and free to run on several cores."""

from collections.abc import Callable
from typing import TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., object])


def compiled(function: Function) -> Function:
    """Compile at the first call, for whatever rulebook; rules are arguments, never code."""
    try:
        made = numba.njit(cache=True, nogil=True)(function)
    except RuntimeError:  # no folder to keep it in can be written to
        made = numba.njit(nogil=True)(function)
    return cast("Function", made)
