"""A reviewed game and a solved position in words."""

from collections.abc import Callable, Iterator
from enum import Enum, auto
from fractions import Fraction
from functools import partial
from textwrap import fill

from lineduel.coach.reason_facts import Reply, Waiting
from lineduel.coach.reason_sentences import ReasonWords, number_sentence
from lineduel.coach.review import (
    FORCED_LINE,
    OPEN_LINE,
    Accuracy,
    Draw,
    Judgement,
    Mistake,
    Review,
)
from lineduel.coach.take_aways import take_aways
from lineduel.coach.value_curve import draw_curve_text
from lineduel.engine import Game, Position
from lineduel.narration import NUMBERED, YOU, MoveWords, Names, capitalized, line_text, move_text
from lineduel.play import seats_of
from lineduel.players import HUMAN, endless_chance, player_in_brackets
from lineduel.quantities import counted, percent, percent_right
from lineduel.rules import Side, listed
from lineduel.solve import LIMITED, Solution, as_prize, as_verdict, in_words, move_in_words

_WIDTH = 60
SHOWN_LINE = 8
"""How many moves of a better line are shown."""
INDENT = " " * 5


def review_lines(found: Review, names: Names) -> Iterator[str]:
    """A whole review in words, with the curve of the value."""
    rulebook = found.record.rulebook
    yield folded(f"{rulebook.title} ({rulebook.id}), {counted(len(found.judgements), 'turn')}")
    seats = seats_of(found.record)
    if set(seats) != {HUMAN}:
        shown = [_seat(names[side], seats[side - 1]) for side in Side]
        yield folded(f"{capitalized(' against '.join(shown))}.")
    yield folded(ending(found, names))
    if not found.judgements:
        return
    if (turning := found.turning_point) is not None and not found.resigned_mistake:
        yield f"The turning point was turn {turning.number}."
    yield ""
    game = Game(rulebook)
    wide = max(len(move_text(game, one.position, one.move)) for one in found.judgements)
    for one in found.judgements:
        yield from comment(one, wide, game, names)
    yield ""
    side = reader(names)
    yield f"What {names[side]} could expect (win +1, even 0, loss -1):"
    yield draw_curve_text(found, side=side)
    yield ""
    for side in Side:
        yield from account(side, found.accuracy(side), names)
    yield folded(ACCURACY)
    for side in Side:
        if seats[side - 1] == HUMAN and (learned := take_aways(found, side)):
            yield f"\nTo take away for {names[side]}:"
            for lesson in learned:
                yield folded(f"- {lesson}", "  ")


def _seat(name: str, seat: str) -> str:
    """A player with its strength: `you`, `the computer (level 3, easy)`."""
    return name if seat == HUMAN else f"{name} {player_in_brackets(seat)}"


def reader(names: Names) -> Side:
    """The side from which a game is looked at: yours, or that of player 1."""
    return Side.TWO if names[Side.TWO] == YOU else Side.ONE


ACCURACY = "Accuracy is the share of choices that kept the best result that was still possible."


def ending(found: Review, names: Names = NUMBERED) -> str:
    """How the game ended."""
    record = found.record
    if record.resigned is not None:
        what = "a lost position" if found.resigned_lost else "a position that was not lost"
        value = in_words(found.last, record.resigned)
        gave = " That gave the game away." if found.resigned_mistake else ""
        return f"{_subject(record.resigned, names)} resigned {what} ({value}).{gave}"
    if record.forfeited is not None:
        return f"{_subject(record.forfeited, names)} forfeited the game."
    if record.winner is not None:
        turns = counted(len(record.moves), "turn")
        if names[record.winner.other] == YOU:
            return f"You lost in {turns}."
        return f"{_subject(record.winner, names)} won in {turns}."
    if not record.moves:
        return "No move was played, so there is nothing to review."
    return "The game is not finished; this is the review as far as it goes."


def comment(
    one: Judgement, wide: int, game: Game, names: Names = NUMBERED, width: int = _WIDTH
) -> Iterator[str]:
    """A move with its mark and what it changed, and in sentences why and what was better.

    The lines are at most `width` wide, and moves are padded to `wide` columns.
    """
    who = names[one.side] if one.side else "both"
    column = max(len("both"), *map(len, names.values()))
    move = move_text(game, one.position, one.move)
    yield folded(
        f"{one.number:>3}. {who:<{column}} {move:<{wide}} {one.mark:<2} {_change(one, names)}",
        INDENT,
        width,
    )
    for text in _explanation(one, game, names):
        yield folded(INDENT + text, INDENT, width)


