"""What a move does that matters, what a side threatens, what a piece guards, and a race to a goal.

All of it follows from the rules alone; no value is asked for.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from lineduel.engine import (
    BattleOpened,
    Captured,
    Game,
    Move,
    Moved,
    Position,
    SentHome,
    Step,
    Victory,
    Won,
)
from lineduel.rules import Rules, Side

MOST_FORMATIONS = 5_000
"""How many formations of a side are looked at for a race; a larger race is not judged."""


class Act(StrEnum):
    """What a move can do besides moving a piece, the gravest first."""

    REACHES_GOAL = "reaches goal"
    TAKES_LAST = "takes last"
    LANDS = "lands"
    """On an enemy, which wins where the rules say so."""
    TRAPS = "traps"
    """Leaves the enemy without a legal move, which wins where the rules say so."""
    TAKES = "takes"
    SENDS_HOME = "sends home"
    BATTLE = "battle"
    BLOCKS = "blocks"
    THREATENS = "threatens"
    """To win with the next move and the extra moves that it earns, which nothing can prevent."""

    @property
    def wins(self) -> bool:
        """Whether the game is over with it."""
        return self in (Act.REACHES_GOAL, Act.TAKES_LAST, Act.LANDS, Act.TRAPS)

    @property
    def strikes(self) -> bool:
        """Whether it takes, sends home or wins."""
        return self.wins or self in (Act.TAKES, Act.SENDS_HOME)

    @property
    def is_quiet(self) -> bool:
        """Whether no other piece is touched by it and the game goes on."""
        return self in (Act.BLOCKS, Act.THREATENS)


_VICTORIES = {
    Victory.GOAL: Act.REACHES_GOAL,
    Victory.CAPTURED_ALL: Act.TAKES_LAST,
    Victory.LANDED: Act.LANDS,
    Victory.STUCK: Act.TRAPS,
}


class Deed(NamedTuple):
    """What a piece does by going from one cell to another."""

    act: Act
    side: Side
    piece: str
    start: int
    cell: int
    victims: tuple[str, ...] = ()
    """The enemies that are taken, sent home or met in battle, or that cannot go forward then."""

    def is_like(self, other: "Deed") -> bool:
        """Whether it does the same to the same pieces, with whichever piece."""
        return (self.act, self.side, self.victims) == (other.act, other.side, other.victims)

    def repeats(self, other: "Deed") -> bool:
        """Whether it does the same, or strikes one of the same pieces in any way."""
        if self.act.is_quiet or other.act.is_quiet:
            return self.is_like(other)
        return self.is_like(other) or not set(self.victims).isdisjoint(other.victims)


def turned_to(position: Position, side: Side) -> Position:
    """The same position with that side to move."""
    if position.side is side:
        return position
    return Position(position.player1, position.player2, side, position.battle, position.hands)


def deed_of(game: Game, position: Position, move: Move) -> Deed | None:
    """The gravest thing that a step does; None for one that only moves a piece."""
    if not isinstance(move, Step) or landing_cell(game, position, move) is None:
        return None
    if loud := _loud_deed(game, position, move):
        return loud
    start, cell = game.cell_of(position, move.piece), landing_cell(game, position, move)
    assert start is not None
    assert cell is not None
    quiet = position.side, move.piece, start, cell
    if stuck := _stuck_by(game, position, move):
        return Deed(Act.BLOCKS, *quiet, stuck)
    if is_race(game, position):  # turns alone decide, which says more
        return None
    after = game.play(position, move)
    return Deed(Act.THREATENS, *quiet) if _cannot_be_stopped(game, after, position.side) else None


def _loud_deed(game: Game, position: Position, move: Step) -> Deed | None:
    """What a step does to other pieces, or wins."""
    side, events = position.side, game.events(position, move)
    moved = events[0]
    if not isinstance(moved, Moved):
        return None
    _, piece, _, start, cell = moved
    taken = tuple(event.piece for event in events if isinstance(event, Captured))
    sent = tuple(event.piece for event in events if isinstance(event, SentHome))
    for event in events:
        if isinstance(event, Won) and event.side is side and event.victory in _VICTORIES:
            act = _VICTORIES[event.victory]
            met = _standing(game, position, side.other, cell) if act is Act.LANDS else taken
            return Deed(act, side, piece, start, cell, met)
    if taken:
        return Deed(Act.TAKES, side, piece, start, cell, taken)
    if sent:
        return Deed(Act.SENDS_HOME, side, piece, start, cell, sent)
    if any(isinstance(event, BattleOpened) for event in events):
        met = _standing(game, position, side.other, cell)
        return Deed(Act.BATTLE, side, piece, start, cell, met)
    return None


def threats(game: Game, position: Position, side: Side) -> Iterator[tuple[Move, Deed]]:
    """The moves of a side, if it had the turn, that take, send home, open a battle or win."""
    turned = turned_to(position, side)
    for move in game.moves(turned):
        deed = _loud_deed(game, turned, move) if isinstance(move, Step) else None
        if deed is not None:
            yield move, deed


def in_danger(game: Game, position: Position) -> tuple[str, ...]:
    """The pieces of the side to move that the other side could strike if it had the turn."""
    struck = threats(game, position, position.side.other)
    return tuple(dict.fromkeys(victim for _, deed in struck for victim in deed.victims))


def cells_lost(game: Game, deed: Deed) -> int:
    """How many cells the pieces that are sent home are thrown back; 0 where none is."""
    if deed.act is not Act.SENDS_HOME:
        return 0
    homes = {piece.name: piece.home for piece in game.rules.team(deed.side.other).pieces}
    return sum(abs(deed.cell - homes[victim]) for victim in deed.victims)


def landing_cell(game: Game, position: Position, move: Move) -> int | None:
    """The cell that a step goes to; None if the piece keeps its cell or no piece moves."""
    if not isinstance(move, Step):
        return None
    landing = game.landing(position, move)
    return None if landing == game.cell_of(position, move.piece) else landing


def guards(game: Game, position: Position, piece: str, cell: int) -> bool:
    """Whether a piece guards a cell.

    It stands there and makes entering illegal or a battle, or it could move there after any enemy
    move to the cell that does not end the game. Where nothing happens to pieces that meet, there
    are no guards.
    """
    owner, meeting = game.owner(piece), game.rules.meet.enemy.consequences
    if game.cell_of(position, piece) == cell:
        return meeting.blocks or meeting.opens_battle
    if not meeting.changes_something:
        return False
    enemy = turned_to(position, owner.other)
    entered = False
    for move in game.moves(enemy):
        if landing_cell(game, enemy, move) != cell:
            continue
        after = game.play(enemy, move)
        if game.outcome(after) is not None:
            continue
        if after.battle is not None or not _can_reach(game, turned_to(after, owner), piece, cell):
            return False
        entered = True
    return entered


class Needs(NamedTuple):
    """How many turns of its own each side needs to a goal while the other stands still."""

    player1: int | None
    player2: int | None

    def of(self, side: Side) -> int | None:
        """A side's need; None if it can never reach a goal."""
        return self.player1 if side is Side.ONE else self.player2

    def winner(self, first: Side) -> tuple[Side, int] | None:
        """Who wins if that side moves first, and in how many turns of both; None if nobody does."""
        own, other = self.of(first), self.of(first.other)
        if own is not None and (other is None or own <= other):
            return first, 2 * own - 1
        return None if other is None else (first.other, 2 * other)


