"""The gallery and the audits that the server lists: nothing is missing, and all of it is true.

`LINEDUEL_UPDATE_GOLDEN=1 pytest tests/web/test_gallery.py` adds what is new or has changed.
"""

import os
from functools import cache
from pathlib import Path

import msgspec
import pytest

from lineduel import lab
from lineduel.documents import DuelFigures, duel_figures
from lineduel.lab.claims import Verdict
from lineduel.rulebooks import SHIPPED, find_rulebook
from lineduel.rules import unpack_rulebook
from lineduel.web import gallery_api as shown
from lineduel.web.gallery_api import (
    AUDITS_FILE,
    GALLERY_FILE,
    KeptAudit,
    KeptDuel,
    shipped_audits,
    shipped_duels,
)
from support.web_server import Server

EXAMPLES = Path(__file__).parents[2] / "examples"
FOLDERS = {"discovered": True, "rulebooks": False}
FILES = {
    path: found
    for name, found in FOLDERS.items()
    for path in sorted((EXAMPLES / name).glob("*.toml"))
}
LARGE = {
    "close-quarters",
    "rear-guard",
    "three-abreast",
    "two-by-two",
    "wait-or-leap",
    "hare-and-hounds",
    "tortoise-and-hare",
}
"""Those whose figures take seconds."""
AUDITED = {**{one: one for one in SHIPPED}, **{path.stem: str(path) for path in FILES}}


@cache
def audited(id: str) -> KeptAudit:
    """What an audit finds, worked out now."""
    found = lab.audit(find_rulebook(AUDITED[id]))
    claims = found.rulebook.claims
    proved = [
        one
        for one in found.findings
        if one.claim in claims and one.ruling.verdict is Verdict.PROVED
    ]
    return KeptAudit(id, len(proved), len(claims), duel_figures(found.figures))


def numbers(figures: DuelFigures) -> list[float | None]:
    """The figures in a row; another machine computes them with other last digits."""
    return [*figures.value, figures.turns, figures.skill]


def update() -> None:
    """Write the gallery again; figures of rulebooks that have not changed stay."""
    known = {(one.id, one.toml): one.figures for one in shipped_duels()}
    made = []
    for path, found in FILES.items():
        toml = path.read_text(encoding="utf-8")
        figures = known.get((path.stem, toml)) or audited(path.stem).figures
        made.append(KeptDuel(path.stem, found, toml, figures))
    written = msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n"
    Path(shown.__file__).with_name(GALLERY_FILE).write_bytes(written)
    changed = [one for one in made if (one.id, one.toml) not in known]
    kept = {one.id: one for one in shipped_audits() if one.id not in {new.id for new in changed}}
    listed = [kept.get(one) or audited(one) for one in AUDITED]
    written = msgspec.json.format(msgspec.json.encode(listed), indent=1) + b"\n"
    Path(shown.__file__).with_name(AUDITS_FILE).write_bytes(written)


def test_every_example_is_in_the_gallery_as_it_is() -> None:
    if os.environ.get("LINEDUEL_UPDATE_GOLDEN"):
        update()
    kept = [(one.id, one.found, one.toml) for one in shipped_duels()]
    assert kept == [
        (path.stem, found, path.read_text(encoding="utf-8")) for path, found in FILES.items()
    ]


def test_every_game_and_every_duel_is_in_the_list_of_audits() -> None:
    assert [one.id for one in shipped_audits()] == list(AUDITED)


@pytest.mark.parametrize(
    "id",
    [pytest.param(one, marks=[pytest.mark.long] if one in LARGE else []) for one in AUDITED],
)
def test_its_figures_are_those_of_the_rules(id: str) -> None:
    """And so are the promises that it keeps."""
    kept, found = next(one for one in shipped_audits() if one.id == id), audited(id)
    assert numbers(kept.figures) == pytest.approx(numbers(found.figures), abs=1e-9)
    assert (kept.kept, kept.promised) == (found.kept, found.promised)


def test_the_server_has_every_duel_ready_to_play(server: Server) -> None:
    """Its text, which begins a game, is that of its link to the designer."""
    status, duels = server.ask("/api/gallery")
    assert status == 200
    assert [one["id"] for one in duels] == [path.stem for path in FILES]
    for one in duels:
        assert unpack_rulebook(one["packed"], 1 << 15) == one["toml"]
        assert one["sample"]
    status, made = server.ask("/api/live", {"toml": duels[0]["toml"], "opponent": "here"})
    assert status == 201
    assert made["id"]
