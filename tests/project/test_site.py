"""The documentation site: nothing is missing, nothing leads nowhere, and what it shows is true."""

import doctest
import inspect
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, get_args

import pytest
import yaml
from playwright.sync_api import Browser, Page

import lineduel
from explanation_pictures import pictures
from generators.boards import duel, with_boards
from generators.known_pages import examples, files_of, known_addresses, known_game
from generators.markdown import anchor
from generators.notebooks import run_notebook
from generators.pages import reference_pages
from generators.python_pages import PACKAGES
from lineduel.cli.command_tree import command_tree
from lineduel.documents.schemas import DOCUMENTS, SERVED, schema_text
from lineduel.engine import events
from lineduel.lab import DEFINITIONS
from lineduel.rulebooks import CatalogueEntry, find_rulebook
from lineduel.rules import rule_sentences
from lineduel.solve import check_proof
from tui.test_examples import GAMES

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
WRITTEN = {
    str(path.relative_to(DOCS)): path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md")
}
NOT_OFFERED = {"__main__", "cli", "compiled", "graph", "jobs", "lazy_names", "preferences"}
NOT_OFFERED |= {"page", "safe_toml", "storage", "svg", "tablebase", "tui", "web"}
"""Modules that are not meant for other programs."""


@cache
def generated() -> dict[str, str]:
    return reference_pages()


def nav_entries(nav: Any) -> Iterator[str]:
    match nav:
        case str(page):
            yield page
        case list(entries):
            for entry in entries:
                yield from nav_entries(entry)
        case dict(sections):
            for section in sections.values():
                yield from nav_entries(section)


def headings(text: str) -> set[str]:
    plain = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    return {anchor(one.replace("`", "")) for one in re.findall(r"^#+ (.*)", plain, re.MULTILINE)}


def test_the_navigation_names_every_page_once() -> None:
    config = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    named = list(nav_entries(config["nav"]))
    assert sorted(named) == sorted({*WRITTEN, *generated(), *known_addresses()})


def test_links_of_the_site_stay_on_it_and_lead_to_a_heading() -> None:
    """Those of generated pages, too."""
    pages = WRITTEN | generated()
    wrong = []
    for page, text in pages.items():
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            file, _, heading = target.partition("#")
            if "://" in target:
                continue
            there = (DOCS / page).parent / file if file else DOCS / page
            name = str(there.resolve().relative_to(ROOT)).removeprefix("docs/")
            known = name in pages or name in known_addresses() or (DOCS / name).is_file()
            is_page = name in pages  # after a picture's # are the colours that it is for
            if not known or (heading and is_page and heading not in headings(pages[name])):
                wrong.append((page, target))
    assert wrong == []


def test_every_command_and_option_is_on_its_page() -> None:
    page = generated()["reference/commands.md"]
    for command in command_tree():
        assert command.name == "" or f"\n## lineduel {command.name}\n" in page
        for one in (*command.options, *command.arguments):
            typed = f"{', '.join(one.names)} {one.value}".strip()
            assert f"| `{typed}` |".replace("\\|", "|") in page.replace("\\|", "|")
            assert " ".join(one.help.split()).replace("|", "\\|") in page


def test_every_key_of_every_document_is_on_its_page() -> None:
    page = generated()["reference/documents.md"]
    for name in (*DOCUMENTS, *SERVED):
        assert f"\n## {name}\n" in page
        for defined in json.loads(schema_text(name)).get("$defs", {}).values():
            keys = defined.get("properties", ())
            assert [key for key in keys if f"| `{key}` |" not in page] == []


def test_every_request_figure_and_event_is_on_its_page() -> None:
    pages = generated()
    for path in ("GET /api/games", "POST /api/live", "POST /api/solve", "GET /api/ladder/{game}"):
        assert f"\n## {path}\n" in pages["reference/http-api.md"]
    for figure in DEFINITIONS.values():
        assert figure.title in pages["reference/figures.md"]
        assert figure.source in pages["reference/figures.md"]
    for event in get_args(events.Event):
        assert f"| `{event.__name__}` |" in pages["reference/events.md"]
        assert (inspect.getdoc(event) or "?") in pages["reference/events.md"]


def test_every_package_that_others_import_has_a_page() -> None:
    modules = {one.name for one in iter_modules(lineduel.__path__)} - NOT_OFFERED
    assert {*PACKAGES} == {"lineduel", *(f"lineduel.{name}" for name in modules)}
    for name in PACKAGES:
        assert import_module(name).__doc__


def test_every_variable_of_the_environment_and_exit_status_is_listed() -> None:
    """Whatever of lineduel's own the sources ask for, and the statuses of the help."""
    page = generated()["reference/surroundings.md"]
    sources = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "src" / "lineduel").rglob("*.py")
    )
    for name in set(re.findall(r'environ\.get\("(LINEDUEL_\w+)"\)', sources)):
        assert f"| `{name}` |" in page
    for status in (0, 1, 2, 129, 130, 143):
        assert f"| {status} |" in page


