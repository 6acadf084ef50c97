"""What the first page says of each game that comes with the program is true.

`LINEDUEL_UPDATE_GOLDEN=1 pytest tests/web/test_shipped_figures.py` measures them again.
"""

import os
from functools import cache
from pathlib import Path

import msgspec
import pytest

from lineduel import lab
from lineduel.documents import DuelFigures, duel_figures
from lineduel.rulebooks import SHIPPED, find_rulebook
from lineduel.web import api
from lineduel.web.api import FIGURES_FILE, shipped_figures

LARGE = {"cross-over"}
"""Those whose figures take longer than a few seconds."""


@cache
def measured(game: str) -> DuelFigures:
    return duel_figures(lab.Analysis(find_rulebook(game)).figures)


def test_every_shipped_game_has_its_figures() -> None:
    if os.environ.get("LINEDUEL_UPDATE_GOLDEN"):
        made = {game: measured(game) for game in SHIPPED}
        written = msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n"
        Path(api.__file__).with_name(FIGURES_FILE).write_bytes(written)
        shipped_figures.cache_clear()
    assert list(shipped_figures()) == list(SHIPPED)


@pytest.mark.parametrize(
    "game",
    [pytest.param(one, marks=[pytest.mark.long] if one in LARGE else []) for one in SHIPPED],
)
def test_its_figures_are_those_of_the_rules(game: str) -> None:
    """Another machine computes them with other last digits."""
    kept, found = shipped_figures()[game], measured(game)
    assert kept.value == pytest.approx(found.value, abs=1e-9)
    assert kept.skill == pytest.approx(found.skill, abs=1e-9)
    assert kept.turns == (None if found.turns is None else pytest.approx(found.turns, abs=1e-9))
