"""What the file of a search for repairs holds: what was asked, then a line a tried rulebook."""

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

import msgspec

from lineduel import __version__
from lineduel.errors import LedgerError, LedgerVersion, shown
from lineduel.jobs import Header, Ledger
from lineduel.rules import Property, Rulebook, rulebook_data
from lineduel.storage import cache_folder, safe_name

REPAIR = "repair"
_LONGEST = 1000
Name = tuple[Annotated[str, msgspec.Meta(max_length=_LONGEST)], ...]
"""The changes that make a candidate."""


class WeighedRow(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A candidate that was measured quickly."""

    tried: Name
    possible: list[Property]
    merit: tuple[float, ...]
    too_large: bool


class AuditedRow(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A candidate that was audited."""

    audited: Name
    proved: list[Property]
    worth: bool
    """Whether it mends the rulebook, wholly or in part."""

    @property
    def proved_set(self) -> frozenset[Property]:
        return frozenset(self.proved)


def repair_header(
    rulebook: Rulebook, also: Sequence[Property], most: int, prefer_fair: bool
) -> Header:
    """What a search depends on."""
    return {
        "lineduel": REPAIR,
        "version": __version__,
        "game": rulebook.id,
        "rulebook": rulebook_data(rulebook),
        "also": [str(one) for one in also],
        "most": most,
        "prefer_fair": prefer_fair,
    }


def usual_repair_file(header: Header) -> Path:
    """Where a search is kept while it is under way, unless a file is named."""
    seal = sha256(json.dumps(header, sort_keys=True).encode()).hexdigest()[:16]
    return cache_folder() / "repairs" / f"{safe_name(str(header['game']))}-{seal}.jsonl"


class RepairFile:
    """The results of a search that survive whatever stops it."""

    def __init__(self, ledger: Ledger) -> None:
        self.weighed: dict[Name, WeighedRow] = {}
        self.audited: dict[Name, AuditedRow] = {}
        self._ledger = ledger
        for line, found in ledger.objects():
            try:
                self._take(_row(found))
            except msgspec.ValidationError as error:
                raise ledger.refusal(line, shown(error, 200)) from None

    @classmethod
    def begin(cls, path: Path, header: Header) -> "RepairFile":
        """A new file, never in place of another."""
        return cls(Ledger.begin(path, header))

    @classmethod
    def begin_again(cls, path: Path, header: Header) -> "RepairFile":
        """A new file in place of that of a stopped search; one in use is left to its writer."""
        return cls(Ledger.begin_again(path, header))

    @classmethod
    def go_on(cls, path: Path, header: Header) -> "RepairFile":
        """The file of a search that was stopped; another search is refused."""
        ledger = Ledger.go_on(path, REPAIR)
        try:
            if ledger.header.get("version") != header["version"]:
                raise LedgerVersion(
                    f"{shown(path, 200)} was written by another version of lineduel, whose figures "
                    "may differ."
                )
            if dict(ledger.header) != json.loads(json.dumps(dict(header))):
                raise LedgerError(
                    f"{shown(path, 200)} belongs to another search.\n"
                    "Give the same game and options as before, or another file."
                )
            return cls(ledger)
        except BaseException:
            ledger.close()
            raise

    @property
    def path(self) -> Path:
        return self._ledger.path

    def keep(self, rows: Sequence[WeighedRow | AuditedRow]) -> None:
        """Write results down; on return they are on the disk."""
        for row in rows:
            self._take(row)
        self._ledger.append(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))

    def close(self) -> None:
        self._ledger.close()

    def remove(self) -> None:
        """Close the file, and delete it."""
        self._ledger.remove()

    def _take(self, row: WeighedRow | AuditedRow) -> None:
        if isinstance(row, WeighedRow):
            self.weighed[row.tried] = row
        else:
            self.audited[row.audited] = row


def _row(found: dict[str, Any]) -> WeighedRow | AuditedRow:
    if "tried" in found:
        return msgspec.convert(found, WeighedRow)
    return msgspec.convert(found, AuditedRow)
