"""The JSON of `engine-check`."""

from collections.abc import Iterable

from lineduel.documents.document import Document
from lineduel.testing import Finding


class EngineFinding(Document, frozen=True, kw_only=True):
    """One thing that the protocol asks of an engine."""

    check: str
    """What the engine should do."""
    passed: bool
    why: str | None
    """What it did wrong; null where the check passed."""


class EngineCheckDocument(Document, frozen=True, kw_only=True):
    """Whether an engine keeps to the protocol."""

    command: str
    """How the engine was started."""
    passed: bool
    """Whether all checks passed."""
    checks: list[EngineFinding]
    """In the order in which they were made; only the first where the engine cannot name itself."""


def engine_check_document(command: str, findings: Iterable[Finding]) -> EngineCheckDocument:
    """What an engine does right and wrong."""
    checks = [EngineFinding(check=one.what, passed=one.right, why=one.wrong) for one in findings]
    return EngineCheckDocument(
        command=command, passed=all(one.passed for one in checks), checks=checks
    )