def is_race(game: Game, position: Position) -> bool:
    """Whether nothing meets on the way any more, so that turns alone decide.

    That is so where no piece can go back and all enemies have passed each other, and everywhere
    in games whose enemies are never in each other's way.
    """
    if position.battle is not None or game.outcome(position) is not None:
        return False
    rules = game.rules
    if _may_lose_stuck(rules):
        return False
    meeting = rules.meet.enemy.consequences
    passes = rules.movement.jump or max(map(abs, rules.all_steps)) <= 1
    if passes and not meeting.blocks and not meeting.changes_something:
        return True
    ones = [cell for cell in position.player1 if cell is not None]
    twos = [cell for cell in position.player2 if cell is not None]
    return min(rules.all_steps) >= 0 and min(ones) >= max(twos)


def _may_lose_stuck(rules: Rules) -> bool:
    """Whether a side may lose for want of a legal move, before anybody reaches a goal."""
    if not rules.stuck.ends_game:
        return False
    return not all(
        0 in rules.steps_of(side, place)
        for side in Side
        for place in range(len(rules.team(side).pieces))
    )


def racing_piece(game: Game, position: Position, side: Side) -> tuple[str, int] | None:
    """A side's fastest piece that has passed every enemy, and its turns to a goal, if any.

    Nothing can stop it where no piece can go back.
    """
    rules = game.rules
    if position.battle is not None or game.outcome(position) is not None:
        return None
    if _may_lose_stuck(rules) or min(rules.all_steps) < 0 or rules.team(side).goal_needs > 1:
        return None
    enemies = [side.direction * cell for cell in position.cells(side.other) if cell is not None]
    found: list[tuple[str, int]] = []
    for place, cell in enumerate(position.cells(side)):
        if cell is None or side.direction * cell < max(enemies):
            continue
        turns = _turns_alone(game, side, place, cell)
        if turns is not None:
            found.append((rules.team(side).pieces[place].name, turns))
    return min(found, default=None, key=lambda one: one[1])


def needs_of(game: Game, position: Position) -> Needs | None:
    """The needs of both sides in a race; None if there are too many formations to look at."""
    try:
        return Needs(*(_need(game, position, side) for side in Side))
    except _TooMany:
        return None


def least_need(game: Game, position: Position, side: Side) -> int | None:
    """The fewest turns of a side to a goal if its pieces were never in each other's way."""
    team = game.rules.team(side)
    turns = [
        0 if cell in team.goal else _turns_alone(game, side, place, cell)
        for place, cell in enumerate(position.cells(side))
        if cell is not None
    ]
    fastest = sorted(one for one in turns if one is not None)[: team.goal_needs]
    return sum(fastest) if len(fastest) == team.goal_needs else None


