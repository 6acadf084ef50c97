"""One live game, without any I/O: whose turn, what has happened, secrets, undo, the result."""

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import Enum, auto
from functools import cache
from typing import NamedTuple

from lineduel.engine import PASS, Event, Game, Move, Numbers, Position, check_position
from lineduel.errors import IllegalMove, NotNow, RecordError, shown
from lineduel.play.seats import UNNAMED, GivenNames, Seats, names_of, seat_tags, seats_of
from lineduel.players import HUMAN
from lineduel.record import Record
from lineduel.rules import Side, listed

MOST_PLIES = 300
"""After this many plies a game between two programs is left undecided."""
_BOTH = tuple(Side)
_MANY_TIMES = 3
"""How often a position comes up before that is worth a word: twice happens in most games."""


class Turn(NamedTuple):
    """One move that was played, with the positions before and after it."""

    before: Position
    move: Move
    after: Position
    events: tuple[Event, ...]


class Awaited(Enum):
    """What a game waits for."""

    NOTHING = auto()
    """It is over."""
    UNDECIDED = auto()
    """Two programs have reached the limit of plies."""
    PASS = auto()
    """The side to move can only pass."""
    PROGRAM = auto()
    """A program is to move or to choose its number."""
    NUMBER = auto()
    """A person is to choose a number."""
    MOVE = auto()
    """A person is to move."""


