"""The exact strength of each policy, every pairing computed and none sampled; its pictures."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import log10
from textwrap import fill

from lineduel.arena.elo import PRIOR, Points, rate
from lineduel.compiled import Threads
from lineduel.engine import Game, Position
from lineduel.graph import Result, result_of
from lineduel.players import (
    LEVEL_NAMES,
    LEVELS,
    Fallible,
    Level,
    Perfect,
    Policy,
    level_number,
    player_in_words,
    policy_table,
)
from lineduel.quantities import percent, signed_worth
from lineduel.solve import Solution
from lineduel.svg import Svg, svg_page, svg_shape, svg_text

CLEARLY = 0.6
"""The score that counts as being clearly better."""
AS_GAMES = 1000
"""A computed score counts as this many games when it is put on the Elo scale."""

_RESET = "\x1b[0m"
COLD, EVEN, WARM = (178, 58, 46), (242, 242, 242), (38, 99, 168)
"""The colours of losing, of even play, and of winning, as red, green and blue."""
INK = "38;2;17;17;17"
PALE_INK = "38;2;255;255;255"

_CELL, _LEFT, _TOP, _FOOT = 46, 150, 96, 64
_STYLE = """\
.dark{fill:#222}
.pale{fill:#fff}"""

_TEXT_WIDTH = 60


def elo_of_score(score: float) -> float:
    """The lead in rating of a player with this computed score against one opponent."""
    won, games = score * AS_GAMES + PRIOR / 2, AS_GAMES + PRIOR
    return 400 * log10(won / (games - won))


def score_over_seats(results: Sequence[Sequence[Result]], player: int, opponent: int) -> float:
    """What a player scores against another over both seats, from the results of all pairings."""
    return (1 + results[player][opponent].score - results[opponent][player].score) / 2


@dataclass(frozen=True, kw_only=True)
class Ladder:
    """The results of all pairings of some players, each in either seat, and against itself."""

    game: Game
    start: Position
    players: tuple[str, ...]
    results: tuple[tuple[Result, ...], ...]
    """Row: who is player 1; column: who is player 2."""

    def score(self, player: int, opponent: int) -> float:
        """What a player scores over both seats: win 1, loss 0, endless a half."""
        return score_over_seats(self.results, player, opponent)

    @cached_property
    def elo(self) -> tuple[float, ...]:
        """Bradley-Terry over all pairings; the first player is 0."""
        size, score = len(self.players), self.score
        pairs = [(one, other) for one in range(size) for other in range(one)]
        points = [Points(a, b, score(a, b) * AS_GAMES, score(b, a) * AS_GAMES) for a, b in pairs]
        elo = [rating.elo for rating in rate(size, points)]
        return tuple(one - elo[0] for one in elo)

    @cached_property
    def chain(self) -> tuple[str, ...]:
        """The longest line of players, best first, each clearly better than the next."""
        places = range(len(self.players))
        beats = [[a != b and self.score(a, b) >= CLEARLY for b in places] for a in places]
        return tuple(self.players[at] for at in longest_chain(beats))

    @property
    def range(self) -> float:
        """Elo from the first player to the last."""
        return self.elo[-1] - self.elo[0]


def everyone(solution: Solution) -> tuple[Policy, ...]:
    """Ten players from random to perfect: the levels, the fallible one, and the perfect one."""
    levels = [Level(number, solution) for number in LEVELS]
    return (*levels[:2], Fallible(solution), *levels[2:], Perfect(solution))


def climb(
    solution: Solution,
    players: Sequence[Policy] | None = None,
    report: Callable[[float], None] | None = None,
) -> Ladder:
    """The ladder of some policies from the solution's start; `report` gets the share done.

    Without `players` it is `everyone`.
    """
    players = everyone(solution) if players is None else players
    graph = solution.explored(compiled=True)
    tables = [policy_table(player, graph) for player in players]
    with Threads(report or (lambda done: None)) as threads:
        pairs = list(product(tables, tables))
        found = threads.map(lambda pair: result_of(graph, *pair), pairs)
    size = len(players)
    results = tuple(tuple(found[at * size : (at + 1) * size]) for at in range(size))
    names = tuple(player.name for player in players)
    return Ladder(game=solution.game, start=solution.start, players=names, results=results)


def longest_chain(beats: Sequence[Sequence[bool]]) -> tuple[int, ...]:
    """The longest line without repeats in which each beats the next; of equals the last players.

    Beating need not be transitive, so sets of players are gone through.
    """
    size = len(beats)
    # For each set of players and each of them as the one at the top: a full line through the set.
    lines: dict[tuple[int, int], tuple[int, ...]] = {(1 << one, one): (one,) for one in range(size)}
    best = max(lines.values(), key=len, default=())
    fresh = lines
    while fresh:
        longer: dict[tuple[int, int], tuple[int, ...]] = {}
        for (members, top), line in fresh.items():
            for one in range(size):
                if not members >> one & 1 and beats[one][top]:
                    longer.setdefault((members | 1 << one, one), (one, *line))
        if longer:
            best = max(longer.values())
        fresh = longer
    return best


# As a picture and in words


def draw_heatmap_text(ladder: Ladder, colour: bool = False) -> str:
    """A row per player: its score against each other player, in points of 100 games."""
    names = ladder.players
    labels = [row_label(name) for name in names]
    wide = max(map(len, labels))
    heads = [column_label(name) for name in names]
    lines = [
        f"{'':<{wide}}         Points against",
        f"{'':<{wide}}   Elo  {''.join(f'{head:>{_wide(head)}} ' for head in heads)}".rstrip(),
    ]
    for row, label in enumerate(labels):
        cells = "".join(
            _cell(ladder, row, column, _wide(head), colour) for column, head in enumerate(heads)
        )
        lines.append(f"{label:<{wide}} {ladder.elo[row]:>5.0f}  {cells}".rstrip())
    return "\n".join(lines)


def row_label(name: str) -> str:
    """A player's name at the beginning of a row: `level:3` as `3 easy`."""
    number = level_number(name)
    return name if number is None else f"{number} {LEVEL_NAMES[number]}"


def column_label(name: str) -> str:
    """A player's name at the head of a column: `level:3` as `3`."""
    number = level_number(name)
    return name if number is None else str(number)


def _wide(head: str) -> int:
    """How wide a column is below that head."""
    return max(len(head), 4)


def draw_heatmap_svg(ladder: Ladder) -> Svg:
    """The scores as a self-contained picture; each cell shows its result."""
    size = len(ladder.players)
    width, height = _LEFT + _CELL * size + 24, _TOP + _CELL * size + _FOOT
    parts = [
        svg_text(20, 50, "Points of 100 games over both seats, computed exactly."),
        *_heads(ladder),
        *(
            one
            for row in range(size)
            for column in range(size)
            for one in _box(ladder, row, column)
        ),
        svg_text(20, height - 36, "Longest chain with 60 points or more:"),
        svg_text(20, height - 16, " > ".join(map(column_label, ladder.chain))),
    ]
    title = f"{ladder.game.rulebook.title}: what each player scores"
    return svg_page(width, height, title, _STYLE, parts, 20)


def _cell(ladder: Ladder, row: int, column: int, wide: int, colour: bool) -> str:
    if row == column:
        return f"{'·':>{wide}} "
    score = ladder.score(row, column)
    text = f"{percent(score, sign=''):>{wide}} "
    if not colour:
        return text
    red, green, blue = shade(score)
    ink = PALE_INK if _is_dark(score) else INK
    return f"\x1b[48;2;{red};{green};{blue};{ink}m{text}{_RESET}"


def shade(score: float) -> tuple[int, int, int]:
    """The colour of a score, from cold over even to warm."""
    end, share = (WARM, 2 * score - 1) if score >= 0.5 else (COLD, 1 - 2 * score)
    red, green, blue = (
        round(even + (there - even) * share) for even, there in zip(EVEN, end, strict=True)
    )
    return red, green, blue


def _is_dark(score: float) -> bool:
    return abs(score - 0.5) > 0.3


def _heads(ladder: Ladder) -> Iterator[str]:
    for at, name in enumerate(ladder.players):
        middle = at * _CELL + _CELL // 2
        yield svg_text(20, _TOP + middle + 5, row_label(name))
        yield svg_text(_LEFT - 12, _TOP + middle + 5, f"{ladder.elo[at]:.0f}", "end")
        yield svg_text(_LEFT + middle, _TOP - 10, column_label(name), "middle")


def _box(ladder: Ladder, row: int, column: int) -> Iterator[str]:
    if row == column:
        return
    score = ladder.score(row, column)
    one, other = map(player_in_words, (ladder.players[row], ladder.players[column]))
    hint = f"{one} scores {percent(score, 2)} against {other}"
    x, y = _LEFT + column * _CELL, _TOP + row * _CELL
    ground = "rgb({},{},{})".format(*shade(score))
    yield svg_shape("rect", hint=hint, x=x, y=y, width=_CELL, height=_CELL, fill=ground)
    middle, kind = _CELL // 2, "pale" if _is_dark(score) else "dark"
    yield svg_text(x + middle, y + middle + 5, percent(score, sign=""), "middle", kind)


def ladder_lines(ladder: Ladder, start: Position, colour: bool) -> Iterator[str]:
    """What everybody scores against everybody, how equals do, and the range in Elo."""
    rulebook = ladder.game.rulebook
    yield f"{rulebook.title} ({rulebook.id}), {start}"
    about = (
        "What the player of each row scores in 100 games against the player of each column, half "
        "of them in each seat. A win is 1 point, a game that never ends half a point. "
        "Computed exactly."
    )
    yield fill(about, _TEXT_WIDTH)
    yield f"\n{draw_heatmap_text(ladder, colour)}\n"
    labels = [row_label(name) for name in ladder.players]
    wide = max(map(len, (*labels, "Both play as")))
    yield f"{'Both play as':<{wide}}  player 1  player 2    never    turns  value to"
    yield f"{'':<{wide}}      wins      wins     ends  on avg.  player 1"
    for at, label in enumerate(labels):
        own = ladder.results[at][at]
        plies = "-" if own.plies is None else f"{own.plies:.1f}"
        shares = "  ".join(
            f"{percent(share):>{width}}"
            for share, width in ((own.win1, 8), (own.win2, 8), (own.endless, 7))
        )
        yield f"{label:<{wide}}  {shares}  {plies:>7}  {signed_worth(own.value):>8}"
    first, last = map(player_in_words, (ladder.players[0], ladder.players[-1]))
    yield f"\nFrom {first} to {last}: {ladder.range:.0f} Elo."
    links = " > ".join(map(row_label, ladder.chain))
    chain = f"Longest chain in which each scores 60 or more against the next: {links}."
    yield fill(chain, _TEXT_WIDTH, break_on_hyphens=False)
