"""The same audit again comes from the cache at once, and only the same."""

import re
from pathlib import Path

import pytest

from lineduel.documents import AuditCache, AuditReport, audit_question, audit_report
from lineduel.lab.audit import audit
from lineduel.rulebooks import SHIPPED, find_rulebook
from lineduel.rules import apply_changes
from program import Program

GAME = "ctf-tokens"
WATCHED = """\
import sys
from lineduel.cli.main import main
status = main(sys.argv[1:])
print("worked out" if "lineduel.lab.analysis" in sys.modules else "looked up", file=sys.stderr)
sys.exit(status)
"""


def watched(program: Program, *arguments: str) -> tuple[str, str]:
    """What an audit prints, and whether it was worked out or looked up."""
    done = program.python("-c", WATCHED, "audit", *arguments)
    assert done.status in (0, 1), done.err
    return done.out, done.err.splitlines()[-1]


@pytest.fixture
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
def test_the_same_audit_again_is_looked_up(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """Byte for byte what was worked out, files included."""
    program = Program(tmp_path)
    first, how = watched(program, *arguments)
    assert how == "worked out"
    files = written(tmp_path)
    assert watched(program, *arguments) == (first, "looked up")
    assert written(tmp_path) == files


def written(folder: Path) -> dict[str, str]:
    """The page and the evidence."""
    names = ("page.html", "lines/*.duel")
    return {str(path): path.read_text() for name in names for path in folder.glob(name)}


def test_another_question_is_not_answered_from_the_cache(tmp_path: Path) -> None:
    """Other rules, other claims, a page that was not drawn, or no wish for the cache."""
    program = Program(tmp_path)
    assert watched(program, GAME)[1] == "worked out"
    for other in (
        (GAME, "--set", "move.steps=1,2"),
        (GAME, "--all"),
        (GAME, "--html", "page.html"),
        (GAME, "--no-cache"),
    ):
        assert watched(program, *other)[1] == "worked out", other
    assert watched(program, GAME)[1] == "looked up"


def test_without_the_cache_nothing_is_kept(tmp_path: Path) -> None:
    program = Program(tmp_path)
    watched(program, GAME, "--no-cache")
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
    assert re.fullmatch(r"\d+\.\d+\.\d+ [0-9a-f]{16}", asked.version)
