"""The JSON of what each audience sees of a live game."""

from collections.abc import Iterable
from functools import cached_property
from typing import Literal

import msgspec

from lineduel.documents import (
    SIDE_IDS,
    ClaimState,
    LiveResult,
    LiveTurn,
    LiveView,
    Presence,
    RematchState,
    UndoState,
    encoded,
    log_lines,
)
from lineduel.narration import result_sentence, status_sentence
from lineduel.play import GameView, LiveGame, Sides
from lineduel.players import HUMAN, player_in_words
from lineduel.rules import Side
from lineduel.web.rulebook_shelf import PlayedRulebook

_COMPUTER = "Computer"


class LiveViews:
    """Shows a live game, in the words of its rulebook."""

    def __init__(self, live: LiveGame, played: PlayedRulebook) -> None:
        self._live, self._played = live, played

    def name(self, side: Side) -> str:
        """What a side is called."""
        if side not in self._live.session.people:
            return _COMPUTER
        return self._live.names[side - 1] or self._played.narrator.name(side)

    @cached_property
    def _names(self) -> dict[Side, str]:
        return {side: self.name(side) for side in Side}

    def whole(
        self, id: str, sides: Sides, presence: Presence, claim: ClaimState | None = None
    ) -> LiveView:
        """The whole game, for somebody who plays these sides."""
        session, view = self._live.session, self._live.view(sides)
        so_far = msgspec.structs.asdict(self.turns((sides,), 0)[sides])
        del so_far["since"]
        return LiveView(
            **so_far,
            id=id,
            game=session.rulebook.id,
            title=session.rulebook.title,
            you=_you(sides),
            names={SIDE_IDS[side]: name for side, name in self._names.items()},
            kinds={
                SIDE_IDS[side]: "person" if seat == HUMAN else "computer"
                for side, seat in zip(Side, session.seats, strict=True)
            },
            players={
                SIDE_IDS[side]: "a person" if seat == HUMAN else player_in_words(seat)
                for side, seat in zip(Side, session.seats, strict=True)
            },
            joined=view.is_joined,
            presence=presence,
            rematch=RematchState(
                offered_by=[SIDE_IDS[side] for side in sorted(view.rematch_wanted)],
                id=view.rematch_id,
            ),
            claim=claim,
        )

    def turns(
        self, audiences: Iterable[Sides], plies: int, since: int = 0
    ) -> dict[Sides, LiveTurn]:
        """What changed after this number of turns and this version, for each audience."""
        session, names = self._live.session, self._names
        added = session.turns_after(plies)
        board, result = self._played.board(session.position), self._result()
        last = self._played.last(added[-1], names) if added else None
        log = encoded(
            log_lines(
                self._played.log.entry(number, turn)
                for number, turn in enumerate(added, start=plies + 1)
            )
        )
        return {
            view.sides: LiveTurn(
                since=since,
                version=self._live.version,
                turn=session.plies,
                board=board,
                asked=[SIDE_IDS[side] for side in view.asked],
                chosen=[SIDE_IDS[side] for side in view.chosen],
                moves=self._played.moves(session.position) if view.moves else [],
                numbers=list(view.numbers),
                sentence=result.sentence if result else self._status(view),
                last=last,
                log=log,
                result=result,
                undo=self._undo(view),
            )
            for view in map(self._live.view, audiences)
        }

    def _status(self, view: GameView) -> str:
        return status_sentence(self._live.session, view, self._names, self._played.narrator)

    def _result(self) -> LiveResult | None:
        session = self._live.session
        if not self._live.is_over:
            return None
        winner = None if session.winner is None else SIDE_IDS[session.winner]
        return LiveResult(winner=winner, sentence=result_sentence(session, self._played.narrator))

    def _undo(self, view: GameView) -> UndoState:
        asked = self._live.undo_asked
        if asked is None:
            return UndoState(can=view.can_undo, asked_by=None, sentence="")
        told = f"{self.name(asked.side)} asks to take back turn {asked.plies + 1}."
        return UndoState(
            can=view.can_undo, asked_by=SIDE_IDS[asked.side], sentence=told, to=asked.plies
        )


def _you(sides: Sides) -> Literal["P1", "P2", "both"] | None:
    if len(sides) == len(Side):
        return "both"
    return SIDE_IDS[min(sides)] if sides else None
