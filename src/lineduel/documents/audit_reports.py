"""Audit reports, cached on disk so that an identical audit is answered at once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from lineduel import __version__, lab
from lineduel.documents.document import Document
from lineduel.documents.lab_documents import AuditDocument, audit_document
from lineduel.errors import StorageError
from lineduel.rules import Rulebook, rulebook_data
from lineduel.solve import Cache
from lineduel.storage import cache_folder, read_bytes, write_atomically

_SEAL = b"sha256 "
_SUFFIX = ".json"


class AuditQuestion(Document, frozen=True, kw_only=True):
    """Everything that an audit depends on."""

    version: str
    """The version of the program, with a hash of its sources."""
    rulebooks: list[tuple[str, dict[str, Any]]]
    """The rulebooks with their ids; several are compared."""
    everything: bool
    """Whether to test properties that the author does not claim as well."""


class AuditReport(Document, frozen=True, kw_only=True):
    """The results of an audit: the documents, the text, and a page if one was asked for."""

    audits: list[AuditDocument]
    text: list[str]
    page: str | None

    @property
    def is_refuted(self) -> bool:
        """Whether any claim is refuted."""
        return any(one.is_refuted for one in self.audits)


class _Kept(Document, frozen=True, kw_only=True):
    question: AuditQuestion
    report: AuditReport


def audit_question(rulebooks: Sequence[Rulebook], everything: bool) -> AuditQuestion:
    """The question that an audit of these rulebooks answers."""
    return AuditQuestion(
        version=f"{__version__} {_sources_hash()}",
        rulebooks=[(one.id, rulebook_data(one)) for one in rulebooks],
        everything=everything,
    )


def audit_report(audits: Sequence["lab.Audit"], page_of: date | None = None) -> AuditReport:
    """The report of one audit, or of several side by side; with a page if it gets a date."""
    return AuditReport(
        audits=[audit_document(one) for one in audits],
        text=list(lab.audit_lines(audits[0]) if len(audits) == 1 else lab.compared(list(audits))),
        page=None if page_of is None else lab.audit_page(audits[0], page_of),
    )


@dataclass(frozen=True, slots=True)
class AuditCache:
    """A folder of reports; files that are damaged, unknown or not writable are ignored."""

    folder: Path | None = None
    """None means the user's cache folder."""

    def load(self, question: AuditQuestion) -> AuditReport | None:
        """The stored report for a question, if there is a complete one."""
        try:
            body, seal, digest = read_bytes(self._path(question)).rpartition(_SEAL)
            if not seal or digest != f"{sha256(body).hexdigest()}\n".encode():
                return None
            kept = msgspec.json.decode(body, type=_Kept)
        except (StorageError, OSError, msgspec.MsgspecError, UnicodeDecodeError):
            return None
        return kept.report if kept.question == question else None

    def store(self, question: AuditQuestion, report: AuditReport) -> None:
        """Store a report if it can be written, replacing any other."""
        body = msgspec.json.encode(_Kept(question=question, report=report)) + b"\n"
        sealed = (body, _SEAL, f"{sha256(body).hexdigest()}\n".encode())
        try:
            write_atomically(self._path(question), sealed)
        except (StorageError, OSError):
            return

    def _path(self, question: AuditQuestion) -> Path:
        name = sha256(msgspec.json.encode(question)).hexdigest()
        return (self.folder or cache_folder() / "audits") / f"{name}{_SUFFIX}"


def report_on(
    rulebooks: Sequence[Rulebook],
    everything: bool,
    *,
    page_of: date | None,
    reports: AuditCache | None,
    solutions: Cache | None,
    begin: Callable[[Rulebook], None],
    report: Callable[[float], None],
) -> AuditReport:
    """The stored report of an identical audit, or that of a new one, which is stored.

    `begin` is called with each rulebook before its audit, `report` with the share that is done.
    """
    question = audit_question(rulebooks, everything)
    known = reports.load(question) if reports else None
    if known and (known.page or page_of is None):
        return known
    audits = []
    for rulebook in rulebooks:
        begin(rulebook)
        audits.append(lab.audit(rulebook, everything, report, solutions))
    made = audit_report(audits, page_of)
    if reports:
        reports.store(question, made)
    return made


def _sources_hash() -> str:
    """A hash of sources and templates, since any change may change the result of an audit."""
    folder = Path(__file__).parent.parent
    seal = sha256()
    for path in sorted((*folder.rglob("*.py"), *folder.glob("templates/*"))):
        seal.update(path.relative_to(folder).as_posix().encode())
        seal.update(path.read_bytes())
    return seal.hexdigest()[:16]
