"""The gallery that the server shows: every example is in it, and its figures are true.

`LINEDUEL_UPDATE_GOLDEN=1 pytest tests/web/test_gallery.py` adds what is new or has changed.
"""

import os
from functools import cache
from pathlib import Path

import msgspec
import pytest

from lineduel import lab
from lineduel.documents import DuelFigures, duel_figures
from lineduel.rulebooks import find_rulebook
from lineduel.rules import unpack_rulebook
from lineduel.web import gallery_api as shown
from lineduel.web.gallery_api import GALLERY_FILE, KeptDuel, shipped_duels
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


@cache
def measured(path: Path) -> DuelFigures:
    return duel_figures(lab.Analysis(find_rulebook(str(path))).figures)


def numbers(figures: DuelFigures) -> list[float | None]:
    """The figures in a row; another machine computes them with other last digits."""
    return [*figures.value, figures.turns, figures.skill]


def update() -> None:
    """Write the gallery again; figures of rulebooks that have not changed stay."""
    known = {(one.id, one.toml): one.figures for one in shipped_duels()}
    made = []
    for path, found in FILES.items():
        toml = path.read_text(encoding="utf-8")
        figures = known.get((path.stem, toml)) or measured(path)
        made.append(KeptDuel(path.stem, found, toml, figures))
    written = msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n"
    Path(shown.__file__).with_name(GALLERY_FILE).write_bytes(written)


def test_every_example_is_in_the_gallery_as_it_is() -> None:
    if os.environ.get("LINEDUEL_UPDATE_GOLDEN"):
        update()
    kept = [(one.id, one.found, one.toml) for one in shipped_duels()]
    assert kept == [
        (path.stem, found, path.read_text(encoding="utf-8")) for path, found in FILES.items()
    ]


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(one, id=one.stem, marks=[pytest.mark.long] if one.stem in LARGE else [])
        for one in FILES
    ],
)
def test_its_figures_are_those_of_the_rules(path: Path) -> None:
    kept = next(one for one in shipped_duels() if one.id == path.stem)
    assert numbers(kept.figures) == pytest.approx(numbers(measured(path)), abs=1e-9)


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
