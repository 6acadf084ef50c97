"""A rulebook ready to play: the engine's implementation of the rules."""

from itertools import product
from typing import assert_never

from lineduel.engine.events import (
    BattleOpened,
    BattleSettled,
    Captured,
    Event,
    HandFilled,
    Moved,
    MovesAgain,
    Passed,
    SentHome,
    Stayed,
    Victory,
    Won,
)
from lineduel.engine.move import PASS, Menu, Move, Numbers, Pass, Step
from lineduel.engine.obstacle import Obstacle
from lineduel.engine.position import Cells, Known, Position
from lineduel.engine.validity import check_position
from lineduel.errors import IllegalMove, NotationError, shown
from lineduel.quantities import counted
from lineduel.rules import Displacement, Rulebook, Rules, Side, listed

MOST_REMEMBERED = 1 << 17
"""Number of positions a game caches; the cache is then cleared."""


class Game:
    """A playable game: `start`, `moves`, `play` and `outcome`, on immutable positions.

    Results are cached per position, so repeated calls are look-ups. `events` describes what a move
    does.
    """

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook
        self.rules: Rules = rulebook.rules
        self._memory = object()
        self._positions: dict[Position, Position] = {}
        self._menus: dict[tuple[tuple[Move, ...], Side | None], Menu] = {}
        leaves = self.rules.pieces_leave
        self._stays_at_edge = self.rules.movement.edge.keeps_cell
        self._own_blocks = self.rules.meet.own.consequences.blocks
        self._blocks, self._displaces, self._opens_battle, self._wins, _, _, _ = (
            self.rules.meet.enemy.consequences
        )
        self._moves_again = self.rules.moves_again
        self._stuck_loses = self.rules.stuck.ends_game
        self._sizes = (len(self.rules.player1.pieces), len(self.rules.player2.pieces))
        self._places = frozenset((*self.rules.track.cells, *([None] if leaves else [])))
        self._goals = {side: frozenset(self.rules.team(side).goal) for side in Side}
        self._steps = {
            side: tuple(
                (index, Step(piece.name, step))
                for index, piece in enumerate(self.rules.team(side).pieces)
                for step in self.rules.steps_of(side, index)
            )
            for side in Side
        }
        self._indices = {
            piece.name: (side, index)
            for side in Side
            for index, piece in enumerate(self.rules.team(side).pieces)
        }
        homes = self.rules.player1.homes, self.rules.player2.homes
        battle = self.rules.battle
        self._choices = battle.whole_hand if battle else ()
        self._numbers: tuple[Move, ...] = tuple(
            Numbers(*pair) for pair in product(self._choices, self._choices)
        )
        self._spends = bool(battle and battle.hand.is_spent)
        hands = (self._choices, self._choices) if self._spends else None
        self._starts = {side: Position(*homes, side, hands=hands) for side in Side}

    # Playing

    def start(self, first: Side | None = None) -> Position:
        """The start position; `first` begins, else the side the rulebook names, else player 1."""
        side = (self.rules.first or Side.ONE) if first is None else first
        if side not in tuple(self._starts):
            raise NotationError(f"There is no side {shown(repr(first))}; the sides are 1 and 2.")
        return self._one(self._starts[side])

    def moves(self, position: Position) -> tuple[Move, ...]:
        """Legal moves in the rulebook's order; empty exactly when the game is over."""
        known = position._known
        if known.memory is self._memory:
            return known.moves
        return self._learn(position).moves

    def play(self, position: Position, move: Move) -> Position:
        """The position after a legal move; raises `IllegalMove` for any other."""
        known = position._known
        if known.memory is not self._memory:
            known = self._learn(position)
        try:
            return known.after[known.index[move]]
        except (KeyError, TypeError):  # an illegal move, or not a move at all
            raise self._refusal(position, move) from None

    def outcome(self, position: Position) -> Side | None:
        """The winner, or None if the game is not over."""
        known = position._known
        if known.memory is not self._memory:
            return self._winner(position)  # no need to find the moves
        return known.winner

    def victory(self, position: Position) -> Won | None:
        """How the game was won, or None if it is not over."""
        winner = self.outcome(position)
        return None if winner is None else self._victory(position, winner)

    def hand(self, position: Position, side: Side) -> tuple[int, ...]:
        """The numbers that a side can choose in a battle, in order; empty without battles."""
        return self._choices if position.hands is None else position.hands[side - 1]

    def choices(self, position: Position) -> tuple[Move, ...]:
        """The legal moves; in an open battle as a square, with a row for every number of player 1.

        A number there that is not in hand stands for the lowest one that is, so that battles have
        the same form whatever is in hand.
        """
        if position.hands is None or position.battle is None:
            return self.moves(position)
        rows, columns = (
            [number if number in hand else hand[0] for number in self._choices]
            for hand in position.hands
        )
        return tuple(Numbers(*pair) for pair in product(rows, columns))

    # What a move does

    def events(self, position: Position, move: Move) -> tuple[Event, ...]:
        """The events that a legal move causes, in order."""
        won = self.victory(self.play(position, move))
        events = self._carry_out(position, move)[1]
        return events if won is None else (*events, won)

    def owner(self, piece: str) -> Side:
        """The side a piece belongs to."""
        return self._place(piece)[0]

    def cell_of(self, position: Position, piece: str) -> int | None:
        """The cell of a piece, or None if it has been captured."""
        side, index = self._place(piece)
        return position.cells(side)[index]

    def landing(self, position: Position, move: Step) -> int | None:
        """The cell of a piece after its step, or None if it has been captured."""
        side, index = self._place(move.piece)
        cell = position.cells(side)[index]
        return None if cell is None else self._landing(side, cell, move.step)

    def obstacle(self, position: Position, move: Step) -> Obstacle | None:
        """What prevents a step of a piece of the side to move, or None."""
        found = self._obstacle(position, self._place(move.piece)[1], move.step)
        return found[0] if found else None

    # Applying the rules

    def _learn(self, position: Position) -> Known:
        """Compute and cache the moves, the positions they lead to, and the winner."""
        if len(self._positions) >= MOST_REMEMBERED:
            self._memory = object()
            self._positions.clear()
        memory = self._memory
        if not self._has_pieces(position):
            check_position(self.rules, position)
        winner = self._winner(position)
        menu = self._menu(() if winner else self._legal(position), winner)
        known = Known(memory, menu, self._all_after(position, menu.moves))
        position.remember(known)
        return known

    def _has_pieces(self, position: Position) -> bool:
        """Whether the pieces, cells and battle fit this game, so that later look-ups succeed."""
        player1, player2 = position.player1, position.player2
        return (
            (len(player1), len(player2)) == self._sizes
            and self._places.issuperset(player1 + player2)
            and (position.battle is None or self._opens_battle)
            and (position.hands is not None) == self._spends
            and all(map(self._is_hand, position.hands or ()))
        )

    def _is_hand(self, hand: tuple[int, ...]) -> bool:
        return bool(hand) and hand == tuple(one for one in self._choices if one in hand)

    def _place(self, piece: str) -> tuple[Side, int]:
        """The side of a piece, and its index among that side's pieces."""
        try:
            return self._indices[piece]
        except (KeyError, TypeError):
            raise NotationError(f"There is no piece called '{shown(piece)}'.") from None

    def _all_after(self, position: Position, moves: tuple[Move, ...]) -> tuple[Position, ...]:
        battle = self.rules.battle
        if position.battle is None or battle is None or self._spends:
            return tuple(self._one(self._carry_out(position, move)[0]) for move in moves)
        # All pairs of numbers in a battle have one of only three results.
        after: dict[Side | None, Position] = {}
        for move in moves:
            winner = battle.winner(*move)
            if winner not in after:
                after[winner] = self._one(self._carry_out(position, move)[0])
        return tuple(after[battle.winner(*move)] for move in moves)

    def _one(self, position: Position) -> Position:
        """The same object for equal positions, so that each is computed only once."""
        return self._positions.setdefault(position, position)

    def _menu(self, moves: tuple[Move, ...], winner: Side | None) -> Menu:
        """The same object for equal menus; there are few different ones."""
        menu = self._menus.get((moves, winner))
        if menu is None:
            menu = self._menus[moves, winner] = Menu(moves, winner)
        return menu

    def _winner(self, position: Position) -> Side | None:
        if position.battle is not None:
            return None
        player1, player2 = position.player1, position.player2
        if not self._goals[Side.ONE].isdisjoint(player1) and self.rules.player1.has_arrived(
            player1
        ):
            return Side.ONE
        if not self._goals[Side.TWO].isdisjoint(player2) and self.rules.player2.has_arrived(
            player2
        ):
            return Side.TWO
        gone1, gone2 = player1.count(None) == len(player1), player2.count(None) == len(player2)
        if gone1 and gone2:
            return position.side  # the side to move after a battle did not attack
        if gone1 or gone2:
            return Side.TWO if gone1 else Side.ONE
        if self._wins and not set(player1).isdisjoint(player2):
            return position.side.other
        if self._stuck_loses and self._legal(position) == (PASS,):
            return position.side.other
        return None

    def _victory(self, position: Position, winner: Side) -> Won:
        """How a finished game was won, with which piece and on which cell."""
        cells, pieces = position.cells(winner), self.rules.team(winner).pieces
        has_arrived = self.rules.team(winner).has_arrived(cells)
        for piece, cell in zip(pieces, cells, strict=True):
            if has_arrived and cell in self._goals[winner]:
                return Won(winner, Victory.GOAL, piece.name, cell)
        for cell in position.shared_cells() if self._wins else ():
            return Won(winner, Victory.LANDED, pieces[cells.index(cell)].name, cell)
        if all(cell is None for cell in cells):
            return Won(winner, Victory.BOTH_GONE)
        taken = all(cell is None for cell in position.cells(winner.other))
        return Won(winner, Victory.CAPTURED_ALL if taken else Victory.STUCK)

    def _legal(self, position: Position) -> tuple[Move, ...]:
        if position.hands is not None and position.battle is not None:
            return tuple(Numbers(*pair) for pair in product(*position.hands))
        if position.battle is not None:
            return self._numbers
        steps = tuple(
            step
            for index, step in self._steps[position.side]
            if self._obstacle(position, index, step.step) is None
        )
        return steps or (PASS,)

    def _obstacle(self, position: Position, index: int, step: int) -> tuple[Obstacle, int] | None:
        """What prevents that step of the side to move, and on which cell; None if it is legal."""
        side, track = position.side, self.rules.track
        mine, theirs = position.cells(side), position.cells(side.other)
        cell = mine[index]
        if cell is None:
            return Obstacle.GONE, 0
        target = cell + side.direction * step
        if target not in track:
            return None if self._stays_at_edge else (Obstacle.EDGE, target)
        if step == 0:
            return None
        if not self.rules.movement.jump:
            for passed in range(min(cell, target) + 1, max(cell, target)):
                if passed in mine or passed in theirs:
                    return Obstacle.BETWEEN, passed
        if target in mine and self._own_blocks:
            return Obstacle.OWN, target
        if target in theirs and self._blocks:
            return Obstacle.ENEMY, target
        return None

    def _refusal(self, position: Position, move: Move) -> IllegalMove:
        legal = self.moves(position)
        if not legal:
            why = f"The game is over, so {move} cannot be played."
        elif position.battle is not None:
            last = legal[-1]
            why = f"A battle is open, so the move is two numbers up to {last}, not {move}."
            if position.hands is not None:
                one, two = (listed(map(str, hand), "or") for hand in position.hands)
                why = (
                    f"A battle is open, so the move is two numbers in hand, "
                    f"{one} of player 1 and {two} of player 2, not {move}."
                )
        else:
            why = self._why_not(position, move)
        return IllegalMove(move, position, legal, why)

    def _why_not(self, position: Position, move: Move) -> str:
        match move:
            case Numbers():
                return f"No battle is open, so {move} cannot be played."
            case Pass():
                return "A turn can be passed only when there is no legal move."
            case Step():
                return self._why_no_step(position, move)
            case _:
                return f"{shown(move)} is not a move."

    def _why_no_step(self, position: Position, move: Step) -> str:
        if move.piece not in self._indices:
            return f"There is no piece called {move.piece}."
        side, index = self._indices[move.piece]
        if side is not position.side:
            return f"{move.piece} belongs to player {side}, and it is player {side.other}'s turn."
        steps = self.rules.steps_of(side, index)
        if move.step not in steps:
            goes = listed(map(str, steps), "or")
            return f"{move.piece} cannot go {counted(move.step, 'cell')}; it goes {goes}."
        obstacle = self._obstacle(position, index, move.step)
        assert obstacle is not None
        return f"{move} is illegal: {obstacle[0].told(obstacle[1])}."

    def _carry_out(self, position: Position, move: Move) -> tuple[Position, tuple[Event, ...]]:
        """The position after a move known to be legal, and its events except a victory."""
        match move:
            case Pass():
                return _turned(position), (Passed(position.side),)
            case Numbers():
                return self._settle(position, move)
            case Step():
                return self._step(position, move)
            case _:
                assert_never(move)

    def _landing(self, side: Side, cell: int, step: int) -> int:
        target = cell + side.direction * step
        return target if target in self.rules.track else cell

    def _step(self, position: Position, move: Step) -> tuple[Position, tuple[Event, ...]]:
        side = position.side
        index = self._indices[move.piece][1]
        mine, theirs = position.cells(side), position.cells(side.other)
        start = mine[index]
        assert start is not None
        end = self._landing(side, start, move.step)
        if end == start:
            stayed = Stayed(side, move.piece, move.step, start)
            return _turned(position), (stayed,)
        mine = (*mine[:index], end, *mine[index + 1 :])
        events: list[Event] = [Moved(side, move.piece, move.step, start, end)]
        battle = None
        if end in theirs:
            theirs = self._displaced(self._displaces, side.other, theirs, end, events)
            if self._opens_battle:
                battle = end
                events.append(BattleOpened(end))
        displaced = theirs != position.cells(side.other)
        if displaced and self._moves_again:
            again = _arranged(position, mine, theirs, side, None)
            if self._winner(again) is None and self._legal(again) != (PASS,):
                return again, (*events, MovesAgain(side))
        return _arranged(position, mine, theirs, side.other, battle), tuple(events)

    def _settle(self, position: Position, move: Numbers) -> tuple[Position, tuple[Event, ...]]:
        cell, battle = position.battle, self.rules.battle
        assert cell is not None
        assert battle is not None
        winner = battle.winner(*move)
        events: list[Event] = [BattleSettled(cell, *move, winner)]
        cells = {side: position.cells(side) for side in Side}
        for side in battle.losers(*move, attacker=position.side.other):
            cells[side] = self._displaced(battle.displaces, side, cells[side], cell, events)
        hands = position.hands
        if hands is not None:
            hands = (
                battle.hand_after(hands[0], move.player1),
                battle.hand_after(hands[1], move.player2),
            )
            last = (side for side in Side if len(self.hand(position, side)) == 1)
            events.extend(map(HandFilled, last))
        after = Position(cells[Side.ONE], cells[Side.TWO], position.side, None, hands)
        return after, tuple(events)

    def _displaced(
        self, displaces: Displacement, side: Side, cells: Cells, cell: int, events: list[Event]
    ) -> Cells:
        """The cells of a side after all its pieces on that cell have been displaced."""
        match displaces:
            case Displacement.NONE:
                return cells
            case Displacement.OUT:
                return self._captured(side, cells, cell, events)
            case Displacement.HOME:
                return self._sent_home(side, cells, cell, events)
            case _:
                assert_never(displaces)

    def _captured(self, side: Side, cells: Cells, cell: int, events: list[Event]) -> Cells:
        for piece, stands in zip(self.rules.team(side).pieces, cells, strict=True):
            if stands == cell:
                events.append(Captured(side, piece.name, cell))
        return tuple(None if stands == cell else stands for stands in cells)

    def _sent_home(self, side: Side, cells: Cells, cell: int, events: list[Event]) -> Cells:
        pieces = self.rules.team(side).pieces
        for piece, stands in zip(pieces, cells, strict=True):
            if stands == cell != piece.home:
                events.append(SentHome(side, piece.name, cell, piece.home))
        return tuple(
            piece.home if stands == cell else stands
            for piece, stands in zip(pieces, cells, strict=True)
        )


def _turned(position: Position) -> Position:
    return Position(position.player1, position.player2, position.side.other, None, position.hands)


def _arranged(
    before: Position, mine: Cells, theirs: Cells, to_move: Side, battle: int | None
) -> Position:
    """The position after a step of the side that had the turn."""
    cells = (mine, theirs) if before.side is Side.ONE else (theirs, mine)
    return Position(*cells, to_move, battle, before.hands)