def test_sessions_on_generated_pages_give_what_they_show() -> None:
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    for page, text in generated().items():
        if "python/" not in page and "contributing" not in page:
            runner.run(parser.get_doctest(text, {}, page, None, 0))
    assert runner.summarize().attempted > 0
    assert runner.summarize().failed == 0


def test_pictures_of_explanations_are_up_to_date() -> None:
    """`python docs/explanation_pictures.py` makes them anew."""
    for name, picture in pictures().items():
        assert (DOCS / "pictures" / name).read_text(encoding="utf-8") == picture, name


def test_the_duel_of_the_first_page_has_every_position_and_what_each_move_is_worth() -> None:
    """One of the three first moves wins, and best play from there wins."""
    positions = duel()["positions"]
    worth = {move["said"]: move["worth"] for move in positions[0]["moves"]}
    assert worth == {"P1 -5→-4": "loses in 6", "P1 -5→-3": "wins in 5", "P1 -5→-2": "loses in 4"}
    assert len(positions) == 138
    now, turns = positions[0], 0
    while now["won"] is None:
        assert sum(move["best"] for move in now["moves"]) == 1
        now = positions[next(move["then"] for move in now["moves"] if move["best"])]
        turns += 1
    assert (now["won"], turns) == (1, 5)


def test_a_page_shows_the_boards_that_it_asks_for() -> None:
    shown = with_boards((DOCS / "index.md").read_text(encoding="utf-8"))
    assert "<!-- board" not in shown
    assert shown.count('class="board"') == 6
    assert shown.count('<div class="cell') == 5 * 11 + 5


@pytest.mark.parametrize(
    "entry",
    [one for one in examples() if Path(one.address).stem in GAMES],
    ids=lambda one: Path(one.address).stem,
)
def test_an_example_has_a_page_with_rules_verdicts_and_proof(
    entry: CatalogueEntry, tmp_path: Path
) -> None:
    """What the page offers is there, and its certificate is right."""
    name, known = Path(entry.address).stem, known_game(entry)
    files = files_of(entry, known, date(2026, 1, 1))
    page = files[f"known/{name}.md"]
    assert f"\nlineduel play {entry.address} " in page
    rulebook = find_rulebook(str(ROOT / entry.address))
    assert all(sentence in page for sentence in rule_sentences(rulebook.rules))
    assert [f"“{claim.says}”" in page for claim in rulebook.claims] == [True] * len(rulebook.claims)
    assert "refuted" not in page
    linked = re.findall(r"\]\(((?:pictures|certificates|audits)/[^)]+)\)", page)
    assert len(linked) == 4
    assert all(f"known/{one}" in files for one in linked)
    (tmp_path / "proof.txt").write_text(files[f"known/certificates/{name}.txt"], encoding="utf-8")
    check_proof(tmp_path / "proof.txt", lambda _: None)


@pytest.mark.parametrize("path", sorted(DOCS.glob("notebooks/*.ipynb")), ids=lambda one: one.stem)
def test_a_notebook_gives_what_it_shows(path: Path) -> None:
    """`python -m generators.notebooks` in the folder `docs` runs them anew."""
    kept = json.loads(path.read_text(encoding="utf-8"))
    assert run_notebook(kept) == kept


@pytest.mark.long
def test_the_site_is_built_and_works_without_a_network(tmp_path: Path, browser: Browser) -> None:
    """Strictly built, then opened from its folder in a browser: every page, and the search."""
    pytest.importorskip("mkdocs", reason="the extra docs is not installed")
    site = tmp_path / "site"
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    page = browser.new_page()
    wrong: list[str] = []
    page.on("console", lambda said: wrong.append(f"{page.url}: {said.text}"))
    page.on("pageerror", lambda error: wrong.append(f"{page.url}: {error}"))
    page.on("request", lambda asked: wrong.append(asked.url) if is_foreign(asked.url) else None)
    for path in sorted(site.rglob("*.html")):
        if path.name != "404.html":  # it is for servers, and has addresses from their root
            page.goto(path.as_uri())
            assert missing_pictures(page) == [], path
    page.goto((site / "index.html").as_uri())
    page.click("#duel .cell:nth-child(3) button")
    page.wait_for_selector("#duel .said:has-text('Your move.')")
    page.fill("input.md-search__input", "certificate")
    page.wait_for_selector(".md-search-result__item")
    assert wrong == []
    for scheme in ("light", "dark"):
        phone = browser.new_page(viewport={"width": 390, "height": 844}, color_scheme=scheme)
        for name in ("index", "known/cross-over", "reference/commands", "rulebooks"):
            phone.goto((site / f"{name}.html").as_uri())
            assert phone.evaluate("document.documentElement.scrollWidth") <= 390, name


def is_foreign(address: str) -> bool:
    """Whether an address leads out of the folder."""
    return not address.startswith(("file:", "data:", "blob:"))


def missing_pictures(page: Page) -> list[str]:
    shown: list[str] = page.evaluate(
        "[...document.images].filter(one => !one.naturalWidth).map(one => one.src)"
    )
    return shown
