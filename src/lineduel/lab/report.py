"""Audits, comparisons and repairs in words: one screen of text each."""

from collections.abc import Callable, Iterator, Sequence
from textwrap import fill
from typing import NamedTuple

from lineduel.arena import row_label
from lineduel.lab.audit import Audit, AuditedClaim, difference
from lineduel.lab.claims import Verdict
from lineduel.lab.drawings import track_lines
from lineduel.lab.figures import DEFINITIONS, Figures
from lineduel.lab.repair import MEASURED, Repair, trade_off
from lineduel.lab.repair_search import RepairSearch
from lineduel.quantities import counted, percent, plural, signed_worth
from lineduel.rules import Property, Rules, Side
from lineduel.solve import LIMITED, Value, as_sentence, in_words

_WIDTH = 76
"""Columns of a report."""
EITHER = "The rules leave open who begins; here player 1 does."
_OUTCOMES = {
    Verdict.PROVED: "proved",
    Verdict.IN_PART: "holds in part",
    Verdict.REFUTED: "refuted",
}
"""A verdict is about the property, which may be narrower than the author's sentence."""
_COLUMN = 22
"""The width of a column in the table of trade-offs."""
_SIGNS = {Verdict.PROVED: "✓", Verdict.IN_PART: "~", Verdict.REFUTED: "✗"}


def audit_lines(audit: Audit) -> Iterator[str]:
    """The report, line by line."""
    rulebook, figures = audit.rulebook, audit.figures
    yield f"{rulebook.title} ({rulebook.id}): {claims_that_hold(audit)}."
    yield as_sentence(figures.value)
    yield from audit_notes(audit)
    yield ""
    for number, finding in enumerate(audit.findings, start=1):
        yield from _finding_lines(number, finding)
    yield ""
    yield from figure_lines(figures)
    yield "What each figure means: the page Figures of the documentation."


def audit_notes(audit: Audit) -> Iterator[str]:
    """What the verdicts take for granted, in sentences."""
    if audit.rulebook.rules.first is None:
        yield EITHER
    if audit.analysis.solution.limited:
        yield LIMITED


def claims_that_hold(audit: Audit) -> str:
    """How many hold of the author's claims, and of the properties that nobody claims.

    `3 of 4 claims hold, 1 in part; 1 of 2 other properties holds`.
    """
    made = [one for one in audit.findings if one.claim in audit.rulebook.claims]
    others = [one for one in audit.findings if one.claim not in audit.rulebook.claims]
    told = [_that_hold(made, "claim", "claims")] if made else []
    if others:
        other = "other " if made else ""
        told.append(_that_hold(others, f"{other}property", f"{other}properties"))
    return "; ".join(told)


def _that_hold(findings: Sequence[AuditedClaim], one: str, many: str) -> str:
    verdicts = [each.ruling.verdict for each in findings]
    holding, in_part = (verdicts.count(each) for each in (Verdict.PROVED, Verdict.IN_PART))
    what = plural(len(verdicts), one, many)
    told = f"{holding} of {len(verdicts)} {what} {plural(len(verdicts), 'holds', 'hold')}"
    return f"{told}, {in_part} in part" if in_part else told


def _finding_lines(number: int, finding: AuditedClaim) -> Iterator[str]:
    claim, verdict = finding.claim, finding.ruling.verdict
    yield wrapped(f"{number}. {_SIGNS[verdict]} {tested(finding)}. {finding.ruling.why}", "   ")
    yield wrapped(f"   Tested for: “{claim.says}”", "   ")
    if claim.not_tested:
        yield wrapped(f"   Not tested: {claim.not_tested}.", "   ")
    yield wrapped(f"   {finding.evidence.text}", "   ")


def tested(finding: AuditedClaim) -> str:
    """The property and how its test came out: `Choices matter: passed`."""
    about = str(finding.claim.property)
    return f"{about[0].upper()}{about[1:]}: {_OUTCOMES[finding.ruling.verdict]}"


def figure_lines(figures: Figures) -> Iterator[str]:
    """The figures in two columns of text."""
    cells = [f"{DEFINITIONS[name].title}: {shown}" for name, shown in shown_figures(figures)]
    wide = _WIDTH // 2
    for left, right in zip(cells[::2], [*cells[1::2], ""], strict=False):
        yield f"{left:<{wide}}{right}".rstrip()
    yield ""
    yield f"{'Among equals':<14}{'value to player 1':>18}{'never ends':>12}{'turns':>8}"
    for one in figures.equals:
        plies = "-" if one.plies is None else f"{one.plies:.1f}"
        endless = percent(one.endless)
        yield f"{row_label(one.player):<14}{signed_worth(one.seat):>18}{endless:>12}{plies:>8}"


