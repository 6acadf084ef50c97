"""Which of the reasons for a move are told, and in which order."""

from collections.abc import Iterable

from lineduel.coach.deeds import Act
from lineduel.coach.reason_facts import (
    Ahead,
    DeedReason,
    Gain,
    GivenUp,
    Later,
    LeftGuard,
    LostTurns,
    NewGuard,
    NoEscape,
    NoGoodMove,
    Race,
    Reason,
    Reply,
    Unstoppable,
    Waiting,
    Zugzwang,
)

MOST_TOLD = 2
"""How many reasons are given for one move."""
SOON = 3
"""A second reason is only given if it comes within these turns, or right after the first."""
FAR = 8
"""What comes later than this is not added to another reason."""


def told_reasons(found: Iterable[Reason]) -> tuple[Reason, ...]:
    """The first reason, and one about the other line, or another one, if it comes soon."""
    ordered = _in_order(found)
    if len(ordered) < MOST_TOLD:
        return tuple(ordered)
    first, *rest = ordered
    rest = [one for one in rest if one.turn <= FAR and not _repeats(first, one)]
    if isinstance(first, Reply):  # what follows another reply would confuse
        rest = [
            one
            for one in rest
            if one.line[:2] == first.line[: len(one.line)] or one.line[0] != first.line[0]
        ]
    second = _after_trade(first, rest) if _is_trade(first) else _after(first, rest)
    return first, *second[: MOST_TOLD - 1]


def _in_order(found: Iterable[Reason]) -> list[Reason]:
    """The earliest turn first, then by rank, without those that say less than another.

    A side without a good move is only told of if that can be seen, or there is nothing else.
    """
    ordered = sorted(found, key=lambda one: (max(one.turn, 1), one.rank))
    shown = [one for one in ordered if _is_shown(one)]
    if any(not _is_trade(one) for one in shown):
        ordered = shown
    if any(isinstance(one, NoGoodMove) and one.turn == 1 and one.is_shown for one in ordered):
        ordered = [one for one in ordered if not _is_lesser_trade(one)]
    if any(isinstance(one, Unstoppable) and one.runner for one in ordered[1:]):
        ordered = [one for one in ordered if not _is_threat(one)] or ordered
    if any(isinstance(one, DeedReason) and one.forced for one in ordered):
        ordered = [one for one in ordered if not _is_last_step(one)]
    return ordered


def _after_trade(first: Reason, rest: list[Reason]) -> list[Reason]:
    """What is told with a trade, which explains nothing by itself: what follows it."""
    struck = [one for one in rest if _could_strike(one) and one.line[0] != first.line[0]]
    if struck and isinstance(first, Reply):
        return struck
    follows = isinstance(first, Reply)
    return sorted(
        (one for one in rest if not _is_trade(one) and _is_shown(one)),
        key=lambda one: (one.turn > 1, (one.line[0] == first.line[0]) != follows),
    )


def _after(first: Reason, rest: list[Reason]) -> list[Reason]:
    """What is told with a reason that is no trade.

    What a better move would do later is not added to what the reply does at once.
    """
    if isinstance(first, Zugzwang) and not first.is_shown:  # what comes of it
        soon = [one for one in rest if one.line[0] == first.line[0]]
    else:
        last = max(SOON, first.turn + 1) if first.turn <= SOON else 0
        telling = [one for one in rest if not _is_trade(one) or _comes_first(first, one)]
        soon = [one for one in telling if one.turn <= last and _adds_to(first, one)]
    follows = isinstance(first, GivenUp | LeftGuard)  # what comes of it is told before the rest
    other = [one for one in soon if (one.line[0] == first.line[0]) == follows]
    return other or soon


