"""A search for repairs in words: one screen of text."""

from collections.abc import Callable, Iterator

from lineduel.lab.audit import difference
from lineduel.lab.drawings import track_lines
from lineduel.lab.repair import Repair, RepairSearch, trade_off
from lineduel.lab.report import deciding, wrapped
from lineduel.lab.rulebook_pages import MEASURED
from lineduel.quantities import counted
from lineduel.rules import Property, Rules

_COLUMN = 22
"""The width of a column in the table of trade-offs."""


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
        yield "No variant keeps the game's character and meets every claim."
        for some in search.excluded():
            these = "" if len(some) == 1 else " these together"
            yield wrapped(f"None that keeps its character meets{these}: {'; '.join(sorted(some))}.")
    found = search.repairs or search.nearest
    if found:
        yield ""
        yield "Mended by:" if search.repairs else "Nearest, with no claim refuted:"
    for number, one in enumerate(found, start=1):
        yield from _told_repair(number, one, search, deciding(one.figures))
        yield f"    play it: {command(one.candidate.rulebook.rules)}"
    yield from _told_seats(search, any_seat)
    yield from _told_trade_off(search)


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


def _told_repair(number: int, one: Repair, search: RepairSearch, value: str) -> Iterator[str]:
    figures = one.figures
    said = difference(search.rulebook, one.candidate.rulebook)
    yield ""
    count = counted(len(one.candidate.changes), "change")
    yield wrapped(
        f"{number:>2}. {count}: {'; '.join(each.told for each in one.candidate.changes)}", "    "
    )
    yield from (f"    {line}" for line in track_lines(one.candidate.rulebook))
    yield from (wrapped(f"    now: {sentence}", "    ") for sentence in said.there)
    seats = max(abs(each.seat) for each in figures.equals)
    plies = figures.best.plies
    length = "" if plies is None or one.is_decided else f", {plies:.0f} plies"
    yield wrapped(
        f"    {value}{length}; seat worth at most {seats:.2f}; skill {figures.skill.worse:.0%}; "
        f"{figures.positions:,} positions",
        "    ",
    )
    if one.in_part:
        yield wrapped(f"    holds in part: {'; '.join(one.in_part)}", "    ")


def _told_seats(search: RepairSearch, any_seat: str) -> Iterator[str]:
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
            f"well, up to {counted(search.sizes, 'change')}, and there is none. To leave that "
            f"out, use {any_seat}."
        )
    elif not search.can_be_fair:
        yield wrapped(
            "Each of these is won by one seat from the start. It cannot be otherwise: without "
            "battles, a game that never ends in a draw is decided by its first position."
        )


def _told_trade_off(search: RepairSearch) -> Iterator[str]:
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
