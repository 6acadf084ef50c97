"""Random rulebooks over the whole vocabulary, random play, and every game that is shipped.

Every rulebook drawn is valid and small: tracks of 2 to 9 cells, 1 to 3 pieces a side. What is
drawn is simple where it can be, so that a failing example shrinks to a game one can think about.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

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
    for address in (game, *(f"{game}:{one.name}" for one in find_rulebook(game).readings))
)
"""The addresses of the shipped rulebooks and of all their readings."""

NAMES = ("A", "B", "C", "P1", "P2", "P1-A", "P1-B", "S1", "S12", "p3", "Queen_1", "x", "P1-1")
"""Names for pieces, some of them beginnings of others."""

USUAL_STEPS = ((1, 2), (1, -1), (1, 2, 3), (-1, 1, 0), (1,))
LONGEST_PLAY = 40
Data = dict[str, Any]
Camp = tuple[list[int], list[int]]
"""Where a side's pieces start, and its goal."""
Camps = tuple[Camp, Camp]


@st.composite
def rulebook_data(draw: st.DrawFn, meetings: Sequence[Meeting] = tuple(Meeting)) -> Data:
    """A valid rulebook as the nested data of its TOML file, every key of the rules written out."""
    first, length = draw(st.integers(-12, 12)), draw(st.sampled_from(range(2, 10)))
    cells = range(first, first + length)
    enemy = draw(st.sampled_from([str(meeting) for meeting in meetings]))
    apart = not Meeting(enemy).consequences.start_together
    facing = draw(st.sampled_from([True, True, False]))
    (homes1, goal1), (homes2, goal2) = draw(_facing(cells) if facing else _anywhere(cells, apart))
    names = draw(
        st.lists(
            st.sampled_from(NAMES),
            min_size=len(homes1) + len(homes2),
            max_size=len(homes1) + len(homes2),
            unique_by=str.upper,
        )
    )
    data = {
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
        "turn": {"first": draw(st.sampled_from(["player1", "player2", "either"]))},
        "move": {
            "steps": draw(_steps(length)),
            "edge": draw(st.sampled_from([str(edge) for edge in Edge])),
            "jump": draw(st.booleans()),
        },
        "meet": {"own": draw(st.sampled_from(["blocked", "shared"])), "enemy": enemy},
    }
    if Meeting(enemy).consequences.opens_battle:
        wins = draw(st.sampled_from([str(rule) for rule in BattleRule]))
        numbers = (3, 5) if wins == BattleRule.CYCLIC else (2, 3, 4, 5)
        data["battle"] = {"numbers": draw(st.sampled_from(numbers)), "wins": wins}
    return data


def rulebooks() -> st.SearchStrategy[Rulebook]:
    """A valid rulebook, with the plain words that every game has."""
    return rulebook_data().map(lambda data: rulebook_from_data(data, "random"))


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
    )


def mirrored_move(move: Move) -> Move:
    """The move that a move of a rulebook is in the mirrored rulebook."""
    return Numbers(move.player2, move.player1) if isinstance(move, Numbers) else move


def _mirrored_cells(cells: Cells) -> Cells:
    return tuple(None if cell is None else mirrored_cell(cell) for cell in cells)


def _relabelled(team: Team, label: Callable[[int], int]) -> Team:
    return Team(
        pieces=tuple(Piece(piece.name, label(piece.home)) for piece in team.pieces),
        goal=tuple(label(cell) for cell in team.goal),
    )


def _facing(cells: range) -> st.SearchStrategy[Camps]:
    """Each side starts in its own half and wants to the far end, as in most duels."""
    half = len(cells) // 2
    return st.tuples(_camp(cells[:half], cells[-2:]), _camp(cells[-half:], cells[:2]))


@st.composite
def _anywhere(draw: st.DrawFn, cells: range, apart: bool) -> Camps:
    """Starts and goals on any cells, on one another's too unless enemies must start apart."""
    free = draw(st.sampled_from(cells))
    camp1 = draw(_camp(_without(cells, [free]), cells))
    shut = camp1[0] if apart else [draw(st.sampled_from(cells))]
    return camp1, draw(_camp(_without(cells, shut), cells))


@st.composite
def _camp(draw: st.DrawFn, start: Sequence[int], end: Sequence[int]) -> Camp:
    """Homes for 1 to 3 pieces among some cells, and a goal among others, apart from the homes."""
    homes = draw(_some(st.sampled_from(start), 3))
    return homes, draw(_some(st.sampled_from(_without(end, homes)), 3, unique=True))


def _without(cells: Sequence[int], others: Sequence[int]) -> list[int]:
    return [cell for cell in cells if cell not in others]


def _steps(length: int) -> st.SearchStrategy[list[int]]:
    """The usual steps, or any that can be made on a track of that length, and a little longer."""
    return st.sampled_from(USUAL_STEPS).map(list) | _some(
        st.sampled_from(range(-length, length + 1)), 4, unique=True
    )


def _some(
    one: st.SearchStrategy[int], most: int, unique: bool = False
) -> st.SearchStrategy[list[int]]:
    return st.lists(one, min_size=1, max_size=most, unique=unique)
