"""How functions are compiled: once for each state of the sources, and free to run in threads."""

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
    """Compile at the first call, for whatever rulebook; rules are arguments, never code.

    Without Numba the function stays as it is: the same results, some hundred times slower.
    """
    return _made(function)


def inner(function: Function) -> Function:
    """The same for what only compiled functions call, which takes less time to compile."""
    return _made(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def compiler_installed() -> bool:
    """Whether functions are compiled here at all."""
    return find_spec("numba") is not None


def _made(function: Function, **options: bool) -> Function:
    if not compiler_installed():
        return function
    check_address_space()
    import numba

    listen_to_numba()
    njit: Callable[..., Callable[[Function], object]] = numba.njit
    folder = code_folder()
    if folder is not None:
        try:
            with _kept_in(folder):
                return cast("Function", njit(cache=True, nogil=True, **options)(function))
        except RuntimeError:  # Numba finds that it cannot write there
            pass
    return cast("Function", njit(nogil=True, **options)(function))


@contextmanager
def _kept_in(folder: Path) -> Iterator[None]:
    """Let Numba keep in this folder what is decorated meanwhile, and nothing else."""
    settings = numba_settings()
    before = settings.CACHE_DIR
    settings.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        settings.CACHE_DIR = before