def shown_figures(figures: Figures) -> Iterator[tuple[str, str]]:
    """The single figures by name, as text."""
    yield "positions", f"{figures.positions:,}"
    yield "branching", f"{figures.branching:.2f}"
    yield "value", value_for_designers(figures.value)
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
    yield "skill", " / ".join(map(percent, figures.skill))


def value_for_designers(value: Value) -> str:
    """A value as reports and tables have it: `player 1 in 5`, `never ends`, `even`, `+0.04`."""
    if value.winner is not None:
        return f"player {value.winner} in {value.plies}"
    if value.is_even or value.is_about_even or value.is_undecided or value.exact in (1, -1):
        return in_words(value, Side.ONE)
    return signed_worth(value.expected(Side.ONE))


def _or(number: int | None, otherwise: str) -> str:
    return otherwise if number is None else f"{number:,}"


def wrapped(text: str, indent: str = "") -> str:
    """Text in lines that fit a report."""
    return fill(text, _WIDTH, subsequent_indent=indent, break_on_hyphens=False)


# Variants side by side


def compared(audits: list[Audit]) -> Iterator[str]:
    """The figures of a rulebook and its variants, and the sentence that decides."""
    first, *others = audits
    yield f"{first.rulebook.title} ({first.rulebook.id}) and its variants"
    yield ""
    names = ["standard", *(one.rulebook.id.partition(":")[2] for one in others)]
    yield from side_by_side(names, audits)
    for other in others:
        yield ""
        differing = difference(first.rulebook, other.rulebook)
        here, there = " ".join(differing.here), " ".join(differing.there)
        yield wrapped(f"{here} → {deciding(first.figures)};", "  ")
        yield wrapped(f"{there} → {deciding(other.figures)}.", "  ")


def side_by_side(names: Sequence[str], audits: Sequence[Audit]) -> Iterator[str]:
    """Figures and verdicts of several rulebooks in one table."""
    rows = list(comparison(audits))
    cells_of = (names, Verdict, *(row.cells for row in rows))
    wide = max(len(cell) for cells in cells_of for cell in cells) + 2
    titles = 25
    for title, cells in (("", names), *rows):
        yield f"{title:<{titles}}{''.join(f'{cell:>{wide}}' for cell in cells)}".rstrip()


class ComparisonRow(NamedTuple):
    """A figure or a property, and what it is in each rulebook."""

    title: str
    cells: tuple[str, ...]


def comparison(audits: Sequence[Audit]) -> Iterator[ComparisonRow]:
    """The figures of several rulebooks, how many properties hold, and the verdict on each."""
    columns = [dict(shown_figures(one.figures)) for one in audits]
    for name in columns[0]:
        cells = tuple(column.get(name, "") for column in columns)
        yield ComparisonRow(DEFINITIONS[name].title, cells)
    yield ComparisonRow("properties that hold", tuple(map(_share, audits)))
    verdicts = [
        {one.claim.property: str(one.ruling.verdict) for one in audit.findings} for audit in audits
    ]
    for about in dict.fromkeys(about for known in verdicts for about in known):
        yield ComparisonRow(str(about), tuple(known.get(about, "-") for known in verdicts))


def _share(audit: Audit) -> str:
    """How many properties are proved, in short: `3 of 4`."""
    proved = sum(one.ruling.verdict is Verdict.PROVED for one in audit.findings)
    return f"{proved} of {len(audit.findings)}"


def deciding(figures: Figures) -> str:
    """Who wins, as what follows from a sentence."""
    value, shown = figures.value, value_for_designers(figures.value)
    if value.winner is not None:
        return f"{shown} turns"
    return shown if value.is_even or value.is_about_even else f"{shown} for player 1"


# Repairs

NO_REPAIR = (
    "No rulebook that was tried meets every claim and stays the same kind of game "
    "(what an enemy's cell does, meet.enemy, is never changed)."
)


