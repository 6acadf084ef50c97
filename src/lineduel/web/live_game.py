"""A live game between people by link, or against the computer: a match, and what is agreed on.

Everything that happens is a `Happening`. Applied in order they give the same game again, which is
how a game comes back from the database, or to another process.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Literal, NamedTuple

import msgspec

from lineduel.documents import (
    SIDE_IDS,
    SIDES,
    ClaimState,
    LiveResult,
    LiveTurn,
    LiveView,
    PossibleMove,
    Presence,
    RematchState,
    SideId,
    UndoState,
    encoded,
    log_lines,
)
from lineduel.engine import PASS, Move
from lineduel.errors import NotationError, NotNow
from lineduel.match import Awaited, Match
from lineduel.players import HUMAN, player_in_words
from lineduel.preferences import check_name
from lineduel.record import parse_move, read_position
from lineduel.rules import Side
from lineduel.session import (
    Session,
    Turn,
    read_answer,
    result_sentence,
    status_sentence,
)
from lineduel.web.rulebook_shelf import PlayedRulebook, RulebookText

Sides = frozenset[Side]
"""The sides that somebody plays: none for a spectator, both at one screen."""
NO_SIDES: Sides = frozenset()
SUBSTITUTE = "level:5"
"""The program that takes over for somebody who is away."""
_COMPUTER = "Computer"

ClaimKind = Literal["win", "computer", "abort"]


class Request(msgspec.Struct, forbid_unknown_fields=True):
    """What somebody in a live game asks for."""

    do: Literal[
        "move",
        "number",
        "pass",
        "undo",
        "undo-answer",
        "resign",
        "rematch",
        "name",
        "claim",
        "return",
        "view",
    ]
    id: int | None = None
    """Comes back with the answer."""
    turn: int | None = None
    """The turn that was seen; a move that was meant for another one is refused."""
    move: str | None = None
    number: int | None = None
    side: SideId | None = None
    """For whom, where one screen plays both sides."""
    yes: bool | None = None
    name: str | None = None
    claim: ClaimKind | None = None


class Happening(NamedTuple):
    """One thing that happened in a live game, as it is stored."""

    kind: str
    side: int
    """1 or 2; 0 where it concerns both."""
    text: str


class GameInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What a live game is, from its creation on."""

    id: str
    rulebook: RulebookText
    start: str
    """The position it begins with."""
    seats: tuple[str, str]
    """Who plays each side: `human`, or a program."""
    seat_hashes: tuple[str | None, str | None]
    """The hash of each seat's token; None for a program, and until somebody has joined."""
    invite_hash: str | None
    spectator_hash: str | None


