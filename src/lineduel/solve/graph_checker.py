"""Verify a certificate of bounds over a graph, by compiled code that shares only the rules.

Every position is looked at once, together with the positions that its choices lead to. What has to
hold is the same as in `checker.py`, with two differences. Expected values under mixtures in doubles
are computed in doubles, and have to exceed a bound by more than any rounding error, so that the
bound grows on average with each such step. And a bound that favours a side may either make
progress, to a lower rank, or grow: a bounded quantity cannot grow on average for ever, so play
leaves the favourable positions with probability 1.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lineduel.compiled import (
    LOW_NUMBERS,
    NO_BATTLE,
    OUT,
    RuleNumbers,
    borrowing,
    compiled,
    position_of,
    row_of,
    rule_numbers,
)
from lineduel.engine import Likeness, Position
from lineduel.errors import CertificateError
from lineduel.graph import (
    MOST_CHOICES,
    ChanceArray,
    FoundPositions,
    NumberArray,
    SideArray,
    choices_of,
    found_of_rows,
    number_of_row,
)
from lineduel.rules import Rules
from lineduel.solve.graph_solution import BoundsFile, read_bounds

_UNIT = 2.0**-53
_ERROR = 16 * _UNIT
_OPEN = -1
_MOST_DENOMINATOR = 100_000
_PIECE = 1 << 18
"""Positions that are checked between two reports of progress."""

_WHY = {
    1: "it leads to a position that is not in the certificate",
    2: "a value has to lie between -1 and 1, with its lower bound first",
    3: "the denominator of its value is too large",
    4: "the game is over",
    5: "the plies of its forced win are wrong",
    6: "its mixtures belong to another battle",
    7: "its mixtures are not probabilities",
    8: "it leads to a position whose rank is not lower",
    11: "player 1 is not sure of its bound",
    12: "player 2 is not sure of its bound",
    21: "player 1 makes no progress",
    22: "player 2 makes no progress",
}
_UNSURE, _STUCK = 10, 20
"""Added to the number of a player."""


class Claims(NamedTuple):
    """The columns of a certificate."""

    low: ChanceArray
    high: ChanceArray
    plies: NDArray[np.int32]
    form: NDArray[np.int32]
    rank: NDArray[np.int32]
    mixtures: ChanceArray
    pair: NumberArray
    """For each position, the number of its pair of mixtures in doubles, if it has one."""
    returns: bool
    """Whether positions can come up again."""


class ExactBattles(NamedTuple):
    """The battles with mixtures in fractions, each seen for the first time when it is used."""

    line: NumberArray
    """For each form, its row here, or -1."""
    uses: NDArray[np.bool_]
    """For each row, side and number, whether the mixture uses it."""
    seen: SideArray
    worth: ChanceArray
    """For each row, the value."""
    after: ChanceArray
    """For each row, the value after each pair of numbers."""


def check_bounds(path: Path, progress: Callable[[float], None]) -> tuple[int, Position]:
    """The number of positions that a certificate proves, and the start; raises if a check fails."""
    file = read_bounds(path)
    rules, size, found = file.game.rules, len(file.columns.side), _found(file)
    start = Likeness(rules).standing_for(file.start)
    begin = number_of_row(found, row_of(rules, start), int(start.side))
    if begin < 0:
        raise CertificateError("The certificate does not contain its own start.")
    exact = _exact_battles(file)
    claims = _claims(file)
    ruling = rule_numbers(rules)
    queue, known = np.full(size, -1, np.int64), np.zeros(size, np.bool_)
    queue[0], known[begin] = begin, True
    done, waiting = 0, 1
    while done < waiting:
        until = min(waiting, done + _PIECE)
        why, done, waiting = _check(
            ruling, found, claims, exact, queue, known, done, until, waiting
        )
        if why:
            _refuse(file, int(queue[done]), why)
        progress(done / size)
    if waiting < size:
        at = int(np.flatnonzero(~known)[0])
        raise CertificateError(f"{_shown(file, at)} cannot come up from {start}.")
    _check_exact(file, exact)
    return size, file.start


def check_positions(file: BoundsFile, sample: Sequence[int]) -> None:
    """Check only these positions of a certificate, assuming that all others are correct."""
    found = _found(file)
    claims, exact = _claims(file), _exact_battles(file)
    known = np.ones(len(claims.low), np.bool_)
    queue = np.array(sample, np.int64)
    ruling, size = rule_numbers(file.game.rules), len(sample)
    why, done, _ = _check(ruling, found, claims, exact, queue, known, 0, size, size)
    if why:
        _refuse(file, int(queue[done]), why)
    _check_exact(file, exact)


def _found(file: BoundsFile) -> FoundPositions:
    """The positions of a certificate; raises if one is there twice or has an impossible cell."""
    (rows, side), rules = file.columns, file.game.rules
    cells, pieces = len(rules.track), len(rules.player1.pieces) + len(rules.player2.pieces)
    stands = rows[:, :pieces]
    on_track = (stands >= 0) & (stands < cells) | (stands == OUT)
    at_battle = (rows[:, -1] >= NO_BATTLE) & (rows[:, -1] < cells)
    if not (on_track.all() and at_battle.all() and ((side == 1) | (side == 2)).all()):
        raise CertificateError("The certificate contains an impossible position.")
    if not _are_hands(rules, rows[:, pieces:-1].astype(np.int64)).all():
        raise CertificateError("The certificate contains a hand that nobody can have.")
    found = found_of_rows(rows, side)
    if found.known[0] != len(side):
        raise CertificateError("A position is in the certificate twice.")
    return found


def _are_hands(rules: Rules, items: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether the items of rows between cells and battle are hands that are not empty."""
    low, high = items[:, ::2], items[:, 1::2]
    bits = low | high << LOW_NUMBERS
    highest = rules.battle.numbers if rules.battle else 0
    fits = (low >= 0) & (low < 1 << LOW_NUMBERS) & (high >= 0)
    found: NDArray[np.bool_] = fits & (bits > 0) & (bits < 1 << highest)
    return found


