"""What each audience sees of a live game."""

from collections.abc import Iterable, Mapping
from typing import Literal

from lineduel.documents import (
    SIDE_IDS,
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
from lineduel.narration import result_sentence, status_sentence
from lineduel.play import LiveGame, Sides
from lineduel.players import HUMAN, player_in_words
from lineduel.rules import Side
from lineduel.web.rulebook_shelf import PlayedRulebook

_COMPUTER = "Computer"
_NO_RESULT = "The game was ended without a result."


class LiveViews:
    """Shows a live game, in the words of its rulebook."""

    def __init__(self, live: LiveGame, played: PlayedRulebook) -> None:
        self._live, self._played = live, played

    def name(self, side: Side) -> str:
        """What a side is called."""
        if side not in self._live.session.people:
            return _COMPUTER
        return self._live.given_names.get(side) or self._played.narrator.name(side)

    def _names(self) -> dict[Side, str]:
        return {side: self.name(side) for side in Side}

    def whole(
        self, id: str, sides: Sides, presence: Presence, claim: ClaimState | None = None
    ) -> LiveView:
        """The whole game, as whoever plays these sides sees it."""
        live, session, names = self._live, self._live.session, self._names()
        last = session.last_turn
        return LiveView(
            id=id,
            version=live.version,
            turn=session.plies,
            game=session.rulebook.id,
            title=session.rulebook.title,
            you=_you(sides),
            names={SIDE_IDS[side]: names[side] for side in Side},
            kinds={
                SIDE_IDS[side]: "person" if side in live.session.people else "computer"
                for side in Side
            },
            players={
                SIDE_IDS[side]: "a person" if seat == HUMAN else player_in_words(seat)
                for side, seat in zip(Side, session.seats, strict=True)
            },
            joined=live.is_joined,
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
                offered_by=[SIDE_IDS[side] for side in sorted(live.rematch_wanted)],
                id=live.rematch_id,
            ),
            claim=claim,
        )

    def turns(self, audiences: Iterable[Sides], plies: int) -> dict[Sides, LiveTurn]:
        """What changed since there were so many turns, for each audience."""
        live, session, names = self._live, self._live.session, self._names()
        position, last = session.position, session.last_turn
        added = session.turns_after(plies)
        is_over = live.is_over
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
                version=live.version,
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
        if self._live.is_aborted:
            return []
        return [SIDE_IDS[side] for side in self._live.session.asked]

    def _moves(self, sides: Sides) -> list[PossibleMove]:
        """The legal moves, for the person who is to move."""
        live = self._live
        position = live.session.position
        if position.battle is not None or live.is_over:
            return []
        if position.side not in sides & live.session.people:
            return []
        return self._played.moves(position)

    def _numbers(self, sides: Sides) -> list[int]:
        live, session = self._live, self._live.session
        if session.position.battle is None or live.is_over:
            return []
        if (sides & live.session.people).isdisjoint(session.asked):
            return []
        return list(range(1, live.session.highest_number + 1))

    def _sentence(self, sides: Sides, names: Mapping[Side, str]) -> str:
        live = self._live
        if not live.is_over and not live.is_joined:
            return "Waiting for your friend to open the link."
        if live.is_aborted:
            return _NO_RESULT
        return status_sentence(live.session, names, self._played.narrator, sides)

    def _result(self) -> LiveResult | None:
        if not self._live.is_over:
            return None
        session = self._live.session
        if session.winner is None:
            return LiveResult(winner=None, sentence=_NO_RESULT)
        told = result_sentence(session, self._played.narrator)
        return LiveResult(winner=SIDE_IDS[session.winner], sentence=told)

    def _undo(self, sides: Sides, names: Mapping[Side, str]) -> UndoState:
        asked, can = self._live.undo_asked, self._live.can_undo(sides)
        if asked is None:
            return UndoState(can=can, asked_by=None, sentence="")
        told = f"{names[asked.side]} asks to take back turn {asked.plies + 1}."
        return UndoState(can=can, asked_by=SIDE_IDS[asked.side], sentence=told)


def _you(sides: Sides) -> Literal["P1", "P2", "both"] | None:
    if len(sides) == len(Side):
        return "both"
    return SIDE_IDS[min(sides)] if sides else None
