"""The pictures in the documents are what the program shows."""

import json
import re
import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
README = DOCS.parent / "README.md"


def test_the_captures_are_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Made again they are the same; `python docs/captures.py` makes them again."""
    for name in ("LINEDUEL_DATA", "LINEDUEL_CACHE"):
        monkeypatch.setenv(name, str(tmp_path))  # to be put back when the script has changed them
    monkeypatch.syspath_prepend(DOCS)
    runpy.run_path(str(DOCS / "captures.py"))["main"](tmp_path / "captures")
    made = {path.name: path.read_text("utf-8") for path in (tmp_path / "captures").iterdir()}
    kept = {path.name: path.read_text("utf-8") for path in (DOCS / "captures").iterdir()}
    assert sorted(made) == sorted(kept)
    assert [name for name in made if made[name] != kept[name]] == []


def test_the_chart_of_the_gpu_shows_the_figures_that_are_kept() -> None:
    made = runpy.run_path(str(DOCS / "gpu_chart.py"))
    figures = json.loads((DOCS / "gpu_figures.json").read_text("utf-8"))
    assert made["picture"](figures) == (DOCS / "gpu.svg").read_text("utf-8")


def test_the_documents_show_every_capture_and_none_needs_a_network() -> None:
    shown = "".join(page.read_text("utf-8") for page in (README, *DOCS.glob("*.md")))
    for path in (DOCS / "captures").iterdir():
        assert re.search(rf"captures/{re.escape(path.name)}[)#\"]", shown), path.name
        addresses = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "http" not in addresses
        assert "@font-face" not in addresses


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_the_film_is_small_and_runs_by_itself(theme: str) -> None:
    """One file that a page can show as a picture: no script, and a still for those who want one."""
    film = (DOCS / "captures" / f"game-{theme}.svg").read_text("utf-8")
    assert len(film) < 300_000
    assert "<script" not in film
    assert "prefers-reduced-motion" in film
    (seconds,) = re.findall(r"animation:([\d.]+)s step-end infinite", film)
    assert 10 <= float(seconds) <= 20


@pytest.mark.parametrize(
    ("text", "inner", "fitted"),
    [("-11", 3, "-11"), ("+7", 3, "+7"), ("+7", 4, " +7 "), ("-117", 3, "-1…"), ("1", 3, " 1 ")],
)
def test_a_value_is_never_cut_to_another(text: str, inner: int, fitted: str) -> None:
    """A loss in 11 on a narrow cell does not look like a loss in 1."""
    from lineduel.tui.track import _fitted

    assert _fitted(text, inner) == fitted
