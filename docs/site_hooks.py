"""What MkDocs calls while it builds the site: adds what is made from the code."""

import sys
from datetime import UTC, datetime
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

sys.path.insert(0, str(Path(__file__).parent))

from generators.boards import duel_script, with_boards
from generators.pages import generated_files

SEARCH_RANKS = {
    "known/": 5,
    "saved-games": 8,
    "tutorials/teach-mixed-strategies": 1,
    "tutorials/": 2,
    "playing": 4,
    "rulebooks": 4,
    "teaching": 2,
    "how-to/": 1.5,
    "reference/": 0.3,
    "changelog": 0.2,
}
"""How much a page counts in the search, by the beginning of its address: people's pages first."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The files of the site, with those that are generated."""
    made = generated_files(datetime.now(UTC).date()) | {"assets/duel_positions.js": duel_script()}
    for address, content in made.items():
        files.append(File.generated(config, address, content=content))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """A page with the boards that it asks for, and its rank in the search."""
    address = page.file.src_uri
    boost = next((rank for start, rank in SEARCH_RANKS.items() if address.startswith(start)), 1)
    page.meta.setdefault("search", {}).setdefault("boost", boost)
    return with_boards(markdown)
