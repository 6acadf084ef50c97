"""A live game between people by link, or against the computer: moves, and what is agreed on."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import assert_never

from lineduel.engine import PASS, Move, Numbers
from lineduel.errors import NotNow
from lineduel.play.intents import (
    AnswerStop,
    AnswerUndo,
    AskUndo,
    ChooseNumber,
    ClaimGame,
    ClaimKind,
    GiveName,
    Intent,
    OfferRematch,
    OfferStop,
    PassTurn,
    PlayMove,
    React,
    Redo,
    Resign,
    TakeSeatBack,
)
from lineduel.play.live_events import (
    Aborted,
    Forfeited,
    FriendJoined,
    LiveEvent,
    MovePlayed,
    NameGiven,
    NumberChosen,
    Reacted,
    RematchBegun,
    RematchWanted,
    Resigned,
    SeatTaken,
    StopAgreed,
    StopOffered,
    StopRefused,
    TakenBack,
    UndoAsked,
    UndoRefused,
)
from lineduel.play.seats import GivenNames
from lineduel.play.session import Awaited, Session, Turn
from lineduel.play.view import NO_SIDES, GameView, SaidReaction, Sides
from lineduel.players import HUMAN
from lineduel.rules import Side

SUBSTITUTE = "level:5"
"""The program that takes over for somebody who is away."""
MOST_REACTIONS = 3
"""What one player can say to the other in one turn."""


class LiveGame:
    """The rules of a live game; no I/O."""

    def __init__(
        self,
        session: Session,
        *,
        is_joined: bool = True,
        events: Iterable[LiveEvent] = (),
        numbers: Mapping[Side, int] | None = None,
    ) -> None:
        """A game that goes on from a session with these events, and the numbers still secret.

        `is_joined` says whether every seat was taken at the start.
        """
        self.session = session
        self.version = 0
        """How many events there were."""
        self.is_joined = is_joined
        self.is_aborted = False
        self.rematch_id: str | None = None
        self._given_names: dict[Side, str] = {}
        self.undo_asked: UndoAsked | None = None
        """Who asks to take back, and to how many turns; if the other side plays on, it lapses."""
        self.stop_offered: Side | None = None
        """Who offers to stop; a player who moves instead of answering plays on."""
        self.stop_refused: Side | None = None
        self.rematch_wanted: set[Side] = set()
        self._reactions: dict[Side, SaidReaction] = {}
        self._said_in_turn: Counter[Side] = Counter()
        self._undone: list[tuple[MovePlayed, ...]] = []
        """What was taken back and not played over, the latest last."""
        for event in events:
            self.apply(event)
        for side, number in (numbers or {}).items():
            self.session.choose(side, number)

    # What happens

    def perform(self, intent: Intent, by: Sides, *, away: bool = False) -> list[LiveEvent]:
        """Carry out what somebody who plays these sides asks for, and return what happened.

        What is not allowed is refused, and nothing has changed then. `away` says whether the other
        player has been away long enough to be claimed against.
        """
        check_plays(by)
        match intent:
            case PlayMove(move, turn):
                self.check_turn(turn, by)
                return self._play(move)
            case PassTurn(turn):
                self.check_turn(turn, by)
                return self._play(PASS)
            case ChooseNumber(number, turn, side):
                self.check_turn(turn, by)
                return self._choose(self._chooser(side, by), number)
            case AskUndo(side):
                return self._ask_undo(self._actor(side, by), by)
            case AnswerUndo(yes, to):
                return self._answer_undo(yes, to, by)
            case Redo():
                return self._redo(by)
            case Resign(side):
                self._check_running()
                return self.happens(Resigned(self._actor(side, by)))
            case OfferStop(side):
                return self._offer_stop(self._actor(side, by), by)
            case AnswerStop(yes):
                return self._answer_stop(yes, by)
            case OfferRematch(side):
                return self._offer_rematch(self._actor(side, by), by)
            case GiveName() | React():
                return self._speak(intent, self._actor(intent.side, by))
            case ClaimGame(claim):
                return self._claim(claim, by, away)
            case TakeSeatBack():
                return self._take_seat_back(by)
            case _:
                assert_never(intent)

    def act(self, side: Side, choice: Move | int) -> list[LiveEvent]:
        """Carry out a program's choice."""
        return self._choose(side, choice) if isinstance(choice, int) else self._play(choice)

    def apply(self, event: LiveEvent) -> None:
        """Carry out what happened."""
        match event:
            case MovePlayed(side, move):
                self.session.play(move)
                self._note(move)
                self._move_on(side)
            case NumberChosen():
                pass  # the number itself is kept apart
            case TakenBack(_, plies):
                self._take_back(plies)
            case UndoAsked() | UndoRefused():
                self.undo_asked = event if isinstance(event, UndoAsked) else None
            case Resigned(side):
                self.session.resign(side)
            case Forfeited(side):
                self.session.forfeit(side)
            case Aborted():
                self.is_aborted = True
            case StopOffered() | StopRefused() | StopAgreed():
                self._stop(event)
            case SeatTaken(side, player):
                self.session.hand_over(side, player)
            case FriendJoined():
                self.is_joined = True
            case NameGiven() | Reacted():
                self._hear(event)
            case RematchWanted(side):
                self.rematch_wanted.add(side)
            case RematchBegun(id):
                self.rematch_id = id
            case _:
                assert_never(event)
        self.version += 1

    def _hear(self, event: NameGiven | Reacted) -> None:
        side = event.side
        if isinstance(event, NameGiven):
            self._given_names[side] = event.name
            return
        count = self._reactions[side].number if side in self._reactions else 0
        self._reactions[side] = SaidReaction(side, event.reaction, count + 1)
        self._said_in_turn[side] += 1

    def _take_back(self, plies: int) -> None:
        self.undo_asked = self.stop_offered = self.stop_refused = None
        if undone := self.session.take_back_to(plies):
            self._undone.append(tuple(map(_as_event, undone)))

    def _stop(self, event: StopOffered | StopRefused | StopAgreed) -> None:
        offered_by, self.stop_offered, self.stop_refused = self.stop_offered, None, None
        match event:
            case StopOffered(side):
                self.stop_offered = side
            case StopRefused(side):
                self.stop_refused = None if offered_by is side else side
            case StopAgreed():
                self.session.stop()

    def _move_on(self, side: Side | None) -> None:
        """A turn was played by that side, or by both: an offer that it leaves unanswered lapses."""
        self.stop_refused = None
        if self.undo_asked is not None and self.undo_asked.side is not side:
            self.undo_asked = None
        self._said_in_turn.clear()
        if side is not self.stop_offered:
            self.stop_offered = None

    def happens(self, event: LiveEvent) -> list[LiveEvent]:
        """Carry out one event, and return it as all that happened."""
        self.apply(event)
        return [event]

    @property
    def names(self) -> GivenNames:
        """What the players are called, if they have names; a name given later counts.

        A program that took over somebody's seat does not play under that name.
        """
        people, (one, two) = self.session.people, self.session.names
        given = {side: name for side, name in self._given_names.items() if side in people}
        return given.get(Side.ONE, one), given.get(Side.TWO, two)

    def names_after_swap(self) -> list[LiveEvent]:
        """What gives everybody the same name in another game with the seats swapped."""
        return [NameGiven(side.other, name) for side, name in sorted(self._given_names.items())]

    # Moves and numbers

    def _play(self, move: Move) -> list[LiveEvent]:
        return self._with_passes(self.happens(MovePlayed(self.session.position.side, move)))

    def _note(self, move: Move) -> None:
        """A move that was taken back and is played again leaves the rest to be played again."""
        if not self._undone:
            return
        (first, *rest) = self._undone.pop()
        if first.move != move:
            self._undone.clear()
        elif rest:
            self._undone.append(tuple(rest))

    def _choose(self, side: Side, number: int) -> list[LiveEvent]:
        turn = self.session.choose(side, number)
        if turn is None:
            return self.happens(NumberChosen(side))
        self.version += 1
        self._note(turn.move)
        self._move_on(None)
        return self._with_passes([_as_event(turn)])

    def _with_passes(self, happened: list[LiveEvent]) -> list[LiveEvent]:
        """What was played, and the passes that it forces."""
        while self.session.awaits is Awaited.PASS:
            happened += self.happens(MovePlayed(self.session.position.side, PASS))
        return happened

    # What needs both

    def _ask_undo(self, side: Side, by: Sides) -> list[LiveEvent]:
        """Take back at once where nobody else minds, else ask the other player."""
        if self.is_aborted:
            raise NotNow("The game is over.")
        if self.session.people <= by:
            left = self._plies_to_take_back(by)
            if left is None:
                raise NotNow("There is nothing to take back.")
            return self.happens(TakenBack(side, left))
        if self.undo_asked is not None:
            if self.undo_asked.side is side:
                raise NotNow("You have asked already.")
            raise NotNow("The other player asks to take back. Answer that first.")
        session = self.session
        if session.resigned is not None or session.forfeited is not None or session.agreed:
            raise NotNow("The game is over.")
        own = session.plies_before(side)
        if own is None:
            raise NotNow("You have not moved yet.")
        return self.happens(UndoAsked(side, own))

    def _plies_to_take_back(self, by: Sides) -> int | None:
        """How many turns are left when somebody takes back who need not ask; None for nothing."""
        session = self.session
        has_chosen = not by.isdisjoint(session.chosen)
        is_given_up = session.resigned is not None or session.forfeited in session.people
        if has_chosen or is_given_up or session.agreed:
            return session.plies
        latest = [session.plies_before(one) for one in by]
        return max((one for one in latest if one is not None), default=None)

    @property
    def can_redo(self) -> bool:
        """Whether something was taken back that can be played again."""
        return bool(self._undone)

    def _redo(self, by: Sides) -> list[LiveEvent]:
        """Play again what the latest undo took back, where nobody else minds."""
        if not self._undone or self.is_over or not self.session.people <= by:
            raise NotNow("There is nothing to redo.")
        return [happened for played in self._undone[-1] for happened in self.happens(played)]

    def can_undo(self, by: Sides) -> bool:
        """Whether somebody who plays these sides can take back, or ask for it."""
        session, asked = self.session, self.undo_asked
        if not by or self.is_aborted:
            return False
        if self.session.people <= by:
            return session.plies > 0 and self._plies_to_take_back(by) is not None
        is_given_up = session.resigned is not None or session.forfeited is not None
        if asked is not None or is_given_up or session.agreed:
            return False
        return any(session.plies_before(side) is not None for side in by)

    def _answer_undo(self, yes: bool, to: int | None, by: Sides) -> list[LiveEvent]:
        """Agree or not; the asker may withdraw."""
        if self.undo_asked is None:
            raise NotNow("Nobody asks to take anything back.")
        if to not in (None, self.undo_asked.plies):
            raise NotNow("That question is no longer open.")
        others = by - {self.undo_asked.side}
        if yes and not others:
            raise NotNow("The other player has to agree.")
        answering = min(others or by)
        if yes:
            return self.happens(TakenBack(answering, self.undo_asked.plies))
        return self.happens(UndoRefused(answering))

    def _offer_stop(self, side: Side, by: Sides) -> list[LiveEvent]:
        """Stop at once where both sit here or the other has offered it, else ask the other."""
        self._check_running()
        if not self.is_joined:
            raise NotNow("Your friend has not joined yet.")
        if self.stop_offered is side:
            raise NotNow("You have asked already.")
        if self.stop_offered is not None or len(by) == len(Side):
            return self.happens(StopAgreed(side))
        return self.happens(StopOffered(side))

    def _answer_stop(self, yes: bool, by: Sides) -> list[LiveEvent]:
        """Agree or not; the player who offered it may withdraw."""
        self._check_running()
        if self.stop_offered is None:
            raise NotNow("Nobody offers to stop.")
        others = by - {self.stop_offered}
        if yes and not others:
            raise NotNow("The other player has to agree.")
        return self.answer_stop(min(others or by), yes)

    def answer_stop(self, side: Side, yes: bool) -> list[LiveEvent]:
        """A person's or a program's answer to an offer to stop."""
        return self.happens(StopAgreed(side) if yes else StopRefused(side))

    @property
    def program_offered_stop(self) -> Side | None:
        """The side whose program is offered to stop."""
        if self.stop_offered is None or self.stop_offered.other in self.session.people:
            return None
        return self.stop_offered.other

    def _speak(self, intent: GiveName | React, side: Side) -> list[LiveEvent]:
        """Say one's name; or something to another person, a few times in each turn."""
        if isinstance(intent, GiveName):
            return self.happens(NameGiven(side, intent.name))
        if not self.is_joined or len(self.session.people) < len(Side):
            raise NotNow("There is nobody who would hear that.")
        if self._said_in_turn[side] >= MOST_REACTIONS:
            raise NotNow("You have said enough for this turn.")
        return self.happens(Reacted(side, intent.reaction))

    def _offer_rematch(self, side: Side, by: Sides) -> list[LiveEvent]:
        if not self.is_over:
            raise NotNow("The game is not over yet.")
        if side in self.rematch_wanted:
            raise NotNow("You have asked already.")
        happened = self.happens(RematchWanted(side))
        for other in by - {side}:
            happened += self.happens(RematchWanted(other))
        return happened

    def begins_rematch(self, by: Sides) -> bool:
        """Whether these sides are the last who have to want one."""
        wanted = self.rematch_wanted | by
        return self.is_over and self.rematch_id is None and self.session.people <= wanted

    @property
    def wants_rematch(self) -> bool:
        """Whether everybody wants to play again, and it has not begun."""
        wanted = self.rematch_wanted
        return self.rematch_id is None and bool(wanted) and self.session.people <= wanted

    def _claim(self, claim: ClaimKind, by: Sides, away: bool) -> list[LiveEvent]:
        """Because the other player is away: win, let the computer go on, or end the game."""
        self._check_running()
        (mine, *both) = sorted(by)
        other = mine.other
        if claim == "abort" and (self.session.stuck or not self.is_joined):
            return self.happens(Aborted(mine))
        if both or other not in self.session.people:
            raise NotNow("There is nobody to wait for.")
        if not away:
            raise NotNow("The other player has not been away long enough.")
        match claim:
            case "win":
                return self.happens(Forfeited(other))
            case "computer":
                return self.happens(SeatTaken(other, SUBSTITUTE))
            case "abort":
                return self.happens(Aborted(mine))
            case _:
                assert_never(claim)

    def _take_seat_back(self, by: Sides) -> list[LiveEvent]:
        self._check_running()
        side = min(by - self.session.people, default=None)
        if side is None:
            raise NotNow("You have your seat.")
        return self.happens(SeatTaken(side, HUMAN))

    # What is allowed

    def view(self, sides: Sides) -> GameView:
        """The game as somebody sees it who plays these sides, or none."""
        session, is_over = self.session, self.is_over
        position = session.position
        is_playing = self.is_joined and not (is_over or session.undecided)
        acting = sides & session.people if is_playing else NO_SIDES
        return GameView(
            sides=sides,
            people=session.people,
            asked=session.asked if is_playing else (),
            chosen=session.chosen,
            moves=session.moves if position.battle is None and position.side in acting else (),
            numbers=next((session.numbers(one) for one in session.asked if one in acting), ()),
            is_over=is_over,
            is_joined=self.is_joined,
            can_undo=self.can_undo(sides),
            undo_asked_by=self.undo_asked.side if self.undo_asked else None,
            undo_to=self.undo_asked.plies if self.undo_asked else None,
            can_offer_stop=bool(sides & session.people)
            and not is_over
            and self.is_joined
            and self.stop_offered not in sides,
            stop_offered_by=self.stop_offered,
            stop_refused_by=self.stop_refused,
            rematch_wanted=frozenset(self.rematch_wanted),
            rematch_id=self.rematch_id,
            reactions=tuple(self._reactions[side] for side in sorted(self._reactions)),
        )

    @property
    def is_over(self) -> bool:
        return self.is_aborted or self.session.is_over

    @property
    def program_asked(self) -> Side | None:
        """The side whose program is to choose now."""
        if len(self.session.people) == len(Side) or self.is_aborted or not self.is_joined:
            return None
        return self.session.program_asked

    def _check_running(self) -> None:
        if self.is_over:
            raise NotNow("The game is over.")

    def check_turn(self, turn: int | None, by: Sides) -> None:
        """Refuse a choice by these sides that is not theirs, or was meant for another turn."""
        session = self.session
        self._check_running()
        if not self.is_joined:
            raise NotNow("Your friend has not joined yet.")
        if by.isdisjoint(self.session.people):
            raise NotNow("The computer plays for you. Take your seat back first.")
        if turn != session.plies:
            raise NotNow("The game has gone on.")
        if session.position.battle is None and session.position.side not in by:
            raise NotNow("It is not your turn.")

    def _actor(self, side: Side | None, by: Sides) -> Side:
        """For whom something is asked."""
        if side is not None:
            if side not in by:
                raise NotNow("You cannot act for the other player.")
            return side
        return min(by) if len(by) == 1 else self.session.position.side

    def _chooser(self, side: Side | None, by: Sides) -> Side:
        """For whom a number is chosen."""
        mine = [one for one in self.session.asked if one in by]
        chooser = side or (mine or sorted(by))[0]
        if chooser not in by:
            raise NotNow("You cannot choose for the other player.")
        return chooser


def _as_event(turn: Turn) -> MovePlayed:
    """What happened in a turn; in a battle both chose."""
    side = None if isinstance(turn.move, Numbers) else turn.before.side
    return MovePlayed(side, turn.move)


def check_plays(by: Sides) -> None:
    """Refuse whatever a spectator asks for."""
    if not by:
        raise NotNow("You are watching this game, so you cannot act in it.")
