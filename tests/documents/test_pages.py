"""Every page the program writes: safe whatever a rulebook says, fit for a phone, light and dark."""

import re
import subprocess
from collections.abc import Callable, Mapping
from datetime import date
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from shutil import which
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser

import lineduel
from discover.test_discover import question
from lineduel.discover import DesignSearch, Proved, design_of, gallery_page
from lineduel.documents import audit_question
from lineduel.lab import (
    Audit,
    CandidateLimits,
    Repair,
    RepairSearch,
    Sweep,
    audit,
    audit_page,
    compare_page,
    make_space,
    repair_page,
    sweep_page,
)
from lineduel.lab.changes import Candidate, Change
from lineduel.page import PAGE_HEAD, template_file, write_page
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Rulebook, rulebook_data, rulebook_from_data
from support.browser_pages import opened_file

DAY = date(2026, 5, 4)
TEMPLATES = Path(lineduel.__file__).parent / "templates"
SCRIPTS = sorted(path.name for path in TEMPLATES.glob("*.js"))
PLAIN = "plain words"
HOSTILE = "</title></script><script>alert(1)</script><b title='x' id=\"y\">&amp; & <!--"
IN_BRACES = f"{HOSTILE} {{{{ 7 * 7 }}}} {{% raw %}}"
LONG = "Donaudampfschifffahrtsgesellschaft" * 3


def rulebook_that_says(text: str) -> Rulebook:
    """A game with a text wherever its author may write one, and where it stands as its id."""
    data = rulebook_data(find_rulebook("ctf-tokens"))
    said = re.sub(r"[{}]", "", text)  # words are templates, where braces are fields
    data |= {"title": text, "summary": text}
    data["words"] |= {"unit": said, "units": said, "moved": said, "won_goal": said}
    data["errata"] = [{"where": text, "says": text, "ruling": text}]
    data["claims"] = [one | {"says": text, "not_tested": text} for one in data["claims"]]
    return rulebook_from_data(data, text)


@cache
def audited(text: str) -> Audit:
    return audit(rulebook_that_says(text), everything=True)


def written_audit(text: str) -> str:
    return audit_page(audited(text), DAY)


def written_repairs(text: str) -> str:
    done = audited(text)
    rulings = {one.claim.property: one.ruling for one in done.findings}
    change = Change(text, {"move": {"steps": [1, 2]}})
    one = Repair(Candidate(done.rulebook, (change,)), done.figures, rulings, keeps=True)
    search = RepairSearch(done.rulebook, done.rulebook.claims, repairs=[one, one], tried=9, sizes=1)
    return repair_page(search, done, lambda rules: f"lineduel play {text}", DAY)


def written_sweep(text: str) -> str:
    done = audited(text)
    sweep = Sweep(make_space(done.rulebook, ["track.length=9..10"]), CandidateLimits())
    for number, length in enumerate(("9", "10")):
        row = {"number": number, "track.length": length, "status": text, "value": "+1"}
        sweep.rows[number] = row | {"drama": 0.25 * number, "positions": 100 + number}
    return sweep_page(sweep, DAY)


def written_comparison(text: str) -> str:
    return compare_page([audited(text)] * 2, DAY)


def written_gallery(text: str) -> str:
    done = audited(text)
    design = design_of(done.rulebook.rules)
    assert design is not None
    rulings = {one.claim.property: one.ruling for one in done.findings}
    elo = done.analysis.ladder.elo
    proved = Proved(1, design, done.figures, rulings, (), elo, done.rulebook, "", True)
    found = [proved] * 2
    commands = {text: f"lineduel play {text}"}
    return gallery_page(DesignSearch(question()), found, commands, "http://127.0.0.1:8000", DAY)


def written_refusal(text: str) -> str:
    return write_page("refusal.html", title=text, error=text)


PAGES: Mapping[str, Callable[[str], str]] = {
    "audit": written_audit,
    "repairs": written_repairs,
    "sweep": written_sweep,
    "compare": written_comparison,
    "gallery": written_gallery,
    "refusal": written_refusal,
}


class Markup(HTMLParser):
    """The elements of a page with the names of their attributes, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, tuple[str, ...]]] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, tuple(name for name, _ in attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_comment(self, data: str) -> None:
        self.elements.append(("comment", (data,)))


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("text", [HOSTILE, IN_BRACES], ids=["markup", "braces"])
def test_no_text_becomes_markup(name: str, text: str) -> None:
    """Whatever a rulebook says, a page has the same elements, and shows the text to the letter."""
    page = PAGES[name](text)
    assert page.startswith(PAGE_HEAD)
    assert Markup(page).elements == Markup(PAGES[name](PLAIN)).elements
    assert text in Markup(page).text


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_a_phone_and_shuts_nobody_out(
    name: str, browser: Browser, tmp_path: Path
) -> None:
    """At 390 pixels nothing sticks out, details opened too, and every text can be read."""
    path = tmp_path / f"{name}.html"
    path.write_text(PAGES[name](f"{LONG} {HOSTILE}"), encoding="utf-8")
    schemes: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")
    with opened_file(browser, path) as shown:
        shown.set_viewport_size({"width": 390, "height": 844})
        shown.eval_on_selector_all("details", "all => all.forEach(one => { one.open = true; })")
        for scheme in schemes:
            shown.emulate_media(color_scheme=scheme)
            assert shown.evaluate("document.documentElement.scrollWidth") <= 390
            ground = shown.evaluate("getComputedStyle(document.body).backgroundColor")
            red = int(re.findall(r"\d+", ground)[0])
            assert (red > 200) is (scheme == "light")
            found = Axe().run(shown).response["violations"]
            assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []


# Templates and scripts


def test_templates_trust_no_text() -> None:
    """Nothing is exempt from escaping but pictures, scripts and styles of our own."""
    for path in TEMPLATES.glob("*.html"):
        source = path.read_text(encoding="utf-8")
        assert not re.search(r"\|\s*safe|autoescape", source), path.name
        assert " style=" not in source, path.name


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_is_sound_and_writes_no_markup(name: str) -> None:
    source = template_file(name)
    assert source.startswith('"use strict";\n')
    assert "</" not in source
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "document.write", "var "):
        assert word not in source
    if node := which("node"):
        checked = subprocess.run(
            [node, "--check", TEMPLATES / name], capture_output=True, text=True
        )
        assert checked.returncode == 0, checked.stderr


def test_pages_contain_scripts_and_styles_to_the_letter() -> None:
    """A server can name them by their hashes."""
    assert f"<script>{template_file('replay.js')}</script>" in written_audit(PLAIN)
    assert f"<script>{template_file('gallery.js')}</script>" in written_gallery(PLAIN)
    for write in PAGES.values():
        assert f"<style>{template_file('style.css')}</style>" in write(PLAIN)


def test_another_look_is_another_audit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page of an audit is not taken from the cache once a template has changed."""
    rulebook = find_rulebook("ctf-tokens")
    before = audit_question([rulebook], False)
    read = Path.read_bytes

    def changed(path: Path) -> bytes:
        return read(path) + (b" " if path.name == "style.css" else b"")

    monkeypatch.setattr(Path, "read_bytes", changed)
    assert audit_question([rulebook], False) != before
