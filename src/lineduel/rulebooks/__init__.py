"""The shipped rulebooks, and how any rulebook is found."""

from typing import TYPE_CHECKING

from lineduel.lazy_names import offer
from lineduel.rulebooks.catalogue import SHIPPED, CatalogueEntry, catalogue

if TYPE_CHECKING:
    from lineduel.rulebooks.find import (
        LARGEST_RULEBOOK,
        find_rulebook,
        read_rulebook,
        rulebook_file,
        shipped_rulebooks,
    )
    from lineduel.rulebooks.own import OwnRulebook, own_rulebooks, remember_rulebook

__all__ = [
    "LARGEST_RULEBOOK",
    "SHIPPED",
    "CatalogueEntry",
    "OwnRulebook",
    "catalogue",
    "find_rulebook",
    "own_rulebooks",
    "read_rulebook",
    "remember_rulebook",
    "rulebook_file",
    "shipped_rulebooks",
]

offer(
    __name__,
    {
        "find": (
            "LARGEST_RULEBOOK",
            "find_rulebook",
            "read_rulebook",
            "rulebook_file",
            "shipped_rulebooks",
        ),
        "own": ("OwnRulebook", "own_rulebooks", "remember_rulebook"),
    },
)
