"""Compile functions once for each state of the sources; they release the GIL.

Two things are said before that: if the limit on this process's address space leaves no room for
compiled code, because loading the libraries would then fail with obscure errors or hang; and that
compiling happens once and takes a while.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar, cast

from lineduel.compiled.code_cache import code_folder, has_code, hold_notice, numba_settings
from lineduel.errors import AddressSpaceLimit

try:
    import resource
except ImportError:  # not on this platform
    resource = None  # type: ignore[assignment]

_MIB = 1 << 20
_ALL_CORES, _EACH_CORE = 640 * _MIB, 80 * _MIB
"""Measured for Python, NumPy, SciPy, Numba and LLVM while compiling. NumPy and SciPy each load
their own linear algebra library, which takes 40 MiB per core."""


def usable_cores() -> int:
    """The number of cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def needed_address_space() -> int:
    """Bytes of address space that compiled code needs on this machine."""
    return _ALL_CORES + _EACH_CORE * usable_cores()


@cache
def check_address_space() -> None:
    """Raise `AddressSpaceLimit` if the compiler cannot start; called before anything is loaded."""
    if resource is None:
        return
    allowed, needed = resource.getrlimit(resource.RLIMIT_AS)[0], needed_address_space()
    if allowed != resource.RLIM_INFINITY and allowed < needed:
        raise AddressSpaceLimit(needed, allowed)


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


def borrowing(function: Function) -> Function:
    """Like `inner`, for functions that make no arrays and return none.

    They use the arrays of their callers without counting references. Counting takes longer than
    many a short function does, and threads that count the same arrays wait for each other.
    """
    return _made(function, no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False)


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


NOTICE = "Compiling (once, about half a minute) ..."


def _log(text: str) -> None:
    """Log the notice at a terminal; Python prints such a warning unless you set up logging."""
    if sys.stderr.isatty():
        import logging

        logging.getLogger("lineduel").warning(text)


_tell: Callable[[str], None] = _log


def tell_compiling_by(tell: Callable[[str], None]) -> None:
    """Show the notice with `tell` instead of logging it.

    `tell` is called at most once, in the thread that compiles.
    """
    global _tell
    _tell = tell


def announce_compiling(package: str) -> None:
    """Show the notice now if worker processes will have to compile the functions of a package.

    Their own notice would come only after they have started and imported Numba.
    """
    if sys.stderr.isatty() and find_spec("numba") is not None:
        check_address_space()
        if not has_code(package):
            _give_notice()


@cache
def listen_to_numba() -> None:
    """Show the notice when Numba starts to compile a function, but not when it loads one."""
    from numba.core import event

    class Listener(event.Listener):
        def on_start(self, _: Any) -> None:
            _give_notice()

        def on_end(self, _: Any) -> None:
            """Do nothing, because another function may be compiled next."""

    register: Callable[[str, event.Listener], None] = event.register
    register("numba:compile", Listener())


@cache
def _give_notice() -> None:
    """Show the notice once, and in only one of the processes that compile at the same time."""
    if hold_notice():
        _tell(NOTICE)
