"""The shipped rulebooks, and how any rulebook is found."""

from lineduel.lazy_names import TYPE_CHECKING, offer

if TYPE_CHECKING:
    from lineduel.rulebooks.catalogue import (
        SHIPPED as SHIPPED,
        START_HERE as START_HERE,
        CatalogueEntry as CatalogueEntry,
        catalogue as catalogue,
        own_rulebooks as own_rulebooks,
        remember_rulebook as remember_rulebook,
    )
    from lineduel.rulebooks.find import (
        LARGEST_RULEBOOK as LARGEST_RULEBOOK,
        find_rulebook as find_rulebook,
        read_rulebook as read_rulebook,
        read_rulebook_text as read_rulebook_text,
        rulebook_file as rulebook_file,
        shipped_rulebooks as shipped_rulebooks,
    )

offer(__name__)
