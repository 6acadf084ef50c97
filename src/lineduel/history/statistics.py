"""How a person did against programs: by game and opponent, and in all."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

from lineduel.coach import PuzzleRating, load_rating, review
from lineduel.engine import Game, Position
from lineduel.errors import LineduelError, NotSolved
from lineduel.history.history import History, SavedGame
from lineduel.history.known_accuracies import KnownAccuracies
from lineduel.players import HUMAN, level_number, player_in_words
from lineduel.quantities import counted, percent_right
from lineduel.rules import Rulebook, format_rules
from lineduel.solve import BYTES_EACH, BYTES_IN_GRAPH, Cache, Solution, is_mistake, solve

_MOST_POSITIONS = 50_000
"""Rulebooks with at most this many positions are solved in a moment; with battles and where
nothing can repeat, larger ones are too."""
_HEADINGS = ("played", "won", "accuracy", "streak", "best")
_GAP = "  "


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalScore:
    """Finished games of one person against programs."""

    played: int
    won: int
    streak: int
    """How many of the latest games were won in a row."""
    best_streak: int
    reviewed: int
    """How many of the games the accuracy is about."""
    accuracy: Fraction | None
    """The share of the person's choices that kept the value; None without any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRow:
    """How a person did in one game against one program."""

    game: str
    title: str
    opponent: str
    """As `play --p2` takes it."""
    score: PersonalScore


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """How a person did against programs."""

    opponents: tuple[ScoreRow, ...]
    total: PersonalScore
    unfinished: int
    """Games against a program that are not finished."""
    others: int
    """Games of two people or of two programs."""
    puzzles: PuzzleRating


def personal_statistics(games: Iterable[SavedGame], known: KnownAccuracies) -> Statistics:
    """Count games, given the latest first; accuracies are those that are known."""
    listed = list(games)
    own = [game for game in listed if game.you is not None]
    finished = [game for game in own if game.record.winner is not None]
    groups: dict[tuple[str, str], list[SavedGame]] = {}
    for one in finished:
        groups.setdefault((one.record.rulebook.id, one.opponent or ""), []).append(one)
    rows = [
        ScoreRow(game=game, title=group[0].title, opponent=opponent, score=_score(group, known))
        for (game, opponent), group in groups.items()
    ]
    return Statistics(
        opponents=tuple(sorted(rows, key=_order)),
        total=_score(finished, known),
        unfinished=len(own) - len(finished),
        others=len(listed) - len(own),
        puzzles=load_rating(),
    )


def _order(row: ScoreRow) -> tuple[str, str, int, str]:
    """By title, then the levels in their order, then the other programs."""
    number = level_number(row.opponent)
    return row.title, row.game, 99 if number is None else number, row.opponent


def _score(games: list[SavedGame], known: KnownAccuracies) -> PersonalScore:
    """The account of games, the latest first."""
    wins = [game.record.winner is game.you for game in games]
    runs = list(_winning_runs(wins))
    found = [
        choices
        for game in games
        if game.you is not None and (choices := known.of(game.record, game.you)) is not None
    ]
    kept, had = sum(one.kept for one in found), sum(one.choices for one in found)
    return PersonalScore(
        played=len(games),
        won=sum(wins),
        streak=runs[0] if wins and wins[0] else 0,
        best_streak=max(runs, default=0),
        reviewed=len(found),
        accuracy=Fraction(kept, had) if had else None,
    )


def _winning_runs(wins: list[bool]) -> Iterator[int]:
    """The lengths of the runs of wins, the latest run first."""
    length = 0
    for won in (*wins, False):
        if won:
            length += 1
        elif length:
            yield length
            length = 0


def review_unknown(
    games: Iterable[SavedGame],
    known: KnownAccuracies,
    cache: Cache,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> None:
    """Review the finished games whose accuracy is not known, where the game is solved in a moment.

    `progress` is called before each of them, and at the end; what it raises ends the work.
    """
    unknown = [
        game.record
        for game in games
        if game.record.winner is not None
        and game.you is not None
        and known.of(game.record, game.you) is None
    ]
    unknown.sort(key=lambda record: (record.rulebook.id, str(record.start)))
    last, solution = None, None
    try:
        for done, record in enumerate(unknown):
            progress(done, len(unknown))
            if last != (record.rulebook, record.start):
                last = record.rulebook, record.start
                solution = _solved_soon(*last, cache)
            if solution is not None:
                known.note(review(record, solution))
        progress(len(unknown), len(unknown))
    finally:
        known.save()


def _solved_soon(rulebook: Rulebook, start: Position, cache: Cache) -> Solution | None:
    """The exact solution; None where it would take long."""
    each = BYTES_IN_GRAPH if rulebook.rules.battle else BYTES_EACH
    try:
        return solve(Game(rulebook), start, memory=_MOST_POSITIONS * each, cache=cache)
    except LineduelError:
        return None


# In words


def statistics_table(found: Statistics) -> Iterator[str]:
    """A table with the games as headings, and a line for each opponent."""
    if not found.opponents:
        return
    opponents = [f"  {player_in_words(row.opponent)}" for row in found.opponents]
    titles = [row.title for row in found.opponents]
    wide = max(map(len, (*titles, *opponents)))
    yield f"{'':<{wide}}{_GAP}{_GAP.join(_HEADINGS)}"
    last = None
    for row, opponent in zip(found.opponents, opponents, strict=True):
        if row.game != last:
            yield row.title
        last = row.game
        yield f"{opponent:<{wide}}{_GAP}{_figures(row.score)}"
    if len(found.opponents) > 1:
        yield f"{'All games':<{wide}}{_GAP}{_figures(found.total)}"


def _figures(score: PersonalScore) -> str:
    """A score, each figure below its heading."""
    accuracy = "-" if score.accuracy is None else f"{percent_right(score.accuracy)}%"
    texts = score.played, score.won, accuracy, score.streak, score.best_streak
    return _GAP.join(
        f"{text:>{len(heading)}}" for text, heading in zip(texts, _HEADINGS, strict=True)
    )


def statistics_remarks(found: Statistics) -> Iterator[str]:
    """What there is to say below the table."""
    if left_out := found.total.played - found.total.reviewed:
        games = counted(left_out, "game")
        yield f"The accuracy leaves out {games}: solving takes long there. A review adds a game."
    unfinished = counted(found.unfinished, "unfinished game") if found.unfinished else ""
    others = (
        f"{counted(found.others, 'game')} of two people or two programs" if found.others else ""
    )
    if uncounted := " and ".join(part for part in (unfinished, others) if part):
        yield f"Not counted: {uncounted}."
    puzzles = found.puzzles
    if puzzles.answered:
        row = f"{puzzles.streak} solved in a row, {puzzles.best_streak} at best"
        answered = counted(puzzles.answered, "puzzle")
        yield f"Puzzle rating: {puzzles.rating:.0f} after {answered}; {row}."
    else:
        yield "Puzzle rating: none yet."


def own_mistakes(found: History, solution: Solution) -> tuple[Position, ...]:
    """The positions in which a person made a mistake in games by these rules, the latest first."""
    rules, mistaken = format_rules(solution.game.rules), dict[Position, None]()
    for game in found.games:
        record, seats = game.record, game.seats
        if format_rules(record.rulebook.rules) != rules:
            continue
        for position, move in zip(record.positions(), record.moves, strict=False):
            if position.battle is None and seats[position.side - 1] == HUMAN:
                with suppress(NotSolved):  # a game that began somewhere else
                    if is_mistake(solution, position, move):
                        mistaken[position] = None
    return tuple(mistaken)
