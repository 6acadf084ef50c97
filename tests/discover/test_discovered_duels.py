"""The duels in `examples/discovered`: everything their README says of them is proved again."""

import shlex
from fractions import Fraction
from pathlib import Path

import pytest

from lineduel.discover import design_of
from lineduel.discover.qualities import all_figures
from lineduel.lab import Analysis, Verdict, rule
from lineduel.rulebooks import find_rulebook
from lineduel.solve import check_proof, read_certificate
from support.program import Program

FOLDER = Path(__file__).parents[2] / "examples" / "discovered"
DUELS = sorted(path.stem for path in FOLDER.glob("*.toml"))


@pytest.mark.parametrize("name", DUELS)
def test_a_discovered_duel_is_worth_playing(name: str) -> None:
    """No draw, fair at every level, skill wins, choices matter, and neither long nor short."""
    rulebook = find_rulebook(str(FOLDER / f"{name}.toml"))
    analysis = Analysis(rulebook)
    figures = analysis.figures
    for claim in rulebook.claims:
        ruling = rule(claim.property, figures, lambda: analysis.words)
        assert ruling.verdict is Verdict.PROVED, claim
    assert Fraction(-1, 20) <= figures.value.low <= figures.value.high <= Fraction(1, 20)
    assert max(abs(one.seat) for one in figures.equals) <= 0.1
    assert figures.skill.worse >= 0.9
    for one in figures.equals:
        assert one.plies is not None
        assert 6 <= one.plies <= 40, one
    design = design_of(rulebook.rules)
    assert design is not None
    asked = all_figures(figures, design.words)
    assert asked["decisions_per_turn"] >= 0.5
    turns = asked["turns"]
    said = (FOLDER / "README.md").read_text(encoding="utf-8")
    row = next(line for line in said.splitlines() if f"`{name}.toml`" in line)
    value = figures.value.low
    sign = "+" if value > 0 else ""
    told = f"| {f'{sign}{value}' if value else 'even'} | {figures.skill.worse:.1%} | {turns:.0f} |"
    assert row.endswith(told)


@pytest.mark.parametrize("name", DUELS)
def test_its_certificate_is_accepted(name: str) -> None:
    """And it is about the rules of the file."""
    path = FOLDER / f"{name}.certificate"
    check_proof(path, lambda done: None)
    rulebook = find_rulebook(str(FOLDER / f"{name}.toml"))
    assert read_certificate(path.read_text(encoding="utf-8")).game().rules == rulebook.rules


def test_at_least_three_discovered_duels_are_shown() -> None:
    assert len(DUELS) >= 3


def test_the_gallery_shows_them_all() -> None:
    page = (FOLDER / "gallery.html").read_text(encoding="utf-8")
    for name in DUELS:
        assert f"<h2>{find_rulebook(str(FOLDER / f'{name}.toml')).title}</h2>" in page


@pytest.mark.long
def test_the_search_of_the_readme_finds_them(program: Program) -> None:
    """By the command and the seed that are stated."""
    said = (FOLDER / "README.md").read_text(encoding="utf-8")
    command = next(part for part in said.split("\n\n") if part.startswith("    lineduel "))
    words = shlex.split(command.replace("\\\n", " "))
    with program.started(*words[1:]) as process:
        process.communicate()
    assert process.returncode == 0
    found = {
        design_of(find_rulebook(str(path)).rules) for path in program.folder.glob("found/*.toml")
    }
    for name in DUELS:
        assert design_of(find_rulebook(str(FOLDER / f"{name}.toml")).rules) in found
