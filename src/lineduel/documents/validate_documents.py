"""The JSON of `validate`."""

from collections.abc import Iterable

from lineduel.documents.document import Document
from lineduel.rules import Problem


class ProblemDocument(Document, frozen=True, kw_only=True):
    """One thing that is wrong with a rulebook file."""

    line: int
    """The line in the file, counted from 1; for a missing key, the line of its table."""
    key: str
    """The key that is wrong, such as `move.steps`."""
    holds: str
    """Its value."""
    allowed: str
    """The allowed values."""


class ValidateDocument(Document, frozen=True, kw_only=True):
    """Everything that is wrong with a rulebook file."""

    file: str
    valid: bool
    problems: list[ProblemDocument]
    """The problems in the order of their lines; empty for a valid file."""


def validate_document(file: str, problems: Iterable[Problem]) -> ValidateDocument:
    """A rulebook file and its problems."""
    found = [ProblemDocument(**one._asdict()) for one in problems]
    return ValidateDocument(file=file, valid=not found, problems=found)
