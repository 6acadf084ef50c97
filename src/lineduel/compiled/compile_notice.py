"""The notice shown while functions are compiled, which happens once and takes a while."""

import sys
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import Any

from lineduel.compiled.address_space import check_address_space
from lineduel.compiled.code_cache import has_code, hold_notice

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
