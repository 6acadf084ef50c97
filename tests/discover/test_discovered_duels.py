"""The duels in `examples/discovered`: everything their README says of them is proved again."""

from fractions import Fraction
from pathlib import Path

import pytest

from lineduel.discover import design_of
from lineduel.discover.qualities import all_figures
from lineduel.lab import Analysis, Verdict, rule
from lineduel.rulebooks import find_rulebook
from lineduel.rules import format_rules
from lineduel.solve import check_proof

FOLDER = Path(__file__).parents[2] / "examples" / "discovered"
DUELS = sorted(path.stem for path in FOLDER.glob("*.toml"))
LARGE = {"close-quarters", "rear-guard", "three-abreast", "two-by-two", "wait-or-leap"}
"""Those of thousands of positions, whose ladders take seconds."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(one, marks=pytest.mark.long) if one in LARGE else one for one in DUELS],
)
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
    worth = _signed(figures.value.low)
    if figures.value.low != figures.value.high:
        low, high = f"{float(figures.value.low):+.3f}", f"{float(figures.value.high):+.3f}"
        worth = low if low == high else f"{low} to {high}"
    told = f"| {worth} | {figures.skill.worse:.1%} | {asked['elo_range']:.0f} | {turns:.0f} |"
    assert row.endswith(told)


def _signed(value: Fraction | int) -> str:
    return f"{'+' if value > 0 else ''}{value}" if value else "even"


@pytest.mark.parametrize("name", DUELS)
def test_its_certificate_is_accepted(name: str) -> None:
    """And it is about the rules of the file."""
    path = FOLDER / f"{name}.certificate"
    check_proof(path, lambda done: None)
    rulebook = find_rulebook(str(FOLDER / f"{name}.toml"))
    assert path.read_bytes().splitlines()[1] == f"rules {format_rules(rulebook.rules)}".encode()


def test_at_least_three_discovered_duels_are_shown() -> None:
    assert len(DUELS) >= 3
