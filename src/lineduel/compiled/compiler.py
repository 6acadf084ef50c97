"""Compile functions once for each state of the sources; they release the GIL."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar, cast

from lineduel.compiled.address_space import check_address_space
from lineduel.compiled.code_cache import code_folder, numba_settings
from lineduel.compiled.compile_notice import listen_to_numba

Function = TypeVar("Function", bound=Callable[..., object])


def compiled(function: Function) -> Function:
    """Compile a function at its first call, for all rulebooks; rules are arguments, never code.

    Without Numba, and with its simulator of a GPU, the function is returned unchanged: same
    results, hundreds of times slower.
    """
    return _made(function)


def inner(function: Function) -> Function:
    """Like `compiled`, for functions called only by compiled code; they compile faster."""
    return _made(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def compiler_installed() -> bool:
    """Whether Numba is installed, so that functions are compiled."""
    return find_spec("numba") is not None


def kernels_are_simulated() -> bool:
    """Whether Numba simulates a GPU. Everything then runs as Python, in the same threads."""
    return os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0")


def _made(function: Function, **options: bool) -> Function:
    if not compiler_installed() or kernels_are_simulated():
        return function
    check_address_space()
    # With colours it writes to the terminal when the program ends, where colorama is installed.
    os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")
    import numba

    listen_to_numba()
    njit: Callable[..., Callable[[Function], object]] = numba.njit
    folder = code_folder()
    if folder is not None:
        try:
            with _kept_in(folder):
                return cast("Function", njit(cache=True, nogil=True, **options)(function))
        except RuntimeError:  # Numba cannot write there
            pass
    return cast("Function", njit(nogil=True, **options)(function))


@contextmanager
def _kept_in(folder: Path) -> Iterator[None]:
    """Make Numba use this cache folder for the functions decorated in this context only."""
    settings = numba_settings()
    before = settings.CACHE_DIR
    settings.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        settings.CACHE_DIR = before