def _claims(file: BoundsFile) -> Claims:
    """The columns, with the mixtures of each open battle that has some in doubles."""
    bounds, rows = file.bounds, file.columns.rows
    mixed = (rows[:, -1] != NO_BATTLE) & (bounds.plies == _OPEN) & (bounds.form == 0)
    if int(mixed.sum()) != len(file.mixtures):
        raise CertificateError("The number of mixtures does not match the battles.")
    pair = np.cumsum(mixed) - 1
    plies, form, rank = (column.astype(np.int32, copy=False) for column in bounds[2:5])
    returns = bounds.returning > 0
    return Claims(bounds.low, bounds.high, plies, form, rank, file.mixtures, pair, returns)


def _exact_battles(file: BoundsFile) -> ExactBattles:
    forms, numbers = file.bounds.exact, file.mixtures.shape[2]
    line = np.full(max(forms, default=0) + 1, -1, np.int64)
    uses = np.zeros((len(forms), 2, numbers), np.bool_)
    for row, (form, mixtures) in enumerate(forms.items()):
        line[form] = row
        uses[row] = [[part > 0 for part in mixture] for mixture in mixtures]
    return ExactBattles(
        line,
        uses,
        np.zeros(len(forms), np.int8),
        np.zeros(len(forms)),
        np.zeros((len(forms), numbers * numbers)),
    )


def _check_exact(file: BoundsFile, exact: ExactBattles) -> None:
    """Check in fractions that each side's mixture is sure of the value."""
    numbers = range(file.mixtures.shape[2])
    for row, (one, two) in enumerate(file.bounds.exact.values()):
        if min(*one, *two) < 0 or sum(one) != 1 or sum(two) != 1:
            raise CertificateError("The mixtures of the certificate are not probabilities.")
        if not exact.seen[row]:
            continue
        worth = _fraction(float(exact.worth[row]))
        after = [_fraction(value) for value in exact.after[row].tolist()]
        size = len(numbers)
        if any(sum(one[a] * after[a * size + b] for a in numbers) < worth for b in numbers) or any(
            sum(two[b] * after[a * size + b] for b in numbers) > worth for a in numbers
        ):
            raise CertificateError(f"A battle that is worth {worth} is wrong.")


def _fraction(number: float) -> Fraction:
    """The fraction that two equal bounds stand for."""
    return Fraction(number).limit_denominator(_MOST_DENOMINATOR)


def _refuse(file: BoundsFile, at: int, why: int) -> None:
    raise CertificateError(f"{_shown(file, at)} is wrong: {_WHY[why]}.")


def _shown(file: BoundsFile, at: int) -> str:
    return str(position_of(file.game.rules, file.columns.rows[at], int(file.columns.side[at])))