def comment_on(one: Judgement, game: Game, names: Names, width: int) -> Iterator[str]:
    """What a move changed, what was better, and why, where the move itself stands elsewhere."""
    change = capitalized(f"{_change(one, names)}.")
    *texts, last = ("", *_explanation(one, game, names))
    if one.mistake and not one.draws:
        texts[0] = f"{change} {last}"
    else:
        texts = [change, *texts[1:], last]
    yield from (folded(text, width=width) for text in texts if text)


def _change(one: Judgement, names: Names) -> str:
    """What a move changed for who made it, or a battle for who looks at it."""
    side = one.side or reader(names)
    return f"{'' if one.side else f'{names[side]}: '}{change_in_words(one, side)}"


def _explanation(one: Judgement, game: Game, names: Names) -> Iterator[str]:
    """What a move cost, why, and, of a mistake at the end, what was better."""
    side = one.side or reader(names)
    if one.chances_lost is not None:
        yield str(one.chances_lost)
    if why := reviewed_reason(one, game, names):
        yield why
    if one.draws and not one.at_stake:
        yield "Nothing was at stake: every pair of numbers is worth the same."
    elif one.draws:
        for each, draw in zip(Side, one.draws, strict=True):
            yield _battle_sentence(draw, each, names)
    elif one.mistake:
        yield explained(one, game)
    elif one.delay:
        is_winning = one.before.winner is side
        what, how = ("wins", "slower") if is_winning else ("loses", "sooner")
        yield f"This {what} {counted(one.delay, 'turn')} {how} than needed."


def reviewed_reason(one: Judgement, game: Game, names: Names = NUMBERED) -> str:
    """Why a move was a mistake, or what it left to the other side; empty if there is no reason."""
    words = ReasonWords(game=game, position=one.position, move=one.move, names=names)
    return words.sentences(one.reasons)


def _after(one: Judgement, side: Side) -> str:
    """What a move led to, counted from before it; a game that is over is won or lost."""
    if one.after.plies == 0:
        return "won" if one.after.winner is side else "lost"
    return move_in_words(one.after, side)


def change_in_words(one: Judgement, side: Side) -> str:
    """What a move changed for a side: `wins in 11 → loses in 8`."""
    before, after = in_words(one.before, side), _after(one, side)
    return before if before == after else f"{before} → {after}"


def mistake_in_words(one: Judgement, side: Side, names: Names) -> str:
    """What a mistake changed: `For you, a win in 11 becomes a loss in 8.`"""
    lost = one.after.plies == 0
    after = "a lost game" if lost else as_prize(one.after.one_ply_earlier(), side)
    return f"For {names[side]}, {as_prize(one.before, side)} becomes {after}."


def delay_in_words(one: Judgement, names: Names) -> str:
    """What a move cost that kept the result, but not the turns."""
    side = one.position.side
    s = "" if names[side] == YOU else "s"
    late = f"{counted(one.delay, 'turn')} {{}} than needed."
    if one.before.winner is side:
        return f"{_subject(side, names)} still win{s}, but {late.format('later')}"
    return f"{_subject(side, names)} lose{s} {late.format('sooner')}"


def delays_in_words(found: Review, side: Side) -> str:
    """How many moves of a side only cost turns; empty if there are none."""
    slow = sum(one.mark == "?!" and one.side is side for one in found.judgements)
    return f"?! marks {counted(slow, 'move')} that cost turns, but not the result." if slow else ""


def explained(one: Judgement, game: Game) -> str:
    """How a mistake is answered, if no reason has told it, and the better line."""
    goes_on = len(one.line) > SHOWN_LINE or one.before.winner is None
    words = MoveWords(game, one.position)
    shown = words.line(*one.line[:SHOWN_LINE], more="…" if goes_on else "")
    return f"{punishment(one, game)}Better: {shown}{'' if goes_on else '.'}"


def punishment(one: Judgement, game: Game) -> str:
    """How a mistake is answered, with a space behind it; empty if a reason has told it."""
    answer = one.punished_by
    told = any(
        isinstance(reason, Reply | Waiting) or reason.line[:2] == (one.move, answer)
        for reason in one.reasons
    )
    if answer is not None and not told and (one.after.winner or not one.always_punished):
        reply = move_text(game, game.play(one.position, one.move), answer)
        return f"The best reply is {reply}. "
    return ""


def _battle_sentence(draw: Draw, side: Side, names: Names) -> str:
    """A side's choice and its luck."""
    often = f"best play chooses it {percent(draw.optimal)} of the time"
    if draw.mistake:
        what = "a blunder" if draw.mistake is Mistake.BLUNDER else "a mistake"
        skill = f"{what} that costs {_amount(draw.skill)} ({often})"
    elif draw.skill:
        skill = f"{_amount(draw.skill)} less than best play expects ({often})"
    else:
        skill = f"a good choice ({often})" if draw.optimal else f"as good as best play ({often})"
    luck = "no luck either way"
    if draw.luck:
        luck = f"{'lucky' if draw.luck > 0 else 'unlucky'}: the other player's number "
        luck += f"{'brought' if draw.luck > 0 else 'cost'} {_amount(draw.luck)}"
    why = "".join(f" {number_sentence(one, names)}" for one in draw.reasons)
    return f"{_subject(side, names)} chose {draw.number}, {skill}; {luck}.{why}"