def _adds_to(first: Reason, second: Reason) -> bool:
    """Whether a second reason says something more."""
    match first:
        case Reply():
            is_soon = second.turn <= 1 and not is_circular(second)
            return is_soon and not _is_no_news(first, second)
        case Gain(turn=0) if first.is_decisive:
            return second.turn == 1 and not isinstance(second, DeedReason)
        case Gain(turn=0):
            return second.line[0] != first.line[0] and not isinstance(second, Later)
        case NoEscape():
            return second.turn <= 1
        case Race():
            return not isinstance(second, Later)
        case Waiting() | Ahead() | LostTurns():
            return isinstance(second, Waiting | Ahead)
        case Zugzwang() | Gain() if first.turn <= 1:
            return not isinstance(second, Later)
        case _:
            return True


def _is_shown(reason: Reason) -> bool:
    return not isinstance(reason, Zugzwang) or reason.is_shown


def is_far_off(reason: Reason) -> bool:
    """Whether it says little: something some turns away, or no good move without saying why."""
    if isinstance(reason, Zugzwang) and (not reason.is_shown or reason.is_circular):
        return True
    return reason.turn > 1 and not _is_soon_forced(reason)


def is_circular(reason: Reason) -> bool:
    """Whether it is no good move, and after some moves that again."""
    return isinstance(reason, Zugzwang) and reason.is_circular


def _is_soon_forced(reason: Reason) -> bool:
    """Whether it is a win that is forced within a few turns."""
    return isinstance(reason, DeedReason) and reason.forced and reason.turn <= SOON


def is_loss(reason: Reason) -> bool:
    """Whether it is what the mistake gives up by itself; what comes of that can be told as well."""
    return isinstance(reason, GivenUp)


def is_guard(reason: Reason) -> bool:
    """Whether it is that a cell is guarded from an enemy that threatens nothing there."""
    return isinstance(reason, NewGuard) and reason.threat is None


def is_free_step(reason: Reason) -> bool:
    """Whether a piece steps into a battle on the line without having to."""
    if not isinstance(reason, Later) or reason.deed.act is not Act.BATTLE:
        return False
    return reason.stepped_in and not reason.must


def _is_last_step(reason: Reason) -> bool:
    """Whether it is a race that is over with the winner's next turn, after a longer line."""
    if not isinstance(reason, Race) or reason.turn <= 1:
        return False
    won = reason.needs.winner(reason.first)
    return won is not None and won[1] <= 2


def _is_trade(reason: Reason) -> bool:
    return isinstance(reason, DeedReason) and reason.is_trade


def _could_strike(reason: Reason) -> bool:
    """Whether it is that a piece can be taken or sent home at once."""
    return isinstance(reason, Gain) and reason.turn == 0 and not reason.deed.act.is_quiet


def _comes_first(reply: Reason, second: Reason) -> bool:
    """Whether the piece that is to strike could have been struck before that."""
    if not isinstance(reply, Reply) or not isinstance(second, Gain) or second.turn:
        return False
    return reply.deed.piece in second.deed.victims


def _is_threat(reason: Reason) -> bool:
    """Whether it is only said that a side wins with its next move, not why."""
    return isinstance(reason, Reply) and reason.deed.act is Act.THREATENS


def _is_no_news(reply: Reply, second: Reason) -> bool:
    """Whether it says of the same line what the reply says as well, or less."""
    if isinstance(second, Race) and second.line[0] == reply.line[0]:
        return reply.is_decisive
    return second.line == reply.line


def _repeats(first: Reason, second: Reason) -> bool:
    """Whether it is a second zugzwang, or a second battle that comes later."""
    if isinstance(first, Zugzwang):
        return isinstance(second, Zugzwang)
    return (
        isinstance(first, DeedReason)
        and isinstance(second, DeedReason)
        and first.deed.act is second.deed.act is Act.BATTLE
        and second.turn > SOON
    )


def _is_lesser_trade(reason: Reason) -> bool:
    """Whether it is a trade that is not even the best reply."""
    return isinstance(reason, Reply) and not reason.is_best and reason.is_trade