class LiveGame:
    """The rules of a live game, and what each audience sees of it; no I/O."""

    def __init__(
        self,
        info: GameInfo,
        played: PlayedRulebook,
        happenings: Iterable[Happening] = (),
        numbers: Mapping[Side, int] | None = None,
    ) -> None:
        """A game as it stands after these happenings, with the numbers that are still secret."""
        start = read_position(played.game, info.start)
        self.info = info
        self.match = Match(Session(played.game, start, info.seats), None, clock=_no_clock)
        self.version = 0
        self.is_joined = None not in (
            kept or seat != HUMAN or None
            for kept, seat in zip(info.seat_hashes, info.seats, strict=True)
        )
        self.rematch_id: str | None = None
        self._played = played
        self._given_names: dict[Side, str] = {}
        self._undo_asked: tuple[Side, int] | None = None
        """Who asks to take back, and to how many turns; moves played meanwhile do not change it."""
        self._rematch: set[Side] = set()
        self._is_aborted = False
        for happening in happenings:
            self.apply(happening)
        for side, number in (numbers or {}).items():
            self.match.choose(side, number)

    # What happens

    def perform(self, request: Request, sides: Sides, claimable: bool) -> list[Happening]:
        """Carry out a request of whoever plays these sides, and return what happened.

        What is not allowed is refused, and nothing has changed then. `claimable` says whether the
        other player has been away long enough.
        """
        if not sides:
            raise NotNow("You are watching this game, so you cannot act in it.")
        match request.do:
            case "move":
                return self._move(request, sides)
            case "pass":
                self._check_turn(request, sides)
                return self._play(PASS)
            case "number":
                return self._number(request, sides)
            case "undo":
                return self._ask_undo(self._actor(request, sides), sides)
            case "undo-answer":
                return self._answer_undo(request, sides)
            case "resign":
                self._check_running()
                return self._happens("resign", self._actor(request, sides))
            case "rematch":
                return self._offer_rematch(self._actor(request, sides), sides)
            case "name":
                return self._happens(
                    "name", self._actor(request, sides), check_name(request.name or "")
                )
            case "claim":
                return self._claim(request, sides, claimable)
            case "return":
                return self._return(sides)
            case "view":
                return []

    def act(self, side: Side, choice: Move | int) -> list[Happening]:
        """Carry out a program's choice."""
        if isinstance(choice, int):
            return self._choose(side, choice)
        return self._play(choice)

    def apply(self, happening: Happening) -> Turn | None:
        """Carry out what happened; the turn that it completed, if it did."""
        turn = self._apply(happening)
        self.version += 1
        return turn

    def _apply(self, happening: Happening) -> Turn | None:
        kind, number, text = happening
        match kind:
            case "move":
                return self.match.play(parse_move(text))
            case "number":
                return None  # the number itself is kept apart
            case "undo":
                self.match.take_back_to(int(text))
                self._undo_asked = None
            case "undo-ask":
                self._undo_asked = Side(number), int(text)
            case "undo-no":
                self._undo_asked = None
            case "resign":
                self.match.resign(Side(number))
            case "forfeit":
                self.match.forfeit(Side(number))
            case "abort":
                self._is_aborted = True
            case "seat":
                self.match.hand_over(Side(number), text)
            case "join":
                self.is_joined = True
            case "name":
                self._given_names[Side(number)] = text
            case "rematch":
                self._rematch.add(Side(number))
            case "rematch-id":
                self.rematch_id = text
            case _:
                raise NotationError(f"'{kind}' cannot happen in a live game.")
        return None

    def _happens(self, kind: str, side: Side | None = None, text: str = "") -> list[Happening]:
        happening = Happening(kind, side or 0, text)
        self.apply(happening)
        return [happening]

    def join(self) -> list[Happening]:
        """Somebody took the open seat."""
        return self._happens("join")

    def forfeit(self, side: Side) -> list[Happening]:
        """A program could not play."""
        return self._happens("forfeit", side)

    def begin_rematch(self, id: str) -> list[Happening]:
        """Both go on in another game."""
        return self._happens("rematch-id", None, id)

    def names_after_swap(self) -> list[Happening]:
        """What gives everybody the same name in another game with the seats swapped."""
        return [
            Happening("name", side.other, name) for side, name in sorted(self._given_names.items())
        ]

    # Moves and numbers

    def _move(self, request: Request, sides: Sides) -> list[Happening]:
        self._check_turn(request, sides)
        if request.move is None:
            raise NotationError("A move is missing.")
        position = self.match.session.position
        if position.battle is not None:
            raise NotNow("A battle is open: choose a number.")
        move = self._played.notations(position).get(request.move)
        if move is None:
            if len(request.move) > 60:
                raise NotationError("That is too long for a move.")
            move = read_answer(self._played.game, position, request.move)
        return self._play(move)

    def _play(self, move: Move) -> list[Happening]:
        """Play a move, and the passes that it forces."""
        mover = self.match.session.position.side
        self.match.play(move)
        happened = [Happening("move", mover, str(move))]
        while self.match.awaits is Awaited.PASS:
            mover = self.match.session.position.side
            self.match.pass_turn()
            happened.append(Happening("move", mover, str(PASS)))
        self.version += len(happened)
        return happened

    def _number(self, request: Request, sides: Sides) -> list[Happening]:
        self._check_turn(request, sides)
        if request.number is None:
            raise NotationError("A number is missing.")
        mine = [side for side in self.match.session.asked if side in sides]
        side = SIDES[request.side] if request.side else (mine or sorted(sides))[0]
        if side not in sides:
            raise NotNow("You cannot choose for the other player.")
        return self._choose(side, request.number)

    def _choose(self, side: Side, number: int) -> list[Happening]:
        turn = self.match.choose(side, number)
        if turn is None:
            self.version += 1
            return [Happening("number", side, "")]
        happened = [Happening("move", 0, str(turn.move))]
        while self.match.awaits is Awaited.PASS:
            mover = self.match.session.position.side
            self.match.pass_turn()
            happened.append(Happening("move", mover, str(PASS)))
        self.version += len(happened)
        return happened

    # What needs both

    def _ask_undo(self, side: Side, sides: Sides) -> list[Happening]:
        """Take back at once where nobody else minds, else ask the other player."""
        self._check_not_aborted()
        if self.match.people <= sides:
            return self._happens("undo", side, str(self._plies_to_take_back(sides)))
        if self._undo_asked is not None:
            asker, plies = self._undo_asked
            if asker is side:
                raise NotNow("You have asked already.")
            return self._happens("undo", side, str(plies))
        session = self.match.session
        if session.resigned is not None or session.forfeited is not None:
            raise NotNow("The game is over.")
        own = self.match.session.plies_before(side)
        if own is None:
            raise NotNow("You have not moved yet.")
        return self._happens("undo-ask", side, str(own))

    def _plies_to_take_back(self, sides: Sides) -> int:
        """To how many turns somebody goes back who need not ask."""
        session = self.match.session
        has_chosen = not sides.isdisjoint(session.chosen)
        if has_chosen or session.resigned is not None or session.forfeited is not None:
            return session.plies
        latest = [self.match.session.plies_before(one) for one in sides]
        plies = max((one for one in latest if one is not None), default=None)
        if plies is None:
            raise NotNow("There is nothing to take back.")
        return plies

    def _answer_undo(self, request: Request, sides: Sides) -> list[Happening]:
        """Agree or not; whoever asks may withdraw."""
        if self._undo_asked is None:
            raise NotNow("Nobody asks to take anything back.")
        asker, plies = self._undo_asked
        others = sides - {asker}
        if request.yes and not others:
            raise NotNow("The other player has to agree.")
        answering = min(others or sides)
        if request.yes:
            return self._happens("undo", answering, str(plies))
        return self._happens("undo-no", answering)

    def _offer_rematch(self, side: Side, sides: Sides) -> list[Happening]:
        if not self.is_over:
            raise NotNow("The game is not over yet.")
        if side in self._rematch:
            raise NotNow("You have asked already.")
        happened = self._happens("rematch", side)
        for other in sides - {side}:
            happened += self._happens("rematch", other)
        return happened

    @property
    def wants_rematch(self) -> bool:
        """Whether everybody wants to play again, and it has not begun."""
        return (
            self.rematch_id is None and bool(self._rematch) and self.match.people <= self._rematch
        )

    def _claim(self, request: Request, sides: Sides, claimable: bool) -> list[Happening]:
        """Because the other player is away: win, let the computer go on, or end the game."""
        self._check_running()
        (mine, *both) = sorted(sides)
        other = mine.other
        if request.claim == "abort" and (self.match.session.stuck or not self.is_joined):
            return self._happens("abort", mine)
        if both or other not in self.match.people:
            raise NotNow("There is nobody to wait for.")
        if not claimable:
            raise NotNow("The other player has not been away long enough.")
        match request.claim:
            case "win":
                return self._happens("forfeit", other)
            case "computer":
                return self._happens("seat", other, SUBSTITUTE)
            case "abort":
                return self._happens("abort", mine)
            case None:
                raise NotationError("Say what you claim: win, computer or abort.")

    def _return(self, sides: Sides) -> list[Happening]:
        """Take the seat back that the computer took over."""
        self._check_running()
        side = min(sides - self.match.people, default=None)
        if side is None:
            raise NotNow("You have your seat.")
        return self._happens("seat", side, HUMAN)

    # What is allowed

    @property
    def is_over(self) -> bool:
        return self._is_aborted or self.match.session.winner is not None

    @property
    def program_asked(self) -> Side | None:
        """The side whose program is to choose now."""
        if len(self.match.people) == len(Side) or self._is_aborted or not self.is_joined:
            return None
        return self.match.program_asked

    def _check_not_aborted(self) -> None:
        if self._is_aborted:
            raise NotNow("The game is over.")

    def _check_running(self) -> None:
        if self.is_over:
            raise NotNow("The game is over.")

    def _check_turn(self, request: Request, sides: Sides) -> None:
        session = self.match.session
        self._check_running()
        if not self.is_joined:
            raise NotNow("Your friend has not joined yet.")
        if sides.isdisjoint(self.match.people):
            raise NotNow("The computer plays for you. Take your seat back first.")
        if request.turn is None:
            raise NotationError("The turn that this is meant for is missing.")
        if request.turn != session.plies:
            raise NotNow("The game has gone on.")
        if session.position.battle is None and session.position.side not in sides:
            raise NotNow("It is not your turn.")

    def _actor(self, request: Request, sides: Sides) -> Side:
        """For whom a request is."""
        if request.side:
            side = SIDES[request.side]
            if side not in sides:
                raise NotNow("You cannot act for the other player.")
            return side
        if len(sides) == 1:
            return min(sides)
        return self.match.session.position.side

    # What is seen

    def name(self, side: Side) -> str:
        """What a side is called."""
        given = self._given_names.get(side)
        if side not in self.match.people:
            return _COMPUTER
        return given or self._played.narrator.name(side)

    @property
    def names(self) -> dict[Side, str]:
        return {side: self.name(side) for side in Side}

    def view(self, sides: Sides, presence: Presence, claim: ClaimState | None = None) -> LiveView:
        """The whole game, as whoever plays these sides sees it."""
        session, names = self.match.session, self.names
        last = session.last_turn
        return LiveView(
            id=self.info.id,
            version=self.version,
            turn=session.plies,
            game=session.rulebook.id,
            title=session.rulebook.title,
            you=_you(sides),
            names={SIDE_IDS[side]: names[side] for side in Side},
            kinds={
                SIDE_IDS[side]: "person" if side in self.match.people else "computer"
                for side in Side
            },
            players={
                SIDE_IDS[side]: "a person" if seat == HUMAN else player_in_words(seat)
                for side, seat in zip(Side, session.seats, strict=True)
            },
            joined=self.is_joined,
            board=self._played.board(session.position),
            asked=self._asked(),
            chosen=[SIDE_IDS[side] for side in session.chosen],
            moves=self._moves(sides),
            numbers=self._numbers(sides),
            sentence=self._sentence(sides, names),
            log=log_lines(
                self._played.log.entry(number, turn)
                for number, turn in enumerate(session.turns, start=1)
            ),
            last=self._played.last(last, (names[Side.ONE], names[Side.TWO])) if last else None,
            result=self._result(),
            presence=presence,
            undo=self._undo(sides, names),
            rematch=RematchState(
                offered_by=[SIDE_IDS[side] for side in sorted(self._rematch)], id=self.rematch_id
            ),
            claim=claim,
        )

    def turns(self, audiences: Iterable[Sides], plies: int) -> dict[Sides, LiveTurn]:
        """What changed since there were so many turns, for each audience."""
        session, names = self.match.session, self.names
        position, last = session.position, session.last_turn
        added = session.turns_after(plies)
        is_over = self.is_over
        board = self._played.board(position)
        asked = self._asked()
        chosen = [SIDE_IDS[side] for side in session.chosen]
        told = (
            self._played.last(last, (names[Side.ONE], names[Side.TWO])) if added and last else None
        )
        log = encoded(
            log_lines(
                self._played.log.entry(number, turn)
                for number, turn in enumerate(added, start=plies + 1)
            )
        )
        result = self._result() if is_over else None
        return {
            sides: LiveTurn(
                version=self.version,
                turn=session.plies,
                board=board,
                asked=asked,
                chosen=chosen,
                moves=[] if is_over else self._moves(sides),
                numbers=[] if is_over else self._numbers(sides),
                sentence=result.sentence if result else self._sentence(sides, names),
                last=told,
                log=log,
                result=result,
                undo=self._undo(sides, names),
            )
            for sides in audiences
        }

    def _asked(self) -> list[SideId]:
        if self._is_aborted:
            return []
        return [SIDE_IDS[side] for side in self.match.session.asked]

    def _moves(self, sides: Sides) -> list[PossibleMove]:
        """The legal moves, for the person who is to move."""
        position = self.match.session.position
        if position.battle is not None or self.is_over:
            return []
        if position.side not in sides & self.match.people:
            return []
        return self._played.moves(position)

    def _numbers(self, sides: Sides) -> list[int]:
        session = self.match.session
        if session.position.battle is None or self.is_over:
            return []
        if (sides & self.match.people).isdisjoint(session.asked):
            return []
        return list(range(1, self.match.highest_number + 1))

    def _sentence(self, sides: Sides, names: Mapping[Side, str]) -> str:
        if not self.is_over and not self.is_joined:
            return "Waiting for your friend to open the link."
        if self._is_aborted:
            return "The game was ended without a result."
        return status_sentence(self.match.session, names, self._played.narrator, sides)

    def _result(self) -> LiveResult | None:
        if not self.is_over:
            return None
        winner = self.match.session.winner
        if winner is None:
            return LiveResult(winner=None, sentence="The game was ended without a result.")
        return LiveResult(
            winner=SIDE_IDS[winner],
            sentence=result_sentence(self.match.session, self._played.narrator),
        )

    def _undo(self, sides: Sides, names: Mapping[Side, str]) -> UndoState:
        asked = self._undo_asked
        can = bool(sides) and not self._is_aborted and self._can_undo(sides)
        if asked is None:
            return UndoState(can=can, asked_by=None, sentence="")
        side, plies = asked
        told = f"{names[side]} asks to take back turn {plies + 1}."
        return UndoState(can=can, asked_by=SIDE_IDS[side], sentence=told)

    def _can_undo(self, sides: Sides) -> bool:
        if self._undo_asked is not None and self._undo_asked[0] in sides:
            return False
        session = self.match.session
        if self.match.people <= sides:
            return session.plies > 0
        if session.resigned is not None or session.forfeited is not None:
            return False
        return any(self.match.session.plies_before(side) is not None for side in sides)


def _no_clock() -> datetime:
    return datetime.min  # when things happened is noted where they are stored


def _you(sides: Sides) -> Literal["P1", "P2", "both"] | None:
    if len(sides) == 2:
        return "both"
    return SIDE_IDS[min(sides)] if sides else None
