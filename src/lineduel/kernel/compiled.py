"""How functions are compiled here: once, kept on disk, and free to run on several cores."""

from collections.abc import Callable
from typing import TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., object])


def compiled(function: Function) -> Function:
    """Compile for the processor at the first call; the interpreter's lock is let go meanwhile."""
    return cast("Function", numba.njit(cache=True, nogil=True)(function))