@compiled
def _check(
    ruling: RuleNumbers,
    found: FoundPositions,
    claims: Claims,
    exact: ExactBattles,
    queue: NumberArray,
    known: NDArray[np.bool_],
    done: int,
    until: int,
    waiting: int,
) -> tuple[int, int, int]:
    """Check the positions from `done` up to `until`, and put those they lead to into the queue.

    Returns what is wrong (or 0), how far it came, and how many are in the queue.
    """
    size, width = len(known), len(found.rows) // len(found.sides)
    reached, after = np.empty(width, np.int8), np.empty(MOST_CHOICES, np.int64)
    while done < until:
        at = queue[done]
        winner, choices = choices_of(ruling, found, at, reached, after, 0)
        if found.known[0] > size:
            return 1, done, waiting
        for choice in range(choices):
            if not known[after[choice]]:
                known[after[choice]] = True
                queue[waiting] = after[choice]
                waiting += 1
        is_battle = found.rows[(at + 1) * width - 1] != NO_BATTLE
        side = 1 if found.sides[at] == 1 else 2
        why = _why_wrong(
            ruling.numbers, claims, exact, at, winner, is_battle, side, after[:choices]
        )
        if why:
            return why, done, waiting
        done += 1
    return 0, done, waiting


@borrowing
def _why_wrong(
    numbers: int,
    claims: Claims,
    exact: ExactBattles,
    at: int,
    winner: int,
    is_battle: bool,
    side: int,
    after: NumberArray,
) -> int:
    low, high, plies = claims.low[at], claims.high[at], claims.plies[at]
    for reached in after:
        if not claims.returns and claims.rank[reached] >= claims.rank[at]:
            return 8
    if not -1.0 <= low <= high <= 1.0:
        return 2
    if low == high and not _is_fraction(low):
        return 3
    if winner != 0:
        worth = 1.0 if winner == 1 else -1.0
        return 0 if low == high == worth and plies == 0 else 4
    won1 = _won_in(numbers, claims, after, 1, is_battle, side)
    won2 = _won_in(numbers, claims, after, 2, is_battle, side)
    if max(won1, won2) != plies:
        return 5
    if plies != _OPEN:
        worth = 1.0 if won1 != _OPEN else -1.0
        return 0 if low == high == worth else 5
    if is_battle:
        if claims.form[at] < 0:
            return _why_pair_wrong(numbers, claims, at, after)
        if claims.form[at] > 0:
            return _why_exact_wrong(numbers, claims, exact, at, after)
        return _why_rounded_wrong(numbers, claims, at, after)
    return _why_moves_wrong(claims, at, side, after)


@borrowing
def _why_moves_wrong(claims: Claims, at: int, side: int, after: NumberArray) -> int:
    """Check a position with a side to move."""
    for player in range(1, 3):
        sure, moving = False, False
        if side == player:
            for reached in after:
                if _holds(claims, at, reached, player):
                    sure = True
                    moving = moving or _progress(claims, at, reached, player)
        else:
            sure, moving = True, True
            for reached in after:
                sure = sure and _holds(claims, at, reached, player)
                moving = moving and _progress(claims, at, reached, player)
        if not sure:
            return _UNSURE + player
        if not moving:
            return _STUCK + player
    return 0


@borrowing
def _is_fraction(number: float) -> bool:
    """Whether a double is the one of a fraction with a small denominator: a continued fraction."""
    above, below, last_above, last_below = np.floor(number), 1.0, 1.0, 0.0
    rest = number - above
    while above / below != number:
        if rest <= 0.0:
            return False
        rest = 1.0 / rest
        whole = np.floor(rest)
        rest -= whole
        above, last_above = whole * above + last_above, above
        below, last_below = whole * below + last_below, below
        if below > _MOST_DENOMINATOR:
            return False
    return True


@borrowing
def _won_in(
    numbers: int, claims: Claims, after: NumberArray, player: int, is_battle: bool, side: int
) -> int:
    """The plies of a player's forced win, from those after each choice; `_OPEN` if it has none."""
    worth = 1.0 if player == 1 else -1.0
    best = _OPEN
    if is_battle:
        for own in range(numbers):
            longest = 0
            for other in range(numbers):
                pair = own * numbers + other if player == 1 else other * numbers + own
                there = after[pair]
                if claims.plies[there] == _OPEN or claims.low[there] != worth:
                    longest = _OPEN
                    break
                longest = max(longest, claims.plies[there] + 1)
            if longest != _OPEN and (best == _OPEN or longest < best):
                best = longest
        return best
    for there in after:
        forced = claims.plies[there] >= 0 and claims.low[there] == worth
        if side == player:
            if forced and (best == _OPEN or claims.plies[there] + 1 < best):
                best = claims.plies[there] + 1
        elif not forced:
            return _OPEN
        else:
            best = max(best, claims.plies[there] + 1)
    return best