class Session:
    """A game under way between two seats."""

    def __init__(
        self,
        game: Game,
        start: Position | None = None,
        seats: Seats = ("human", "human"),
        seed: int | None = None,
        names: GivenNames = UNNAMED,
    ) -> None:
        """A session that begins at `start`, which has to be a position of the game.

        Sessions of one rulebook may share its game, and with it what was worked out before.
        """
        if start is not None:
            check_position(game.rules, start)
        self.game = game
        self.rulebook = game.rulebook
        self.start = start or game.start()
        self._sit(seats)
        self.names = names
        """The names that the players were given."""
        self.seed = seed
        """The seed that makes the programs' choices repeatable."""
        self._turns: list[Turn] = []
        self._arrive(self.start)
        self._stood = Counter([self.start])
        """How often each position has come up in this game."""
        self._secrets: dict[Side, int] = {}
        self.resigned: Side | None = None
        self.forfeited: Side | None = None
        """The side whose program broke the protocol or the rules."""
        self.agreed = False
        """Whether both agreed to stop, so that nobody wins."""

    @classmethod
    def from_record(cls, record: Record, game: Game | None = None) -> "Session":
        """The session that played this record, by the same rulebook's game if there is one."""
        if game is not None and game.rulebook != record.rulebook:
            raise RecordError(
                f"The record was played by the rules of {shown(record.rulebook.id)}, "
                f"not by those of {shown(game.rulebook.id)}."
            )
        session = cls(
            game or Game(record.rulebook), record.start, seats_of(record), names=names_of(record)
        )
        for move in record.moves:
            session.play(move)
        session.resigned, session.forfeited = record.resigned, record.forfeited
        session.agreed = record.agreed
        return session

    @property
    def turns(self) -> tuple[Turn, ...]:
        return tuple(self._turns)

    @property
    def played(self) -> tuple[Move, ...]:
        """The moves so far."""
        return tuple(turn.move for turn in self._turns)

    @property
    def plies(self) -> int:
        """How many turns have been played."""
        return len(self._turns)

    def turns_after(self, plies: int) -> tuple[Turn, ...]:
        """The turns played after the first ones, whose number is given."""
        return tuple(self._turns[plies:])

    def plies_before(self, side: Side) -> int | None:
        """The number of turns before a side's latest choice; None if it has not chosen yet."""
        for at in range(len(self._turns) - 1, -1, -1):
            turn = self._turns[at]
            if turn.before.battle is not None or (turn.before.side is side and turn.move != PASS):
                return at
        return None

    @property
    def last_turn(self) -> Turn | None:
        return self._turns[-1] if self._turns else None

    @property
    def winner(self) -> Side | None:
        if loser := self.resigned or self.forfeited:
            return loser.other
        return self._won_by

    @property
    def is_over(self) -> bool:
        """Whether somebody has won, or both agreed to stop."""
        return bool(self._won_by or self.agreed or self.resigned or self.forfeited)

    @property
    def asked(self) -> tuple[Side, ...]:
        """Who has to act: the side to move, or every side that has not chosen a number yet."""
        if self.is_over:
            return ()
        if self.position.battle is None:
            return (self.position.side,)
        return tuple(side for side in _BOTH if side not in self._secrets)

    @property
    def chosen(self) -> tuple[Side, ...]:
        """Who has chosen a number in the open battle."""
        return tuple(side for side in _BOTH if side in self._secrets) if self._secrets else ()

    @property
    def secret_numbers(self) -> Mapping[Side, int]:
        """The numbers chosen in the open battle, for saving the game; never show them."""
        return dict(self._secrets)

    @property
    def must_pass(self) -> bool:
        """Whether the side to move can only pass."""
        return not self.is_over and self.game.moves(self.position) == (PASS,)

    @property
    def stuck(self) -> bool:
        """Whether neither side can ever move again."""
        return self.must_pass and bool(self._turns) and self._turns[-1].move == PASS

    @property
    def times(self) -> int:
        """How often the current position has come up in this game."""
        return self._stood[self.position]

    @property
    def goes_in_circles(self) -> bool:
        """Whether the present position has come up so often that players should know."""
        return not self.is_over and self.times >= _MANY_TIMES

    @property
    def closed_cycle(self) -> tuple[Turn, ...]:
        """The turns since this position came up before; none unless that is new to its player.

        It is not new if the position in which the same side was last to move had come up as often.
        """
        positions = [self.start, *(turn.after for turn in self._turns)]
        now = positions.pop()
        own_last = next((one for one in reversed(positions) if one.side is now.side), None)
        if self.times < 2 or own_last is None or self._stood[own_last] >= self.times:
            return ()
        before = len(positions) - 1 - positions[::-1].index(now)
        return tuple(self._turns[before:])

    # What the game waits for

    @property
    def awaits(self) -> Awaited:
        """What the game waits for now."""
        if self.is_over:
            return Awaited.NOTHING
        if self.must_pass and not self.stuck:
            return Awaited.PASS  # two in a row are left to people
        if self.undecided:
            return Awaited.UNDECIDED
        if self.program_asked is not None:
            return Awaited.PROGRAM
        return Awaited.MOVE if self.position.battle is None else Awaited.NUMBER

    @property
    def people_asked(self) -> tuple[Side, ...]:
        """The people who are to move, or to choose a number."""
        return tuple(side for side in self.asked if side in self.people)

    @property
    def program_asked(self) -> Side | None:
        """The side whose program is to choose now."""
        if self.stuck or self.undecided:
            return None
        return next((side for side in self.asked if side not in self.people), None)

    @property
    def undecided(self) -> bool:
        """Whether two programs have reached the limit of plies."""
        return not self.people and len(self._turns) >= MOST_PLIES

    @property
    def moves(self) -> tuple[Move, ...]:
        """The legal moves."""
        return self.game.moves(self.position)

    def numbers(self, side: Side) -> tuple[int, ...]:
        """The numbers that a side can choose from in the open battle; none without one."""
        return () if self.position.battle is None else self.game.hand(self.position, side)

    # What can be done

    def hand_over(self, side: Side, player: str) -> None:
        """Let another player take a seat, a person or a program, from here on."""
        one, two = self.seats
        self._sit((player, two) if side is Side.ONE else (one, player))

    def _sit(self, seats: Seats) -> None:
        self.seats, self.people = seats, _people(seats)
        """Who plays each side, and which sides people play."""

    def play(self, move: Move) -> Turn:
        """Play a legal move for the side to move, or both numbers of a battle."""
        self._check_running()
        before = self.position
        after = self.game.play(before, move)
        turn = Turn(before, move, after, self.game.events(before, move))
        self._turns.append(turn)
        self._arrive(after)
        self._stood[after] += 1
        self._secrets.clear()
        return turn

    def choose(self, side: Side, number: int) -> Turn | None:
        """Keep a player's number secret until both have chosen, then play them together."""
        self._check_running()
        battle = self.rulebook.rules.battle
        if self.position.battle is None or battle is None:
            raise NotNow("No battle is open, so there is no number to choose.")
        if side in self._secrets:
            raise NotNow(f"Player {side} has chosen already.")
        hand = self.numbers(side)
        if number not in hand:
            why = f"Choose a number from 1 to {battle.numbers}."
            if battle.hand.is_spent:
                why = f"Choose a number from your hand: {listed(map(str, hand), 'or')}."
            raise IllegalMove(None, self.position, (), why)
        self._secrets[side] = number
        if len(self._secrets) < len(Side):
            return None
        return self.play(Numbers(self._secrets[Side.ONE], self._secrets[Side.TWO]))

    def take_back_to(self, plies: int) -> tuple[Turn, ...]:
        """Go back to the position after this number of turns; the turns that were taken back."""
        if not 0 <= plies <= len(self._turns):
            raise NotNow("There is nothing to take back.")
        self.resigned = self.forfeited = None
        self.agreed = False
        self._secrets.clear()
        undone = self.turns_after(plies)
        self._stood.subtract(turn.after for turn in undone)
        del self._turns[plies:]
        self._arrive(undone[0].before if undone else self.position)
        return undone

    def resign(self, side: Side) -> None:
        self._check_running()
        self._secrets.clear()
        self.resigned = side

    def stop(self) -> None:
        """Both agree to stop; nobody wins."""
        self._check_running()
        self._secrets.clear()
        self.agreed = True

    def forfeit(self, side: Side) -> None:
        """A program that breaks the protocol or the rules loses the game."""
        self._check_running()
        self._secrets.clear()
        self.forfeited = side

    def record(self, tags: Iterable[tuple[str, str]] = ()) -> Record:
        """The game so far; a number that is still secret is not in it."""
        return Record.of_game(
            self.game,
            (self.start, *(turn.after for turn in self._turns)),
            self.played,
            resigned=self.resigned,
            forfeited=self.forfeited,
            agreed=self.agreed,
            tags=(*seat_tags(self.seats, self.names), *tags),
        )

    def _arrive(self, position: Position) -> None:
        self.position = position
        self._won_by = self.game.outcome(position)
        """Asked for many times a move, so it is not looked up each time."""

    def _check_running(self) -> None:
        if self.is_over:
            raise NotNow("The game is over.")


@cache
def _people(seats: Seats) -> frozenset[Side]:
    return frozenset(side for side, player in zip(Side, seats, strict=True) if player == HUMAN)