class _TooMany(Exception):
    """There are more formations than are looked at."""


def _need(game: Game, position: Position, side: Side) -> int | None:
    """The fewest own turns to a goal with the other side still, breadth first.

    Most often one piece goes all the way, as fast as on an empty track; then no other formation
    has to be looked at.
    """
    pieces = game.rules.team(side).pieces
    alone = {
        piece.name: _turns_alone(game, side, place, cell)
        for place, (piece, cell) in enumerate(zip(pieces, position.cells(side), strict=True))
        if cell is not None
    }
    least = min((turns for turns in alone.values() if turns is not None), default=None)
    if least is None:
        return None
    for piece, turns in alone.items():
        if turns == least and _turns_to_goal(game, position, side, piece, least) == least:
            return least
    return _turns_to_goal(game, position, side)


def _turns_alone(game: Game, side: Side, place: int, cell: int) -> int | None:
    """The fewest turns of a side's piece from a cell to a goal on an empty track."""
    rules = game.rules
    reached, seen, turns = {cell}, {cell}, 0
    while reached:
        turns += 1
        reached = {
            at + side.direction * step
            for at in reached
            for step in rules.steps_of(side, place)
            if at + side.direction * step in rules.track
        } - seen
        if not reached.isdisjoint(rules.team(side).goal):
            return turns
        seen |= reached
    return None


def _turns_to_goal(
    game: Game, position: Position, side: Side, piece: str | None = None, most: int | None = None
) -> int | None:
    """The fewest turns of a side to a goal, with one piece or with any; None if there are none.

    `most` is how many turns are looked at.
    """
    waiting, turns = [turned_to(position, side)], 0
    seen = set(waiting)
    while waiting and turns != most:
        turns += 1
        reached: list[Position] = []
        for one in waiting:
            for move in game.moves(one):
                if piece is not None and (not isinstance(move, Step) or move.piece != piece):
                    continue
                after = game.play(one, move)
                won = game.victory(after)
                if won and won.side is side and won.victory is Victory.GOAL:
                    return turns
                after = turned_to(after, side)
                if after not in seen:
                    seen.add(after)
                    reached.append(after)
        if len(seen) > MOST_FORMATIONS:
            raise _TooMany
        waiting = reached
    return None


def _can_reach(game: Game, position: Position, piece: str, cell: int) -> bool:
    return any(
        isinstance(move, Step)
        and move.piece == piece
        and landing_cell(game, position, move) == cell
        for move in game.moves(position)
    )


def _standing(game: Game, position: Position, side: Side, cell: int) -> tuple[str, ...]:
    """The pieces of a side on a cell."""
    pieces = game.rules.team(side).pieces
    return tuple(
        piece.name
        for piece, stands in zip(pieces, position.cells(side), strict=True)
        if stands == cell
    )


def _stuck_by(game: Game, position: Position, move: Move) -> tuple[str, ...]:
    """The enemies that cannot go forward after a move, if one of them could before it.

    A piece without a cell to go to on the track is not stuck.
    """
    rules, enemy = game.rules, position.side.other
    if rules.movement.jump and not rules.meet.enemy.consequences.blocks:
        return ()  # no piece stands in another's way
    after = game.play(position, move)
    if game.outcome(after) is not None:
        return ()
    before, now = (advancing(game, one, enemy) for one in (position, after))
    return () if set(before) <= set(now) else stuck(game, after, enemy)


def stuck(game: Game, position: Position, side: Side) -> tuple[str, ...]:
    """The pieces of a side that could go forward on an empty track and cannot now."""
    rules, can = game.rules, advancing(game, position, side)
    return tuple(
        piece.name
        for place, piece in enumerate(rules.team(side).pieces)
        if piece.name not in can
        and (cell := position.cells(side)[place]) is not None
        and any(
            step > 0 and cell + side.direction * step in rules.track
            for step in rules.steps_of(side, place)
        )
    )


def _cannot_be_stopped(game: Game, position: Position, side: Side) -> bool:
    """Whether a side wins with its next move, whatever the other side to move plays."""
    if position.side is side or position.battle is not None or game.outcome(position) is not None:
        return False
    if not _can_win(game, turned_to(position, side), side):
        return False
    return all(_can_win(game, game.play(position, move), side) for move in game.moves(position))


def _can_win(game: Game, position: Position, side: Side) -> bool:
    """Whether a side is to move and wins with a move, or with the extra moves that it earns."""
    if position.side is not side or position.battle is not None:
        return False
    if game.outcome(position) is not None:
        return False
    for move in game.moves(position):
        after = game.play(position, move)
        won = game.victory(after)
        if (won is not None and won.side is side) or _can_win(game, after, side):
            return True  # at once, or with an extra move
    return False


def advancing(game: Game, position: Position, side: Side) -> tuple[str, ...]:
    """The pieces of a side that could go forward if it had the turn."""
    turned = turned_to(position, side)
    steps = (
        move.piece
        for move in game.moves(turned)
        if isinstance(move, Step) and move.step > 0 and landing_cell(game, turned, move) is not None
    )
    return tuple(dict.fromkeys(steps))
