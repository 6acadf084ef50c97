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


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The files of the site, with those that are generated."""
    made = generated_files(datetime.now(UTC).date()) | {"assets/duel_positions.js": duel_script()}
    for address, content in made.items():
        files.append(File.generated(config, address, content=content))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """A page with the boards that it asks for."""
    return with_boards(markdown)
