"""One game between anyone: what a side can ask for, what happens, and what that allows next."""

from lineduel.lazy_names import TYPE_CHECKING, offer

if TYPE_CHECKING:
    from lineduel.play.connection import (
        AT_ONCE as AT_ONCE,
        Changed as Changed,
        Closed as Closed,
        Connection as Connection,
        GameNews as GameNews,
        Hear as Hear,
        Lost as Lost,
        Refused as Refused,
        SlowWork as SlowWork,
        Stalled as Stalled,
    )
    from lineduel.play.engine_dialogue import (
        LONGEST_LINE as LONGEST_LINE,
        EngineDialogue as EngineDialogue,
    )
    from lineduel.play.intents import (
        AnswerStop as AnswerStop,
        AnswerUndo as AnswerUndo,
        AskUndo as AskUndo,
        ChooseNumber as ChooseNumber,
        ClaimGame as ClaimGame,
        ClaimKind as ClaimKind,
        GiveName as GiveName,
        Intent as Intent,
        OfferRematch as OfferRematch,
        OfferStop as OfferStop,
        PassTurn as PassTurn,
        PlayMove as PlayMove,
        React as React,
        Reaction as Reaction,
        Redo as Redo,
        Resign as Resign,
        TakeSeatBack as TakeSeatBack,
    )
    from lineduel.play.live_events import (
        TURNING_KINDS as TURNING_KINDS,
        Aborted as Aborted,
        Forfeited as Forfeited,
        FriendJoined as FriendJoined,
        LiveEvent as LiveEvent,
        MovePlayed as MovePlayed,
        NameGiven as NameGiven,
        NumberChosen as NumberChosen,
        Reacted as Reacted,
        RematchBegun as RematchBegun,
        RematchWanted as RematchWanted,
        Resigned as Resigned,
        Row as Row,
        SeatTaken as SeatTaken,
        TakenBack as TakenBack,
        UndoAsked as UndoAsked,
        UndoRefused as UndoRefused,
        event_of_row as event_of_row,
        row_of_event as row_of_event,
    )
    from lineduel.play.live_game import (
        MOST_REACTIONS as MOST_REACTIONS,
        LiveGame as LiveGame,
        check_plays as check_plays,
    )
    from lineduel.play.seats import (
        SEAT_TAGS as SEAT_TAGS,
        UNNAMED as UNNAMED,
        GivenNames as GivenNames,
        Seats as Seats,
        names_of as names_of,
        seats_of as seats_of,
    )
    from lineduel.play.session import (
        MOST_PLIES as MOST_PLIES,
        Awaited as Awaited,
        Session as Session,
        Turn as Turn,
    )
    from lineduel.play.store import AfterKeeping as AfterKeeping, GameStore as GameStore
    from lineduel.play.view import (
        NO_SIDES as NO_SIDES,
        GameView as GameView,
        SaidReaction as SaidReaction,
        Sides as Sides,
    )

offer(__name__)
