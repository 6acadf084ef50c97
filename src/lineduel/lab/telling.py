"""An audit in words: one screen of text, and the same as plain data."""

from collections.abc import Iterator
from textwrap import fill

from lineduel.arena.percent import percent
from lineduel.lab.audit import Audit, Finding, difference
from lineduel.lab.claims import Verdict
from lineduel.lab.figures import DEFINITIONS, Figures, bounds
from lineduel.record import write_record
from lineduel.rules import Side
from lineduel.solve import in_words
from lineduel.solve.value import Endless
from lineduel.solve.wording import LIMITED

WIDTH = 76
"""Columns of a report."""
EITHER = "Who begins is left open; here player 1 does."
_OUTCOMES = {
    Verdict.PROVED: "passed",
    Verdict.IN_PART: "passed in part",
    Verdict.REFUTED: "failed",
}
"""A verdict is about the property, which may be narrower than the author's sentence."""
_SIGNS = {Verdict.PROVED: "✓", Verdict.IN_PART: "~", Verdict.REFUTED: "✗"}


def told(audit: Audit) -> Iterator[str]:
    """The report, line by line."""
    rulebook, figures = audit.rulebook, audit.figures
    yield f"{rulebook.title} ({rulebook.id})"
    yield outcome(figures)
    if rulebook.rules.first is None:
        yield EITHER
    if audit.analysis.solution.limited:
        yield LIMITED
    yield ""
    for number, finding in enumerate(audit.findings, start=1):
        yield from _told_finding(number, finding)
    yield ""
    yield from told_figures(figures)


def outcome(figures: Figures) -> str:
    """Who wins, in a sentence."""
    value = figures.value
    if value.winner is not None:
        return f"With best play player {value.winner} wins in {value.plies} plies."
    if value.is_even and value.never_ends:
        return "With best play nobody can force a win: the game never ends."
    told = "With best play the game is even"
    if value.exact in (1, -1):
        return f"With best play player {1 if value.exact == 1 else 2} wins in the end."
    if not value.is_even:
        told = f"With best play player 1 can expect {in_words(value, Side.ONE)}"
    match value.endless:
        case Endless.NEVER:
            return f"{told}, and somebody wins in the end."
        case Endless.ALWAYS:
            return f"{told}, and the game never ends."
        case _:
            return f"{told}, and it can go on for ever."


def _told_finding(number: int, finding: Finding) -> Iterator[str]:
    claim, verdict = finding.claim, finding.ruling.verdict
    yield folded(f"{number}. {_SIGNS[verdict]} {tested(finding)}. {finding.ruling.why}", "   ")
    yield folded(f"   Tested for: “{claim.says}”", "   ")
    if claim.not_tested:
        yield folded(f"   Not tested: {claim.not_tested}.", "   ")
    yield folded(f"   {finding.evidence.told}", "   ")


def tested(finding: Finding) -> str:
    """The property and how its test came out: `Choices matter: passed`."""
    about = str(finding.claim.property)
    return f"{about[0].upper()}{about[1:]}: {_OUTCOMES[finding.ruling.verdict]}"


def told_figures(figures: Figures) -> Iterator[str]:
    """The figures in two columns of text."""
    cells = [f"{DEFINITIONS[name].title}: {shown}" for name, shown in shown_figures(figures)]
    wide = WIDTH // 2
    for left, right in zip(cells[::2], [*cells[1::2], ""], strict=False):
        yield f"{left:<{wide}}{right}".rstrip()
    yield ""
    yield f"{'Among equals':<14}{'player 1':>9}{'endless':>9}{'plies':>8}"
    for one in figures.equals:
        plies = "-" if one.plies is None else f"{one.plies:.1f}"
        yield f"{one.player:<14}{one.seat:>+9.2f}{percent(one.endless):>9}{plies:>8}"


