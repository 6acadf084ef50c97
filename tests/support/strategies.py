"""Random rulebooks over the whole vocabulary, random play, and every game that is shipped.

Every rulebook drawn is valid and small: tracks of 2 to 9 cells, 1 to 3 pieces a side. What is
drawn is simple where it can be, so that a failing example shrinks to a game one can think about.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, TypeVar

from hypothesis import strategies as st

from lineduel.engine import Cells, Game, Move, Numbers, Position
from lineduel.rulebooks import SHIPPED, find_rulebook
from lineduel.rules import (
    BattleRule,
    Edge,
    Meeting,
    Piece,
    Rulebook,
    Side,
    Team,
    Track,
    rulebook_from_data,
)

ALL_GAMES = tuple(
    address
    for game in SHIPPED
    for address in (game, *(f"{game}:{one.name}" for one in find_rulebook(game).variants))
)
"""The addresses of the shipped rulebooks and of all their variants."""

NAMES = ("A", "B", "C", "P1", "P2", "P1-A", "P1-B", "S1", "S12", "p3", "Queen_1", "x", "P1-1")
"""Names for pieces, some of them beginnings of others."""

FIRST_CELLS = (0, *(sign * cell for cell in range(1, 13) for sign in (1, -1)))
COMMON_STEPS = ((1, 2), (1, -1), (1, 2, 3), (-1, 1, 0), (1,))
LONGEST_PLAY = 40
_PLACES = [st.nothing(), *(st.integers(0, most) for most in range(40))]
"""A place in a sequence of each length."""
_T = TypeVar("_T")
Data = dict[str, Any]
Camp = tuple[list[int], list[int]]
"""Where a side's pieces start, and its goal."""
Camps = tuple[Camp, Camp]


