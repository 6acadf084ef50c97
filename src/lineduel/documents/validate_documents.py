"""The JSON of `validate`."""

from collections.abc import Iterable

from lineduel.documents.document import Document
from lineduel.rules import Problem


class ProblemDocument(Document, frozen=True, kw_only=True):
    """One thing that is wrong with a rulebook file."""

    line: int
    """The line of the file, from 1; of the table around it where a key is missing."""
    key: str
    """The key that is wrong, as `move.steps`."""
    holds: str
    """What it holds."""
    allowed: str
    """What it may hold."""


class ValidateDocument(Document, frozen=True, kw_only=True):
    """Everything that is wrong with a rulebook file."""

    file: str
    valid: bool
    problems: list[ProblemDocument]
    """In the order of the lines; empty for a valid file."""


def validate_document(file: str, problems: Iterable[Problem]) -> ValidateDocument:
    """A rulebook file and its problems."""
    found = [ProblemDocument(**one._asdict()) for one in problems]
    return ValidateDocument(file=file, valid=not found, problems=found)
