"""What the file of a search for repairs holds: what was asked, then a line a tried rulebook.

And what the file of a repair holds.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

import msgspec

from lineduel import __version__
from lineduel.errors import LedgerError, LedgerVersion, shown
from lineduel.jobs import Header, Ledger
from lineduel.rules import Property, Rulebook, rulebook_data, write_rulebook
from lineduel.storage import cache_folder, safe_name

REPAIR = "repair"
_LONGEST = 1000
MENDED_HEAD = "# Mended by lineduel repair."
"""The first line of a repaired rulebook's file."""
_MENDED = " (mended)"
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


def repair_rows(ledger: Ledger, header: Header) -> Iterator[WeighedRow | AuditedRow]:
    """What the file of a stopped search holds; that of another search is refused."""
    path = shown(ledger.path, 200)
    if ledger.header.get("version") != header["version"]:
        raise LedgerVersion(
            f"{path} was written by another version of lineduel, whose figures may differ."
        )
    if dict(ledger.header) != json.loads(json.dumps(dict(header))):
        raise LedgerError(
            f"{path} belongs to another search.\n"
            "Give the same game and options as before, or another file."
        )
    for line, found in ledger.objects():
        try:
            yield _row(found)
        except msgspec.ValidationError as error:
            raise ledger.refusal(line, shown(error, 200)) from None


def _row(found: dict[str, Any]) -> WeighedRow | AuditedRow:
    if "tried" in found:
        return msgspec.convert(found, WeighedRow)
    return msgspec.convert(found, AuditedRow)


def mended_text(rulebook: Rulebook) -> str:
    """A repaired rulebook as a file, without errata and without variants that no longer fit."""
    title = f"{rulebook.title.removesuffix(_MENDED)}{_MENDED}"
    mended = replace(rulebook, title=title, variants=(), errata=())
    return write_rulebook(mended, (MENDED_HEAD, ""))