class Choices:
    """Draws one number at a time; building a strategy for every draw is slow."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def one(self, options: Sequence[_T]) -> _T:
        """One of the options; the first is the simplest."""
        return options[self._draw(_PLACES[len(options)])]

    def some(self, options: Sequence[_T], most: int) -> list[_T]:
        """One or more, which may be alike."""
        return [self.one(options) for _ in range(self.one(range(1, most + 1)))]

    def different(self, options: Sequence[_T], least: int, most: int) -> list[_T]:
        """So many at least, no two alike."""
        left = list(options)
        count = self.one(range(least, min(most, len(left)) + 1))
        return [left.pop(self._draw(_PLACES[len(left)])) for _ in range(count)]


@st.composite
def rulebook_data(draw: st.DrawFn, meetings: Sequence[Meeting] = tuple(Meeting)) -> Data:
    """A valid rulebook as the nested data of its TOML file, each key written out but for those
    that are left out at their defaults."""
    choose = Choices(draw)
    first, length = choose.one(FIRST_CELLS), choose.one(range(2, 10))
    cells = range(first, first + length)
    enemy = choose.one(meetings)
    apart = not enemy.consequences.start_together
    (homes1, goal1), (homes2, goal2) = (
        _facing(choose, cells)
        if choose.one((True, True, False))
        else _anywhere(choose, cells, apart)
    )
    count = len(homes1) + len(homes2)
    names = choose.different(NAMES, count, count)
    data: Data = {
        "title": "A Random Duel",
        "summary": "",
        "track": {"first": cells[0], "last": cells[-1]},
        "player1": {
            "pieces": dict(zip(names, homes1, strict=False)),
            "goal": goal1,
        },
        "player2": {
            "pieces": dict(zip(names[len(homes1) :], homes2, strict=True)),
            "goal": goal2,
        },
        "turn": {"first": choose.one(("player1", "player2", "either"))},
        "move": {
            "steps": _steps(choose, length),
            "edge": str(choose.one(tuple(Edge))),
            "jump": choose.one((False, True)),
        },
        "meet": {"own": choose.one(("blocked", "shared")), "enemy": str(enemy)},
    }
    for player, homes in (("player1", homes1), ("player2", homes2)):
        if (needs := choose.one(range(1, len(homes) + 1))) > 1:
            data[player]["goal_needs"] = needs
        if choose.one((False, False, True)):
            data[player]["steps"] = _steps(choose, length)
            if not _can_move(data, player):  # that is refused
                del data[player]["steps"]
        if len(homes) > 1 and choose.one((False, False, True)):
            names_here = list(data[player]["pieces"])
            data[player]["piece_steps"] = {choose.one(names_here): _steps(choose, length)}
            if not _can_move(data, player):
                del data[player]["piece_steps"]
    if choose.one((False, True)):
        data["turn"]["stuck"] = "loses"
    if enemy in (Meeting.CAPTURED, Meeting.SENT_HOME) and choose.one((False, True)):
        data["move"]["again"] = "capture"  # a key at its default is not written out
    if enemy.consequences.opens_battle:
        wins = choose.one(tuple(BattleRule))
        spends = choose.one((False, True))
        numbers: tuple[int, ...] = (3, 5) if wins is BattleRule.CYCLIC else (2, 3, 4, 5)
        if spends:  # every hand multiplies the positions
            numbers = tuple(one for one in numbers if one <= 3)
        data["battle"] = {"numbers": choose.one(numbers), "wins": str(wins)}
        if choose.one((False, True)):
            data["battle"]["loser"] = "captured"
        if (tie := choose.one(("both", "attacker", "defender", "nobody"))) != "both":
            data["battle"]["tie"] = tie
        if spends:
            data["battle"]["hand"] = "spent"
    return data


def rulebooks() -> st.SearchStrategy[Rulebook]:
    """A valid rulebook, with the plain words that every game has."""
    return rulebook_data().map(lambda data: rulebook_from_data(data, "random"))


def rulebooks_that_begin() -> st.SearchStrategy[Rulebook]:
    """A valid rulebook in which nobody has lost before the first move."""
    return rulebooks().filter(
        lambda rulebook: all(
            Game(rulebook).outcome(Game(rulebook).start(side)) is None for side in Side
        )
    )


def battle_rulebooks() -> st.SearchStrategy[Rulebook]:
    """A valid rulebook in which enemies fight battles."""
    data = rulebook_data([Meeting.BATTLE])
    return data.map(lambda made: rulebook_from_data(made, "random"))


@dataclass(frozen=True)
class Played:
    """Some play of a game, legal from first to last; it need not be over."""

    game: Game
    start: Position
    moves: tuple[Move, ...]
    positions: tuple[Position, ...]
    """Every position of it, the start included."""

    @property
    def last(self) -> Position:
        return self.positions[-1]


def played_games(rulebook: Rulebook, longest: int = LONGEST_PLAY) -> st.SearchStrategy[Played]:
    """Legal play from the start, as long as was drawn or until the game is over."""
    sides = list(Side) if rulebook.rules.first is None else [rulebook.rules.first]
    return st.builds(
        lambda side, length, seed: play_out(rulebook, side, length, Random(seed)),
        st.sampled_from(sides),
        st.sampled_from(range(longest, -1, -1)),
        st.sampled_from(range(1000)),
    )


def games_under_way(longest: int = LONGEST_PLAY) -> st.SearchStrategy[Played]:
    """A random rulebook and some play of it."""
    return rulebooks().flatmap(lambda rulebook: played_games(rulebook, longest))


def play_out(rulebook: Rulebook, first: Side | None, length: int, chance: Random) -> Played:
    """Play that many moves by chance, or as many as the game has."""
    game = Game(rulebook)
    positions = [game.start(first)]
    moves: list[Move] = []
    while len(moves) < length and (legal := game.moves(positions[-1])):
        moves.append(chance.choice(legal))
        positions.append(game.play(positions[-1], moves[-1]))
    return Played(game, positions[0], tuple(moves), tuple(positions))


def reachable(game: Game, most: int) -> list[Position]:
    """Positions that play can reach, the nearest first; all of them when they are not too many."""
    starts = Side if game.rules.first is None else (game.rules.first,)
    found = dict.fromkeys(game.start(side) for side in starts)
    waiting = list(found)
    for position in waiting:
        for move in game.moves(position):
            after = game.play(position, move)
            if after not in found and len(found) < most:
                found[after] = None
                waiting.append(after)
    return waiting


def mirrored(rulebook: Rulebook) -> Rulebook:
    """The same game seen from the other chair: players swapped, the track turned round."""
    rules = rulebook.rules
    track = Track(first=-rules.track.last, last=-rules.track.first)
    teams = (_relabelled(rules.player2, mirrored_cell), _relabelled(rules.player1, mirrored_cell))
    first = rules.first and rules.first.other
    changed = replace(rules, track=track, player1=teams[0], player2=teams[1], first=first)
    return replace(rulebook, id="mirrored", rules=changed)


def mirrored_cell(cell: int) -> int:
    return -cell


def mirrored_position(position: Position) -> Position:
    """The position that a position of a rulebook is in the mirrored rulebook."""
    battle = None if position.battle is None else mirrored_cell(position.battle)
    return Position(
        _mirrored_cells(position.player2),
        _mirrored_cells(position.player1),
        position.side.other,
        battle,
        position.hands and position.hands[::-1],
    )


def mirrored_move(move: Move) -> Move:
    """The move that a move of a rulebook is in the mirrored rulebook."""
    return Numbers(move.player2, move.player1) if isinstance(move, Numbers) else move


def _mirrored_cells(cells: Cells) -> Cells:
    return tuple(None if cell is None else mirrored_cell(cell) for cell in cells)


def _relabelled(team: Team, label: Callable[[int], int]) -> Team:
    return team._replace(
        pieces=tuple(Piece(piece.name, label(piece.home)) for piece in team.pieces),
        goal=tuple(label(cell) for cell in team.goal),
    )


def _facing(choose: Choices, cells: range) -> Camps:
    """Each side starts in its own half and wants to the far end, as in most duels."""
    half = len(cells) // 2
    return _camp(choose, cells[:half], cells[-2:]), _camp(choose, cells[-half:], cells[:2])


def _anywhere(choose: Choices, cells: range, apart: bool) -> Camps:
    """Starts and goals on any cells, on one another's too unless enemies must start apart."""
    camp1 = _camp(choose, _without(cells, [choose.one(cells)]), cells)
    shut = camp1[0] if apart else [choose.one(cells)]
    return camp1, _camp(choose, _without(cells, shut), cells)


def _camp(choose: Choices, start: Sequence[int], end: Sequence[int]) -> Camp:
    """Homes for 1 to 3 pieces among some cells, and a goal among others, apart from the homes."""
    homes = choose.some(start, 3)
    return homes, choose.different(_without(end, homes), 1, 3)


def _without(cells: Sequence[int], others: Sequence[int]) -> list[int]:
    return [cell for cell in cells if cell not in others]


def _can_move(data: Data, player: str) -> bool:
    """Whether some piece of a player could leave its home on an empty track, or stay."""
    team, track, sign = data[player], data["track"], 1 if player == "player1" else -1
    return data["move"]["edge"] == "stay" or any(
        track["first"] <= home + sign * step <= track["last"]
        for name, home in team["pieces"].items()
        for step in team.get("piece_steps", {}).get(name)
        or team.get("steps")
        or data["move"]["steps"]
    )


def _steps(choose: Choices, length: int) -> list[int]:
    """The usual steps, or any that can be made on a track of that length, and a little longer."""
    if choose.one((True, False)):
        return list(choose.one(COMMON_STEPS))
    return choose.different(range(-length, length + 1), 1, 4)
