"""Pages that stand at the top of the repository, with links as the site needs them."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
AT_THE_TOP = {
    "contributing.md": "CONTRIBUTING.md",
    "changelog.md": "CHANGELOG.md",
    "security.md": "SECURITY.md",
}
"""The name of each page on the site, and of its file in the repository."""
_NOT_SEARCHED = "---\nsearch: {exclude: true}\n---\n\n"
"""A search finds what holds now, and not when it came to be."""


def project_pages() -> dict[str, str]:
    """Each page with its text."""
    pages = {page: _on_the_site(ROOT / file) for page, file in AT_THE_TOP.items()}
    return pages | {"changelog.md": _NOT_SEARCHED + pages["changelog.md"]}


def _on_the_site(path: Path) -> str:
    """The text of a file, its links relative to the folder `docs`."""
    return re.sub(r"\]\(docs/", "](", path.read_text(encoding="utf-8"))
