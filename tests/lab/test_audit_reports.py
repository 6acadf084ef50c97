"""The same audit again comes from the cache at once, and only the same."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lineduel.cli.main import main
from lineduel.documents import AuditCache, AuditReport, audit_question, audit_report, audit_reports
from lineduel.lab.analysis import Analysis
from lineduel.lab.audit import audit
from lineduel.rulebooks import SHIPPED, find_rulebook
from lineduel.rules import Rulebook, apply_changes
from support.program import Program

GAME = "ctf-tokens"
IMPORTS = """\
import sys
from lineduel.cli.main import main
main(sys.argv[1:])
print("lineduel.lab.analysis" in sys.modules, file=sys.stderr)
"""
Watched = Callable[..., tuple[str, str]]


@pytest.fixture
def watched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Watched:
    """Runs an audit: what it prints, and whether it was worked out or looked up."""
    analysed: list[Rulebook] = []
    initialize = Analysis.__init__

    def analyse(self: Analysis, rulebook: Rulebook, **others: Any) -> None:
        analysed.append(rulebook)
        initialize(self, rulebook, **others)

    def run(*arguments: str) -> tuple[str, str]:
        analysed.clear()
        assert main(["audit", *arguments]) in (0, 1)
        return capsys.readouterr().out, "worked out" if analysed else "looked up"

    monkeypatch.setattr(Analysis, "__init__", analyse)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LINEDUEL_CACHE", str(tmp_path / "cache"))
    return run


@pytest.fixture(scope="module")
def report() -> AuditReport:
    return audit_report([audit(find_rulebook(GAME))])


@pytest.mark.parametrize(
    "arguments",
    [
        ("ctf-tokens",),
        ("blockade-duel", "--json"),
        ("flag-chase", "--set", "battle.wins=undercut", "--all", "--json"),
        ("flag-chase", "--variants"),
        ("flag-chase", "--variants", "--json"),
        ("flag-chase", "--strict", "--html", "page.html", "--evidence", "lines"),
    ],
)
def test_the_same_audit_again_is_looked_up(
    watched: Watched, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    """Byte for byte what was worked out, files included."""
    first, how = watched(*arguments)
    assert how == "worked out"
    files = written(tmp_path)
    assert watched(*arguments) == (first, "looked up")
    assert written(tmp_path) == files


def written(folder: Path) -> dict[str, str]:
    """The page and the evidence."""
    names = ("page.html", "lines/*.duel")
    return {str(path): path.read_text() for name in names for path in folder.glob(name)}


def test_what_is_looked_up_waits_for_no_import(tmp_path: Path) -> None:
    """The modules that would work it out are not even loaded."""
    program = Program(tmp_path)
    runs = [program.python("-c", IMPORTS, "audit", GAME) for _ in range(2)]
    assert [run.err.splitlines()[-1] for run in runs] == ["True", "False"]
    assert runs[0].out == runs[1].out != ""


def test_another_question_is_not_answered_from_the_cache(watched: Watched) -> None:
    """Other rules, other claims, a page that was not drawn, or no wish for the cache."""
    assert watched(GAME)[1] == "worked out"
    for other in (
        (GAME, "--set", "move.steps=1,2"),
        (GAME, "--all"),
        (GAME, "--html", "page.html"),
        (GAME, "--no-cache"),
    ):
        assert watched(*other)[1] == "worked out", other
    assert watched(GAME)[1] == "looked up"


def test_without_the_cache_nothing_is_kept(watched: Watched, tmp_path: Path) -> None:
    watched(GAME, "--no-cache")
    assert not (tmp_path / "cache").exists()


def test_reports_survive_being_kept(tmp_path: Path, report: AuditReport) -> None:
    cache, question = AuditCache(tmp_path), audit_question([find_rulebook(GAME)], False)
    assert cache.load(question) is None
    cache.store(question, report)
    assert cache.load(question) == report


@pytest.mark.parametrize("damage", ["cut", "changed", "empty", "binary", "of another game"])
def test_a_damaged_report_is_not_used(tmp_path: Path, report: AuditReport, damage: str) -> None:
    """It is as good as none."""
    cache, question = AuditCache(tmp_path), audit_question([find_rulebook(GAME)], False)
    cache.store(question, report)
    [file] = tmp_path.iterdir()
    whole = file.read_bytes()
    if damage == "of another game":
        file.unlink()
        cache.store(audit_question([find_rulebook("cross-over")], False), report)
        [other] = tmp_path.iterdir()
        other.rename(file)
    else:
        file.write_bytes(
            {
                "cut": whole[:-100],
                "changed": whole.replace(b"proved", b"proven", 1),
                "empty": b"",
                "binary": bytes(range(256)),
            }[damage]
        )
    assert cache.load(question) is None


def test_what_an_audit_depends_on_is_in_the_question() -> None:
    """The rules, the words and claims, the address, and the version with its sources."""
    rulebook = find_rulebook(GAME)
    changed = [
        audit_question([rulebook], True),
        audit_question([apply_changes(rulebook, {"title": "Tag"})], False),
        audit_question([apply_changes(rulebook, {"move": {"steps": [1]}})], False),
        *(audit_question([find_rulebook(one)], False) for one in SHIPPED if one != GAME),
    ]
    asked = audit_question([rulebook], False)
    assert asked not in changed
    assert asked == audit_question([find_rulebook(GAME)], False)
    assert re.fullmatch(r"\d+\.\d+\.\d+(rc\d+)? [0-9a-f]{16}", asked.version)


def test_an_audit_is_made_again_after_any_change_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of its code, wherever it stands, and of the templates of its pages."""
    files = [
        tmp_path / name
        for name in ("top.py", "documents/one.py", "a/b/deep.py", "templates/x.html")
    ]
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("before")
    monkeypatch.setattr(audit_reports, "__file__", str(tmp_path / "documents" / "one.py"))
    question = audit_reports.audit_question([], True)
    assert audit_reports.audit_question([], True) == question
    for file in files:
        file.write_text("after")
        changed = audit_reports.audit_question([], True)
        assert changed != question
        question = changed
