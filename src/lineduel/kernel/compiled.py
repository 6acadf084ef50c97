"""How functions are compiled here: once, kept on disk, and free to run on several cores."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., object])


def compiled(function: Function) -> Function:
    """Compile at the first call, for whatever rulebook; rules are arguments, never code.

    Without a compiler the function stays as it is: the same results, some hundred times slower.
    """
    return _made(function)


def inner(function: Function) -> Function:
    """The same for what only compiled functions call, which takes less time to compile."""
    return _made(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def _made(function: Function, **options: bool) -> Function:
    if find_spec("numba") is None:
        return function
    import numba

    njit: Callable[..., Callable[[Function], object]] = numba.njit
    try:
        made = njit(cache=True, nogil=True, **options)(function)
    except RuntimeError:  # no folder to keep it in can be written to
        made = njit(nogil=True, **options)(function)
    return cast("Function", made)
