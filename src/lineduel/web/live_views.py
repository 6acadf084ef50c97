"""The JSON of what each audience sees of a live game."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

import msgspec

from lineduel.documents import (
    SIDE_IDS,
    BoardDocument,
    ClaimState,
    LastTurn,
    LiveResult,
    LiveTurn,
    LiveView,
    LogLine,
    Presence,
    RematchState,
    ShownReaction,
    SideId,
    StopState,
    UndoState,
)
from lineduel.engine import Numbers
from lineduel.narration import (
    Names,
    capitalized,
    headline,
    how_it_ended,
    status_sentence,
    verb,
)
from lineduel.play import NO_SIDES, GameView, LiveGame, Sides, Turn
from lineduel.players import HUMAN, player_in_words
from lineduel.rules import Side
from lineduel.web.rulebook_shelf import PlayedRulebook


class _Played(NamedTuple):
    """What all audiences are sent alike about a turn."""

    number: int
    turn: Turn
    mover: SideId | None
    move: str


class LiveViews:
    """Shows a live game, in the words of its rulebook."""

    def __init__(
        self, live: LiveGame, played: PlayedRulebook, deadline: float | None = None
    ) -> None:
        self._live, self._played, self._deadline = live, played, deadline

    def names(self, sides: Sides) -> Names:
        """What each side is called for somebody who plays these sides, within a sentence."""
        return self._played.names(sides, self._live.session.people, self._live.names)

    def _plate(self, side: Side) -> str:
        """What stands beside the board for a side."""
        return capitalized(self.names(NO_SIDES)[side].removeprefix("the "))

    def whole(
        self,
        id: str,
        sides: Sides,
        presence: Presence,
        claim: ClaimState | None = None,
        *,
        is_helped: bool = False,
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
            names={SIDE_IDS[side]: self._plate(side) for side in Side},
            kinds={
                SIDE_IDS[side]: "person" if seat == HUMAN else "computer"
                for side, seat in zip(Side, session.seats, strict=True)
            },
            players={
                SIDE_IDS[side]: "a person" if seat == HUMAN else player_in_words(seat)
                for side, seat in zip(Side, session.seats, strict=True)
            },
            joined=view.is_joined,
            helped=is_helped,
            presence=presence,
            rematch=RematchState(
                offered_by=[SIDE_IDS[side] for side in sorted(view.rematch_wanted)],
                id=view.rematch_id,
            ),
            claim=claim,
            reactions={
                SIDE_IDS[one.side]: msgspec.convert(
                    {"reaction": one.reaction, "count": one.number}, ShownReaction
                )
                for one in view.reactions
            },
        )

    def turns(
        self, audiences: Iterable[Sides], plies: int, since: int = 0
    ) -> dict[Sides, LiveTurn]:
        """What changed after this number of turns and this version, for each audience."""
        added = [
            _Played(number, turn, _mover(turn), str(turn.move))
            for number, turn in enumerate(self._live.session.turns_after(plies), start=plies + 1)
        ]
        before = str(added[-1].turn.before) if added else ""
        board = self._played.board(self._live.session.position)
        return {
            view.sides: self._turn(view, board, added, before, since)
            for view in map(self._live.view, audiences)
        }

    def _turn(
        self, view: GameView, board: BoardDocument, added: list["_Played"], before: str, since: int
    ) -> LiveTurn:
        """The same for one audience, who calls the players by its own names."""
        session, names = self._live.session, self.names(view.sides)
        result = self._result(names)
        told = [self._played.told(one.turn, names) for one in added]
        log = [
            LogLine(n=one.number, side=one.mover, move=one.move, text=words.line)
            for one, words in zip(added, told, strict=True)
        ]
        last = None
        if log:
            last = LastTurn(
                move=log[-1].move,
                side=log[-1].side,
                before=before,
                sentence=told[-1].sentence,
                events=told[-1].events,
            )
        return LiveTurn(
            since=since,
            version=self._live.version,
            turn=session.plies,
            board=board,
            asked=[SIDE_IDS[side] for side in view.asked],
            chosen=[SIDE_IDS[side] for side in view.chosen],
            moves=self._played.moves(session.position) if view.moves else [],
            numbers=list(view.numbers),
            sentence=result.sentence if result else self._status(view, names),
            last=last,
            log=log,
            result=result,
            undo=self._undo(view, names),
            stop=self._stop(view, names),
            deadline=self._deadline,
        )

    def _status(self, view: GameView, names: Names) -> str:
        return status_sentence(self._live.session, view, names, self._played.narrator)

    def _result(self, names: Names) -> LiveResult | None:
        session, narrator = self._live.session, self._played.narrator
        if not self._live.is_over:
            return None
        winner = None if session.winner is None else SIDE_IDS[session.winner]
        told, how = headline(session, names), how_it_ended(session, names, narrator)
        return LiveResult(winner=winner, headline=told, how=how, sentence=f"{told} {how}")

    def _stop(self, view: GameView, names: Names) -> StopState:
        told = ""
        if (side := view.stop_offered_by) is not None:
            told = f"{names[side]} {verb(names[side], 'offers')} to stop; nobody would win."
        elif (side := view.stop_refused_by) is not None:
            told = f"{names[side]} {verb(names[side], 'wants')} to play on."
        return StopState(
            can=view.can_offer_stop,
            sentence=capitalized(told),
            offered_by=SIDE_IDS[view.stop_offered_by] if view.stop_offered_by else None,
            refused_by=SIDE_IDS[view.stop_refused_by] if view.stop_refused_by else None,
            is_due=view.can_offer_stop and self._live.session.goes_in_circles,
        )

    def _undo(self, view: GameView, names: Names) -> UndoState:
        asked = self._live.undo_asked
        if asked is None:
            return UndoState(can=view.can_undo, asked_by=None, sentence="")
        who = names[asked.side]
        first, last = asked.plies + 1, max(asked.plies + 1, self._live.session.plies)
        turns = f"turn {first}" if first == last else f"turns {first} to {last}"
        if last == first + 1:
            turns = f"turns {first} and {last}"
        told = capitalized(f"{who} {verb(who, 'asks')} to take back {turns}.")
        return UndoState(
            can=view.can_undo, asked_by=SIDE_IDS[asked.side], sentence=told, to=asked.plies
        )


def _mover(turn: Turn) -> SideId | None:
    """Who moved; None for a battle, in which both chose."""
    return None if isinstance(turn.move, Numbers) else SIDE_IDS[turn.before.side]


def _you(sides: Sides) -> Literal["P1", "P2", "both"] | None:
    if len(sides) == len(Side):
        return "both"
    return SIDE_IDS[min(sides)] if sides else None
