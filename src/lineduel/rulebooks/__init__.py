"""The shipped rulebooks, and how any rulebook is found."""

from typing import TYPE_CHECKING

from lineduel.lazy_names import offer
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

offer(
    __name__,
    {
        "find": ("find_rulebook", "read_rulebook", "rulebook_file", "shipped_rulebooks"),
    },
)
