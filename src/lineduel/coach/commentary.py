"""A review in words: what a move did, what was better, how each side played."""

from collections.abc import Iterator
from fractions import Fraction
from textwrap import fill

from lineduel.coach.review import Accuracy, Draw, Judgement, Review
from lineduel.rules import Side
from lineduel.solve import as_effect, as_prize, in_words, move_in_words

_WIDTH = 60
SHOWN_LINE = 8
"""How many moves of a better line are shown."""
INDENT = " " * 5


def ending(found: Review) -> str:
    record = found.record
    if record.resigned is not None:
        lost = found.last.winner is record.resigned.other
        what = "a lost position" if lost else "a position that was not lost"
        return (
            f"Player {record.resigned} resigned {what} ({in_words(found.last, record.resigned)})."
        )
    if record.forfeited is not None:
        return f"Player {record.forfeited} forfeited the game."
    if record.winner is not None:
        return f"Player {record.winner} won."
    if not record.moves:
        return "No move was played, so there is nothing to review."
    return "The game is not finished; this is the review as far as it goes."


def comment(one: Judgement, wide: int) -> Iterator[str]:
    side = one.side or Side.ONE
    who = f"P{one.side}" if one.side else "both"
    change = f"{in_words(one.before, side)} -> {_after(one, side)}"
    mark = one.mistake or ("!?" if one.delay else "")
    whose = "" if one.side else "player 1: "
    yield folded(
        f"{one.number:>3}. {who:<4} {one.move!s:<{wide}} {mark:<2} {whose}{change}", INDENT
    )
    if one.draws:
        yield from _told_battle(one.draws)
    elif one.mistake:
        yield folded(INDENT + explained(one), INDENT)
    elif one.delay:
        how = "slower" if one.before.winner is side else "sooner"
        yield f"{INDENT}{counted(one.delay, 'ply', 'plies')} {how} than need be"


def _after(one: Judgement, side: Side) -> str:
    """What a move led to, counted from before it; a game that is over is won or lost."""
    if one.after.plies == 0:
        return "won" if one.after.winner is side else "lost"
    return move_in_words(one.after, side)


def explained(one: Judgement) -> str:
    """What a mistake gave away, what was better, and how it is answered."""
    side = one.position.side
    shown = " ".join(map(str, one.line[:SHOWN_LINE]))
    more = " …" if len(one.line) > SHOWN_LINE or one.before.winner is None else "."
    does = as_effect(one.after.one_ply_earlier(), side)
    text = f"{one.move} {does}; {one.better} kept {as_prize(one.before, side)}: {shown}{more}"
    if one.punished_by is None:
        return text
    if one.always_punished:
        soonest = f", {one.punished_by} soonest" if one.after.winner else ""
        return f"{text} Any reply punishes it{soonest}."
    return f"{text} {one.punished_by} punishes it."


def _told_battle(draws: tuple[Draw, Draw]) -> Iterator[str]:
    """Skill and luck of both sides, unless nothing was at stake."""
    if not any(draw.skill or draw.luck for draw in draws):
        yield f"{INDENT}neither skill nor luck changed anything"
        return
    for side, draw in zip(Side, draws, strict=True):
        often = f" (best: {float(draw.optimal):.0%})" if draw.optimal or draw.mistake else ""
        told = (
            f"player {side}'s {draw.number}{draw.mistake or ''}{often}: "
            f"skill {_signed(draw.skill)}, luck {_signed(draw.luck)}"
        )
        yield folded(INDENT + told, INDENT)


def account(side: Side, account: Accuracy) -> Iterator[str]:
    if account.share is None:
        yield f"Player {side} never had a choice."
        return
    yield folded(
        f"Player {side}: accuracy {_percent(account.share)} % "
        f"({account.kept} of {counted(account.choices, 'choice')} kept the value)"
    )
    if account.battles:
        yield (
            f"{INDENT}{counted(account.battles, 'battle')}: "
            f"skill {_signed(account.skill)}, luck {_signed(account.luck)}"
        )


def _percent(share: Fraction) -> str:
    """Rounded, but only a game without a mistake has 100 %."""
    return str(100 if share == 1 else min(round(share * 100), 99))


def _signed(number: Fraction) -> str:
    return f"{float(number):+.3f}" if number else "0"


def counted(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def folded(text: str, indent: str = "") -> str:
    return fill(text, _WIDTH, subsequent_indent=indent, break_on_hyphens=False)
