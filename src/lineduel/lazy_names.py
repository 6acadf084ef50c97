"""What a package offers, imported from its files on first use: whoever asks waits for no more."""

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
    """Let a package, which says so while it is imported, offer the names of its files."""
    module = sys.modules[package]
    vars(module)["_files"] = files
    module.__class__ = kind
