"""What is wrong with a rulebook file or an engine: the JSON of `validate` and `engine-check`."""

from collections.abc import Iterable

from lineduel import lab, testing
from lineduel.documents.document import Document
from lineduel.errors import RulebookError


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


class WarningDocument(Document, frozen=True, kw_only=True):
    """One thing that is valid and yet looks like a mistake."""

    line: int
    """The line in the file, counted from 1."""
    key: str
    """The key that it is about, such as `move.edge`."""
    kind: lab.WarningKind
    sentence: str


class ValidateDocument(Document, frozen=True, kw_only=True):
    """Everything that is wrong with a rulebook file."""

    file: str
    valid: bool
    problems: list[ProblemDocument]
    """The problems in the order of their lines; empty for a valid file."""
    warnings: list[WarningDocument]
    """The warnings in the order of their lines; empty if nobody looked for any."""
    positions: int | None
    """The number of positions that were looked at for warnings; null if nobody looked, because the
    file has problems or there are too many positions."""


def validate_document(
    file: str, problems: Iterable[RulebookError], found: "lab.FoundWarnings | None"
) -> ValidateDocument:
    """A rulebook file with its problems, and its warnings if somebody looked for any."""
    wrong = [ProblemDocument.of(one) for one in problems]
    return ValidateDocument(
        file=file,
        valid=not wrong,
        problems=wrong,
        warnings=[WarningDocument.of(one) for one in found.warnings] if found else [],
        positions=found.positions if found else None,
    )


class ValidatedFiles(Document, frozen=True, kw_only=True):
    """Several rulebook files, each with everything that is wrong with it."""

    valid: bool
    """Whether all of them are."""
    files: list[ValidateDocument]

    @classmethod
    def of_files(cls, files: list[ValidateDocument]) -> "ValidatedFiles":
        """The files in the order in which they were named."""
        return cls(valid=all(one.valid for one in files), files=files)


class EngineFinding(Document, frozen=True, kw_only=True):
    """One check of an engine against the protocol."""

    check: str
    """What the engine should do."""
    passed: bool
    why: str | None
    """What it did wrong; null if the check passed."""


class EngineCheckDocument(Document, frozen=True, kw_only=True):
    """Whether an engine follows the protocol."""

    command: str
    """The command that starts the engine."""
    passed: bool
    """Whether all checks passed."""
    checks: list[EngineFinding]
    """In the order in which they were made; only the first if the engine cannot name itself."""


def engine_check_document(
    command: str, findings: "Iterable[testing.Finding]"
) -> EngineCheckDocument:
    """The results of the checks of an engine."""
    checks = [EngineFinding(check=one.what, passed=one.right, why=one.wrong) for one in findings]
    return EngineCheckDocument(
        command=command, passed=all(one.passed for one in checks), checks=checks
    )
