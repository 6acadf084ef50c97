"""What MkDocs calls while it builds the site: adds the pages that are made from the code."""

import sys
from datetime import UTC, datetime
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

sys.path.insert(0, str(Path(__file__).parent))

from generators.pages import generated_files


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The files of the site, with those that are generated."""
    for address, content in generated_files(datetime.now(UTC).date()).items():
        files.append(File.generated(config, address, content=content))
    return files
