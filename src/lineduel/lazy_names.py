"""Lazy package exports: each name is imported from its file when it is first used."""

import sys
from collections.abc import Mapping
from importlib import import_module
from types import ModuleType


def import_name(package: str, files: Mapping[str, tuple[str, ...]], name: str) -> object:
    """One name of a package, from the file that has it; an AttributeError where there is none."""
    for file, names in files.items():
        if name in names:
            return getattr(import_module(f"{package}.{file}"), name)
    raise AttributeError(f"module '{package}' has no attribute '{name}'")


class LazyPackage(ModuleType):
    """A package that imports the names it offers when they are first used, and keeps them."""

    _files: Mapping[str, tuple[str, ...]]

    def __getattr__(self, name: str) -> object:
        value = import_name(self.__name__, self._files, name)
        setattr(self, name, value)
        return value

    def __setattr__(self, name: str, value: object) -> None:
        # Python hands each imported file to its package. Where the package offers a function with
        # the name of its file, it stays the function, whatever was imported before.
        if isinstance(value, ModuleType) and name in self._files.get(name, ()):
            value = getattr(value, name)
        super().__setattr__(name, value)


def offer(
    package: str,
    files: Mapping[str, tuple[str, ...]],
    kind: type[LazyPackage] = LazyPackage,
) -> None:
    """Export names from a package's files lazily; a package calls this in its `__init__`."""
    module = sys.modules[package]
    vars(module)["_files"] = files
    module.__class__ = kind