def shown_figures(figures: Figures) -> Iterator[tuple[str, str]]:
    """The single figures by name, as text."""
    yield "positions", f"{figures.positions:,}"
    yield "branching", f"{figures.branching:.2f}"
    yield "value", shown_value(figures)
    yield "longest", _or(figures.longest, "none")
    yield "longest_game", _or(figures.longest_game, "endless")
    yield "shortest_game", _or(figures.shortest_game, "none")
    yield "decisions", percent(figures.decisions)
    yield "only_moves", percent(figures.only_moves)
    yield "turning_points", f"{figures.turning_points:.1f}"
    yield "lead_changes", f"{figures.lead_changes:.2f}"
    yield "drama", percent(figures.drama)
    if figures.elo_range is not None:
        yield "elo_range", f"{figures.elo_range:.0f}"
    yield "skill", " / ".join(percent(one, 1) for one in figures.skill)


def shown_value(figures: Figures) -> str:
    """`P2 in 20`, `never ends`, `even`, `+1/47`."""
    value = figures.value
    if value.winner is not None:
        return f"P{value.winner} in {value.plies}"
    return in_words(value, Side.ONE)


def _or(number: int | None, otherwise: str) -> str:
    return otherwise if number is None else f"{number:,}"


def folded(text: str, indent: str = "") -> str:
    """Text in lines that fit a report."""
    return fill(text, WIDTH, subsequent_indent=indent, break_on_hyphens=False)


# Readings side by side


def compared(audits: list[Audit]) -> Iterator[str]:
    """The figures of a rulebook and its readings, and the sentence that decides."""
    first, *others = audits
    yield f"{first.rulebook.title} ({first.rulebook.id}) and its readings"
    yield ""
    names = ["as ruled", *(one.rulebook.id.partition(":")[2] for one in others)]
    columns = [dict(shown_figures(one.figures)) for one in audits]
    cells_of = [text for column in columns for text in column.values()]
    wide = max(map(len, (*names, *cells_of, *Verdict))) + 2
    titles = 25
    yield " " * titles + "".join(f"{name:>{wide}}" for name in names)
    for name in columns[0]:
        cells = "".join(f"{column.get(name, ''):>{wide}}" for column in columns)
        yield f"{DEFINITIONS[name].title:<{titles}}{cells}"
    verdicts = [
        {one.claim.property: one.ruling.verdict for one in audit.findings} for audit in audits
    ]
    for about in dict.fromkeys(about for known in verdicts for about in known):
        cells = "".join(f"{known.get(about, '-'):>{wide}}" for known in verdicts)
        yield f"{about:<{titles}}{cells}"
    for other in others:
        yield ""
        differing = difference(first.rulebook, other.rulebook)
        here, there = " ".join(differing.here), " ".join(differing.there)
        yield folded(f"{here} → {deciding(first.figures)};", "  ")
        yield folded(f"{there} → {deciding(other.figures)}.", "  ")


def deciding(figures: Figures) -> str:
    """Who wins, as what follows from a sentence."""
    value = figures.value
    if value.winner is not None:
        return f"player {value.winner} in {value.plies} plies"
    shown = shown_value(figures)
    return shown if value.is_even else f"{shown} for player 1"


# As data


def document(audit: Audit) -> dict[str, object]:
    """The audit as one JSON document."""
    figures, ladder = audit.figures, audit.analysis.ladder
    return {
        "game": audit.rulebook.id,
        "claims": [_finding_data(one) for one in audit.findings],
        "figures": figures.plain(),
        "pairs": [
            {"player1": one, "player2": two, **ladder.results[row][column]._asdict()}
            for row, one in enumerate(ladder.players)
            for column, two in enumerate(ladder.players)
        ],
        "openings": [
            {"move": str(move), "value": bounds(value), "plies": value.plies}
            for move, value in audit.openings
        ],
        "words": [
            {
                "word": one.word.value,
                "positions": one.positions,
                "in_best_play": one.in_best_play,
                "example": None if one.example is None else str(one.example),
            }
            for one in audit.analysis.words
        ],
        "definitions": {
            name: {"meaning": one.meaning, "source": one.source}
            for name, one in DEFINITIONS.items()
        },
    }


def _finding_data(finding: Finding) -> dict[str, object]:
    shown = finding.evidence
    return {
        "says": finding.claim.says,
        "property": finding.claim.property,
        "not_tested": finding.claim.not_tested or None,
        "verdict": finding.ruling.verdict,
        "why": finding.ruling.why,
        "evidence": {
            "told": shown.told,
            "position": None if shown.position is None else str(shown.position),
            "record": None if shown.record is None else write_record(shown.record),
        },
    }
