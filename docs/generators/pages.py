"""All generated pages by their addresses on the site."""

from datetime import date
from pathlib import Path

from generators.command_pages import commands_page, surroundings_page
from generators.document_pages import documents_page
from generators.http_pages import http_page
from generators.known_pages import known_files
from generators.notebooks import notebook_pages
from generators.project_pages import project_pages
from generators.python_pages import python_pages
from generators.rulebook_pages import events_page, figures_page

DOCS = Path(__file__).parent.parent


def reference_pages() -> dict[str, str]:
    """The pages that are made in no time: everything but what has to be solved."""
    return {
        "reference/commands.md": commands_page(),
        "reference/surroundings.md": surroundings_page(),
        "reference/documents.md": documents_page(),
        "reference/http-api.md": http_page(),
        "reference/events.md": events_page(),
        "reference/figures.md": figures_page(),
        **python_pages(),
        **project_pages(),
        **notebook_pages(DOCS),
    }


def generated_files(today: date) -> dict[str, str]:
    """Every generated page, and the files that they link to."""
    return reference_pages() | known_files(today)
