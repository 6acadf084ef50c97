"""The shipped rulebooks, and how any rulebook is found."""

from typing import TYPE_CHECKING

from lineduel.rulebooks.catalogue import SHIPPED, CatalogueEntry, catalogue

if TYPE_CHECKING:
    from lineduel.rulebooks.find import (
        find_rulebook,
        read_rulebook,
        rulebook_file,
        shipped_rulebooks,
    )

__all__ = [
    "SHIPPED",
    "CatalogueEntry",
    "catalogue",
    "find_rulebook",
    "read_rulebook",
    "rulebook_file",
    "shipped_rulebooks",
]


def __getattr__(name: str) -> object:
    """The names that need the rules are imported on first use: the catalogue must start fast."""
    if name not in __all__:
        raise AttributeError(f"module 'lineduel.rulebooks' has no attribute '{name}'")
    from lineduel.rulebooks import find

    return getattr(find, name)