def repair_lines(
    search: RepairSearch, command: Callable[[Rules], str], any_seat: str
) -> Iterator[str]:
    """The repairs, how they were found, and the best by each measure.

    `command` plays a rulebook; `any_seat` is what to use to do without fair seats.
    """
    rulebook = search.rulebook
    yield f"{rulebook.title} ({rulebook.id})"
    yield wrapped(f"To keep: {'; '.join(search.wanted)}.")
    yield wrapped(" ".join(_tried(search)))
    if not search.repairs:
        yield ""
        yield wrapped(NO_REPAIR)
        for some in search.excluded():
            these = "" if len(some) == 1 else " these together"
            yield wrapped(f"None that stays so meets{these}: {'; '.join(sorted(some))}.")
    found = search.repairs or search.nearest or search.misses
    if found:
        yield ""
        yield (
            "Mended by:"
            if search.repairs
            else "Nearest, with no claim refuted:"
            if search.nearest
            else "Closest:"
        )
    for number, one in enumerate(found, start=1):
        yield from _one_repair_lines(number, one, search, deciding(one.figures))
        yield f"    play it: {command(one.candidate.rulebook.rules)}"
    yield from _seat_lines(search, any_seat)
    yield from _trade_off_lines(search)


def _tried(search: RepairSearch) -> Iterator[str]:
    """How many rulebooks were tried, and how many were not."""
    yield f"Tried {search.tried:,} rulebooks with up to {counted(search.sizes, 'change')}."
    if search.cut_short:
        yield "The search was stopped before it had tried all with one change more."
    left_out = {
        "the same game as another": search.twice,
        "too large": search.too_large,
    }
    told = [
        f"{count:,} that {'is' if count == 1 else 'are'} {why}"
        for why, count in left_out.items()
        if count
    ]
    if told:
        yield f"Left out: {', '.join(told)}."


def _one_repair_lines(number: int, one: Repair, search: RepairSearch, value: str) -> Iterator[str]:
    figures = one.figures
    said = difference(search.rulebook, one.candidate.rulebook)
    yield ""
    count = counted(len(one.candidate.changes), "change")
    yield wrapped(
        f"{number:>2}. {count}: {'; '.join(each.text for each in one.candidate.changes)}", "    "
    )
    yield from (f"    {line}" for line in track_lines(one.candidate.rulebook))
    yield from (wrapped(f"    now: {sentence}", "    ") for sentence in said.there)
    seats = max(abs(each.seat) for each in figures.equals)
    plies = figures.best.plies
    length = "" if plies is None or one.is_decided else f", {plies:.0f} turns"
    yield wrapped(
        f"    {value}{length}; seat worth at most {seats:.2f}; "
        f"skill {percent(figures.skill.worse)}; {figures.positions:,} positions",
        "    ",
    )
    if one.in_part:
        yield wrapped(f"    holds in part: {'; '.join(one.in_part)}", "    ")
    for about, ruling in one.rulings.items():
        if ruling.verdict is Verdict.REFUTED:
            yield wrapped(f"    in the way: {about}. {ruling.why}", "    ")
    if not one.keeps:
        meeting = "battles leave nothing to choose" if figures.battles else "enemies never meet"
        yield wrapped(f"    in the way: with best play {meeting}", "    ")


def _seat_lines(search: RepairSearch, any_seat: str) -> Iterator[str]:
    """Whether fair seats were preferred, why, and how to turn that off."""
    if not any(one.is_decided for one in search.repairs):
        return
    yield ""
    fair = f"'{Property.FAIR_SEATS}'"
    if search.fair_first and search.repairs[0].is_fair:
        yield wrapped(
            f"The smallest repair is won by one seat from the start, so repairs with {fair} come "
            f"first. To rank by the number of changes only, use {any_seat}."
        )
    elif search.fair_first:
        yield wrapped(
            f"These are won by one seat from the start. Repairs with {fair} were looked for as "
            f"well, up to {counted(search.sizes, 'change')}, and none was found. To leave that "
            f"out, use {any_seat}."
        )
    elif not search.can_be_fair:
        yield wrapped(
            "Each of these is won by one seat from the start. It cannot be otherwise: without "
            "battles, a game that never ends in a draw is decided by its first position."
        )


def _trade_off_lines(search: RepairSearch) -> Iterator[str]:
    """A table of the best repairs by each measure, with their numbers in the list."""
    found = search.repairs
    if len(found) < 2:
        return
    best = trade_off(found)
    yield ""
    yield "The best by what you may want most:"
    yield "".join(f"  {measure:<{_COLUMN}}" for measure in best).rstrip()
    for row in range(max(map(len, best.values()))):
        cells = (
            f"{places[row] + 1:>2}. {MEASURED[measure](found[places[row]])}"
            for measure, places in best.items()
        )
        yield "".join(f"  {cell:<{_COLUMN}}" for cell in cells).rstrip()
