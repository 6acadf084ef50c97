"""Packages whose names are imported when they are first used.

A package lists what it offers once, as imports that only type checkers carry out:

    if TYPE_CHECKING:
        from lineduel.coach.adviser import Adviser as Adviser

    offer(__name__)

The list is read from there, so that a program waits only for what it uses.
"""

import sys
from types import ModuleType

TYPE_CHECKING = False
"""As in `typing`, which would take a while to load."""

if TYPE_CHECKING:
    from typing import Any


class LazyPackage(ModuleType):
    """A package that imports the names it offers when they are first used, and keeps them."""

    _homes: dict[str, str]
    """The module that each name is imported from; read on first use."""

    def __getattr__(self, name: str) -> object:
        if name == "_homes":
            value: object = _homes_in(_source_of(self))
        elif name == "__all__":
            value = sorted(self._homes)
        elif name.startswith("__") or name not in self._homes:
            raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'")
        else:
            value = _imported(self._homes[name], name, self)
        setattr(self, name, value)
        return value

    def __setattr__(self, name: str, value: object) -> None:
        # Python hands each imported file to its package. Where the package offers a function with
        # the name of its file, it stays the function, whatever was imported before.
        if (
            isinstance(value, ModuleType)
            and name in vars(value)
            and not callable(value)
            and self._homes.get(name) == value.__name__
        ):
            value = getattr(value, name)
        super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._homes})


def offer(package: str, kind: type[LazyPackage] = LazyPackage) -> None:
    """Offer the names that a package lists for type checkers; it calls this in its `__init__`."""
    sys.modules[package].__class__ = kind


def _imported(home: str, name: str, package: ModuleType) -> object:
    from importlib import import_module

    if home == package.__name__:  # the name of a module
        return import_module(f"{home}.{name}")
    module = import_module(home)
    is_itself = callable(module) and home == f"{package.__name__}.{name}"
    return module if is_itself else getattr(module, name)


def _source_of(package: ModuleType) -> str:
    """The text of a package's `__init__`, in a folder or in an archive."""
    loader: Any = package.__loader__
    text: str = loader.get_data(package.__file__).decode("utf-8")
    return text


def _homes_in(source: str) -> dict[str, str]:
    """Where each name of the list in a package's source comes from."""
    import re

    imports = re.findall(r"^    from ([\w.]+) import ([^()\n]+|\([^)]*\))", source, re.M)
    return {name: home for home, names in imports for name in re.findall(r"\b(\w+) as \1\b", names)}
