"""The JSON of `engine-check`."""

from collections.abc import Iterable

from lineduel.documents.document import Document
from lineduel.testing import Finding


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


def engine_check_document(command: str, findings: Iterable[Finding]) -> EngineCheckDocument:
    """The results of the checks of an engine."""
    checks = [EngineFinding(check=one.what, passed=one.right, why=one.wrong) for one in findings]
    return EngineCheckDocument(
        command=command, passed=all(one.passed for one in checks), checks=checks
    )
