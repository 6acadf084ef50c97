"""How functions are compiled here: once, kept on disk, and free to run on several cores."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., object])


def compiled(function: Function) -> Function:
    """Compile at the first call, for whatever rulebook; rules are arguments, never code.

    Without a compiler the function stays as it is: the same results, some hundred times slower.
    """
    if find_spec("numba") is None:
        return function
    import numba

    try:
        made = numba.njit(cache=True, nogil=True)(function)
    except RuntimeError:  # no folder to keep it in can be written to
        made = numba.njit(nogil=True)(function)
    return cast("Function", made)