@borrowing
def _sure_of(claims: Claims, at: int, player: int) -> float:
    """A player's bound, as that player sees it."""
    return float(claims.low[at] if player == 1 else -claims.high[at])


@borrowing
def _slack(claims: Claims, at: int) -> float:
    """How far an exact value may be from its double."""
    low = claims.low[at]
    if low != claims.high[at] or low == 0.0 or low == 1.0 or low == -1.0:
        return 0.0
    return _UNIT


@borrowing
def _holds(claims: Claims, at: int, reached: int, player: int) -> bool:
    """Whether a bound is at most the bound of a position that follows."""
    here, there = _sure_of(claims, at, player), _sure_of(claims, reached, player)
    if claims.low[at] == claims.high[at] and claims.low[reached] == claims.high[reached]:
        return here <= there
    return here + _slack(claims, at) <= there - _slack(claims, reached)


@borrowing
def _progress(claims: Claims, at: int, reached: int, player: int) -> bool:
    """Whether a step from a favourable position lowers the rank, leaves such positions or gains."""
    here, there = _sure_of(claims, at, player), _sure_of(claims, reached, player)
    if here <= 0.0 or there <= 0.0 or claims.plies[reached] >= 0:
        return True
    return claims.rank[reached] < claims.rank[at] or here + _UNIT < there - _UNIT


@borrowing
def _pair(numbers: int, own: int, other: int, player: int) -> int:
    """The choice that is a player's own number and the other's."""
    return own * numbers + other if player == 1 else other * numbers + own


@borrowing
def _why_pair_wrong(numbers: int, claims: Claims, at: int, after: NumberArray) -> int:
    """Check a battle in which each side has a number that is sure of its bound."""
    pair = -1 - claims.form[at]
    if pair >= numbers * numbers:
        return 6
    for player in range(1, 3):
        own = pair // numbers if player == 1 else pair % numbers
        for other in range(numbers):
            reached = after[_pair(numbers, own, other, player)]
            if not _holds(claims, at, reached, player):
                return _UNSURE + player
            if not _progress(claims, at, reached, player):
                return _STUCK + player
    return 0


@borrowing
def _why_exact_wrong(
    numbers: int, claims: Claims, exact: ExactBattles, at: int, after: NumberArray
) -> int:
    """Check that a battle is the one that its mixtures in fractions belong to, and its progress."""
    form = claims.form[at]
    if form >= len(exact.line) or exact.line[form] < 0 or claims.low[at] != claims.high[at]:
        return 6
    row = exact.line[form]
    if exact.seen[row] == 0:
        exact.seen[row], exact.worth[row] = 1, claims.low[at]
        for choice in range(len(after)):
            exact.after[row, choice] = claims.low[after[choice]]
    same = exact.worth[row] == claims.low[at]
    for choice in range(len(after)):
        value = claims.low[after[choice]]
        same = same and value == claims.high[after[choice]] and value == exact.after[row, choice]
    if not same:
        return 6
    for player in range(1, 3):
        for other in range(numbers):
            moving = False
            for own in range(numbers):
                if exact.uses[row, player - 1, own]:
                    reached = after[_pair(numbers, own, other, player)]
                    moving = moving or _progress(claims, at, reached, player)
            if not moving:
                return _STUCK + player
    return 0


@borrowing
def _why_rounded_wrong(numbers: int, claims: Claims, at: int, after: NumberArray) -> int:
    """Check a battle with mixtures in doubles."""
    for player in range(1, 3):
        mixture = claims.mixtures[claims.pair[at], player - 1]
        total = 0
        for own in range(numbers):
            units = np.floor(mixture[own] / _UNIT) if 0.0 <= mixture[own] <= 1.0 else -1.0
            if units * _UNIT != mixture[own]:
                return 7
            total += int(units)
        if total != 1 << 53:
            return 7
        bound = _sure_of(claims, at, player) + _slack(claims, at)
        for other in range(numbers):
            expected, least, moving = 0.0, 2.0, False
            for own in range(numbers):
                reached = after[_pair(numbers, own, other, player)]
                there = _sure_of(claims, reached, player) - _slack(claims, reached)
                expected += mixture[own] * there
                if mixture[own] > 0.0:
                    least = min(least, there)
                    moving = moving or _progress(claims, at, reached, player)
            if bound <= expected - _ERROR:
                continue  # it grows by more than any rounding error
            if bound > least:
                return _UNSURE + player
            if not moving:
                return _STUCK + player
    return 0