def account(
    side: Side, account: Accuracy, names: Names = NUMBERED, width: int = _WIDTH
) -> Iterator[str]:
    """How one side played, in a few lines."""
    who = _subject(side, names)
    if account.share is None:
        yield f"{who} never had a choice."
        return
    grave = [
        counted(account.blunders, "blunder") if account.blunders else "",
        counted(account.slips, "mistake") if account.slips else "",
    ]
    told = " and ".join(one for one in grave if one) or "no mistakes"
    if account.wrong_turns:
        where = listed(tuple(map(str, account.wrong_turns)), "and")
        told += f" (turn{'s' * (len(account.wrong_turns) > 1)} {where})"
    if account.slow:
        told += f", {counted(account.slow, 'slow move')} (?!)"
    if account.resigned_unlost:
        told += ", but resigned before the game was lost"
    yield folded(
        f"{who}: {told}; accuracy {percent_right(account.share)}% "
        f"({account.kept} of {counted(account.choices, 'choice')} kept the value)",
        width=width,
    )
    if account.always_lost:
        longer = f", but the game could have lasted {account.could_last} turns"
        last = longer if account.could_last else ""
        kept = f"lost against best play at every choice: no move could have saved it{last}"
        so_far = "every move so far loses against best play"
        yield folded(
            f"{INDENT}{kept if account.is_over else so_far}",
            INDENT,
            width,
        )
    if account.battles:
        yield folded(
            f"{INDENT}{counted(account.battles, 'battle')}: "
            f"skill {_signed(account.skill)}, luck {_signed(account.luck)}",
            INDENT,
            width,
        )


def _subject(side: Side, names: Names) -> str:
    return capitalized(names[side])


def _signed(number: Fraction) -> str:
    return f"{float(number):+.3f}" if number else "0"


def _amount(number: Fraction) -> str:
    return f"{abs(float(number)):.3f}"


def folded(text: str, indent: str = "", width: int = _WIDTH) -> str:
    return fill(text, width, subsequent_indent=indent, break_on_hyphens=False)


# A solved position


class Emphasis(Enum):
    """What a text is about, for those who paint it."""

    VERDICT = auto()
    WON = auto()
    LOST = auto()
    NEITHER = auto()


def solution_lines(
    solution: Solution, position: Position, paint: Callable[[str, Emphasis], str]
) -> Iterator[str]:
    """Who wins a position, what each move is worth, and the line of best play.

    `paint` gives a text the look of what it is about.
    """
    game, winner = solution.game, solution.game.outcome(position)
    yield f"{game.rulebook.title} ({game.rulebook.id}), {position}"
    if winner is not None:
        yield paint(f"The game is over: player {winner} has won.", Emphasis.VERDICT)
        return
    verdict = as_verdict(solution.value(position), partial(endless_chance, solution, position))
    yield paint(verdict, Emphasis.VERDICT)
    what = "can come up" if solution.counted == "reachable" else "were solved"
    turns = counted(solution.longest or 0, "turn")
    longest = f"; the longest forced win from any of them takes {turns}"
    yield f"{solution.positions:,} positions {what}{longest if solution.longest else ''}."
    if solution.limited:
        yield LIMITED
    if position.battle is not None:
        for side in Side:
            yield f"\nPlayer {side} chooses"
            for number, chance in solution.mixture(position, side).items():
                exact = f"  ({chance})" if 1 < chance.denominator <= 100_000 else ""
                yield f"  {number}  {float(chance) * 100:6.2f}%{exact}"
        return
    moves, side = solution.moves(position), position.side
    best = solution.best(position)
    yield f"\nPlayer {side} to move:"
    words = MoveWords(game, position)
    width = max(len(words(move)) for move, _ in moves)
    emphasis = {side: Emphasis.WON, side.other: Emphasis.LOST, None: Emphasis.NEITHER}
    for move, value in moves:
        star = "*" if move in best else " "
        worth = paint(move_in_words(value, side), emphasis[value.winner])
        yield f"{star} {words(move):<{width}}  {worth}"
    yield f"\n{_best_play(solution, position)}"


def _best_play(solution: Solution, position: Position) -> str:
    """The line of best play; only its beginning if it comes to a battle or nobody can win."""
    value = solution.value(position)
    line = solution.line(position, OPEN_LINE if value.winner is None else FORCED_LINE)
    more = "" if len(line) == value.plies else "…"
    return folded(f"Best play: {line_text(solution.game, position, line, more)}")
