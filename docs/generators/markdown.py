"""Tables, links and names in Markdown."""

import re
from collections.abc import Iterable, Sequence


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table with a line for each row."""
    lines = [heads, ["---"] * len(heads), *([cell_text(one) for one in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def cell_text(text: str) -> str:
    """Text that stays in its cell."""
    return " ".join(text.split()).replace("|", "\\|")


def code(text: str) -> str:
    """Text in the type of code, empty if there is none."""
    return f"`{text}`" if text else ""


def sentence(text: str) -> str:
    """Text that begins with a capital letter and ends with a full stop."""
    text = " ".join(text.split())
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?')) else '.'}"


def anchor(heading: str) -> str:
    """The name under which a heading is linked."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
