"""A tournament in words: one screen of text."""

from collections.abc import Iterator
from textwrap import fill

from lineduel.arena.sprt import SprtVerdict
from lineduel.arena.tournament import Score, Standings
from lineduel.errors import shown
from lineduel.quantities import counted

_WIDTH = 60


def tournament_lines(standings: Standings) -> Iterator[str]:
    """The table, the score of every pairing, and what went wrong in games."""
    settings = standings.settings
    yield f"{shown(settings.title, 200)} ({shown(settings.game, 200)}), {settings.start}"
    yield f"{standings.counted:,} games, seed {settings.seed}."
    yield ""
    yield from table_lines(standings)
    yield ""
    for score in standings.scores():
        yield (
            f"{score.player} - {score.opponent}: {score.points:g} of {score.games:,}"
            f" ({_seat(score.seat1)} as player 1, {_seat(score.seat2)} as player 2)"
        )
        if score.decision is not None:
            yield f"  {_decision(score, settings.sprt)}"
    if standings.games > standings.counted:
        left = standings.games - standings.counted
        yield f"\n{left:,} games under way at a decision do not count."
    unfinished = sum(score.unfinished for score in standings.scores())
    if unfinished:
        games = counted(unfinished, "game was", "games were")
        yield f"\n{games} unfinished after {settings.plies} plies: half a point for each player."
    for player, why, times in standings.fault_counts():
        games = counted(times, "game")
        told = f"{shown(player)} forfeited {games}: {shown(why, 300)}"
        yield f"\n{fill(told, _WIDTH)}"


def table_lines(standings: Standings) -> Iterator[str]:
    """The players with their strength, the strongest first."""
    rows = standings.table()
    wide = min(max(len(row.player) for row in rows), 24)
    yield f"{'':<{wide}}    Elo   +/-    points   games     won    lost  unfinished"
    for row in rows:
        margin = "-" if row.margin is None else f"{row.margin:.0f}"
        yield (
            f"{shown(row.player, wide):<{wide}}  {round(row.elo):>+5d}  {margin:>4}  "
            f"{row.points:>8.1f} {row.games:>7} {row.won:>7} {row.lost:>7}  {row.unfinished:>10}"
        )


def _seat(score: float | None) -> str:
    return "-" if score is None else f"{score:.0%}"


def _decision(score: Score, sprt: tuple[float, float] | None) -> str:
    assert score.decision is not None
    assert sprt is not None
    elo0, elo1 = (f"{one:g}" for one in sprt)
    verdict, games, ratio = score.decision
    match verdict:
        case SprtVerdict.OPEN:
            return f"Not decided between {elo0} and {elo1} Elo (log-likelihood ratio {ratio:+.2f})."
        case SprtVerdict.STRONGER:
            return f"Decided after {games:,} games: better by {elo1} Elo rather than {elo0}."
        case SprtVerdict.WEAKER:
            return f"Decided after {games:,} games: better by {elo0} Elo rather than {elo1}."
