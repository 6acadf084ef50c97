"""Why a move is good or bad: the reasons that a solution proves, the most telling first."""

from collections.abc import Iterable, Iterator
from functools import cached_property

from lineduel.coach.deeds import (
    Act,
    Deed,
    cells_lost,
    deed_of,
    guards,
    is_race,
    landing_cell,
    needs_of,
    threats,
    turned_to,
)
from lineduel.coach.reason_facts import (
    AllLose,
    BadBattle,
    DeedReason,
    Escape,
    Gain,
    Later,
    LeftGuard,
    NewGuard,
    OnlySafe,
    Race,
    Reason,
    Reply,
    Terms,
    Threat,
    Zugzwang,
)
from lineduel.engine import PASS, Move, Position, Step
from lineduel.errors import NotSolved
from lineduel.rules import Side
from lineduel.solve import Solution, keeping_moves

MOST_TOLD = 2
"""How many reasons are given for one move."""
SOON = 3
"""A second reason is only given if it comes within these turns, or right after the first."""
FAR = 6
"""What comes later than this is not added to another reason."""
MOST_LOOKED_THROUGH = 80
"""How many turns of best play are looked through."""


def reasons(solution: Solution, position: Position, move: Move) -> tuple[Reason, ...]:
    """At most two reasons for what a move is worth, the earliest turn first.

    For a mistake, why it is one. For a good move, why it is good. Where no move changes the
    value, what the other side could do next, and what could have been done instead. Nothing if
    there is no choice, in an open battle, and where values are only estimated.
    """
    if (
        position.battle is not None
        or solution.counted == "estimated"
        or len(solution.game.moves(position)) < 2
    ):
        return ()
    return _Question(solution, position, move).answer()


def warnings_in(
    solution: Solution, position: Position, move: Move, *, mistake: bool
) -> tuple[Reason, ...]:
    """What to say about a move before or after it: why it is a mistake, or what it misses.

    A good move misses something only where no value is lost by it: it leaves a threat that another
    move does not, or another move does something that it does not do.
    """
    found = reasons(solution, position, move)
    if mistake:
        return found
    return tuple(
        one
        for one in found
        if (isinstance(one, Threat) and one.avoidable)
        or (isinstance(one, Gain) and one.line[0] != move)
    )


def better_move(solution: Solution, position: Position) -> Move | None:
    """The move that best play begins with; None if no move can be chosen."""
    line = solution.line(position, 1)
    return line[0] if line else next(iter(solution.best(position)), None)


def terms_of(solution: Solution, position: Position, move: Move) -> Terms | None:
    """What the battle leads to that a move opens; None if it opens none."""
    game, battle = solution.game, solution.game.rules.battle
    fight = game.play(position, move)
    if fight.battle is None or battle is None:
        return None
    found = {
        battle.winner(*pair): value
        for pair, value in solution.moves(fight)
        if not isinstance(pair, Step)
    }
    return Terms(found[position.side], found[None], found[position.side.other])


class _Question:
    """A move in a position, with what is needed to say why."""

    def __init__(self, solution: Solution, position: Position, move: Move) -> None:
        self._solution, self._game = solution, solution.game
        self._position, self._move = position, move
        self._side, self._enemy = position.side, position.side.other
        self._value = solution.value(position)
        self._played = solution.game.play(position, move)
        self._keeping = keeping_moves(solution, position)

    def answer(self) -> tuple[Reason, ...]:
        if self._move not in self._keeping:
            return _chosen(self._why_worse())
        even = self._value.winner is None and not self._value.is_lost(self._side)
        return _chosen((even and self._why_as_good()) or self._why_good())

    # A mistake

    def _why_worse(self) -> list[Reason]:
        """What follows the move, and what the better move would have done."""
        move, better = self._move, self._better
        found: list[Reason] = [
            *self._after_the_move(),
            *self._left_guard(),
            *(self._of_good_move(better) if better is not None else ()),
        ]
        if better is not None and not any(one.line[0] == better for one in found):
            found += self._gains_later(better)
        reply = next((one for one in found if isinstance(one, Reply)), None)
        if reply is None:
            found += self._later(move)
        elif better is not None and len(found) > 1 and self._comes_anyway(reply.deed, better):
            found.remove(reply)
        return found

    def _after_the_move(self) -> Iterator[Reason]:
        """What the reply does, a race that is lost, and a zugzwang, on the line of the move."""
        if self._played.battle is not None:
            deed = deed_of(self._game, self._position, self._move)
            terms = terms_of(self._solution, self._position, self._move)
            assert deed is not None
            yield BadBattle(line=(self._move,), deed=deed, terms=terms)
        if reply := self._reply():
            yield reply
        line, positions = self._line(self._move)
        for turn, after in enumerate(positions[1:]):
            if is_race(self._game, after):
                yield from self._race(line[: turn + 1], after, won=False)
                break
        for turn in range(1, len(line)):
            if positions[turn].side is self._enemy and self._is_zugzwang(positions[turn + 1]):
                yield self._zugzwang(line, positions, turn, self._side)
                break

    def _race(self, line: tuple[Move, ...], after: Position, *, won: bool) -> Iterator[Reason]:
        """The race after a line, if the side that is asked wins it, or if it does not."""
        needs = needs_of(self._game, after)
        if needs is None:
            return
        winner = needs.winner(after.side)
        if won == (winner is not None and winner[0] is self._side):
            yield Race(line=line, needs=needs, first=after.side)

    def _reply(self) -> Reply | None:
        """The reply that does something and keeps the value; the best one, if it does."""
        played = self._played
        if played.side is not self._enemy or played.battle is not None:
            return None
        best = next(iter(self._line(self._move)[0][1:]), None)
        keeping = keeping_moves(self._solution, played)
        found = [
            (reply != best, list(Act).index(deed.act), at, reply, deed)
            for at, reply in enumerate(keeping)
            if (deed := deed_of(self._game, played, reply)) is not None
        ]
        if not found:
            return None
        other, _, _, reply, deed = min(found)
        return Reply(
            line=(self._move, reply),
            deed=deed,
            terms=terms_of(self._solution, played, reply),
            is_best=not other,
        )

    def _comes_anyway(self, deed: Deed, better: Move) -> bool:
        """Whether the other side can do the same after the better move and keep the value."""
        after = self._game.play(self._position, better)
        if after.side is not self._enemy or after.battle is not None:
            return False
        return any(
            (other := deed_of(self._game, after, reply)) is not None
            and other.is_like(deed)
            and other.cell == deed.cell
            for reply in keeping_moves(self._solution, after)
        )

    def _left_guard(self) -> Iterator[Reason]:
        line, positions = self._line(self._move)
        if len(line) < 2 or not isinstance(self._move, Step):
            return
        if positions[1].side is not self._enemy:
            return
        cell, piece = landing_cell(self._game, positions[1], line[1]), self._move.piece
        if (
            cell is not None
            and cell != landing_cell(self._game, self._position, self._move)
            and guards(self._game, self._position, piece, cell)
            and not guards(self._game, self._played, piece, cell)
        ):
            yield LeftGuard(line=line[:2], piece=piece, cell=cell)

    def _later(self, first: Move) -> Iterator[Reason]:
        """The first thing that the other side does on a line."""
        line, positions = self._line(first)
        for turn in range(1, len(line)):
            if positions[turn].side is not self._enemy:
                continue
            deed = deed_of(self._game, positions[turn], line[turn])
            if deed is not None:
                before, stepped = positions[turn - 1], line[turn - 1]
                stepped_in = (
                    turn > 1
                    and before.side is self._side
                    and isinstance(stepped, Step)
                    and stepped.piece in deed.victims
                    and landing_cell(self._game, before, stepped) == deed.cell
                )
                yield Later(
                    line=line[: turn + 1],
                    deed=deed,
                    terms=terms_of(self._solution, positions[turn], line[turn]),
                    stepped_in=stepped_in,
                    must=stepped_in and keeping_moves(self._solution, before) == (stepped,),
                )
                return

    # A good move

    def _why_good(self) -> list[Reason]:
        found = list(self._of_good_move(self._move))
        if not found:
            found += self._gains_later(self._move)
        if not found and self._value.winner is self._enemy:
            found += self._all_lose()
        return found

    def _of_good_move(self, good: Move) -> Iterator[Reason]:
        """What a move that keeps the value does for its side."""
        position = self._position
        line, positions = self._line(good)
        after = positions[1]
        deed = deed_of(self._game, position, good)
        if deed is not None and self._is_worth_telling(position, good, deed):
            terms = terms_of(self._solution, position, good)
            yield Gain(line=(good,), deed=deed, terms=terms)
        yield from self._escape(good)
        yield from self._new_guard(good)
        if is_race(self._game, after):
            yield from self._race(line[:1], after, won=True)
        if after.side is self._enemy and self._is_zugzwang(after):
            yield self._zugzwang(line, positions, 0, self._enemy)
        yield from self._only_safe(good)

    def _is_worth_telling(self, position: Position, move: Move, deed: Deed) -> bool:
        """Whether a deed is a gain: a battle if it is free, or better than the mistake."""
        if deed.act is not Act.BATTLE or self._move not in self._keeping:
            return True
        terms = terms_of(self._solution, position, move)
        value = self._solution.value(position)
        return terms is not None and terms.is_free(deed.side, value)

    def _escape(self, good: Move) -> Iterator[Reason]:
        """A threat that is there now, is gone after a move, and stays after another."""
        game, after = self._game, self._game.play(self._position, good)
        if game.outcome(after) is not None or after.battle is not None:
            return
        left = [deed for _, deed in threats(game, after, self._enemy)]
        own = deed_of(game, self._position, good)
        for _, deed in threats(game, self._position, self._enemy):
            if deed.act is Act.BATTLE or any(one.repeats(deed) for one in left):
                continue
            if own is not None and own.act is not Act.BATTLE and deed.piece in own.victims:
                continue  # what it does to that piece says more
            if any(self._leaves(other, deed) for other in self._others(good)):
                yield Escape(line=(good,), deed=deed)
                return

    def _others(self, good: Move) -> tuple[Move, ...]:
        """The moves to compare a good one with: the mistake that was made, or all others."""
        if good != self._move:
            return (self._move,)
        return tuple(one for one in self._game.moves(self._position) if one != good)

    def _leaves(self, move: Move, deed: Deed) -> bool:
        """Whether the other side can still carry out a threat right after a move."""
        after = self._game.play(self._position, move)
        if self._game.outcome(after) is not None or after.battle is not None:
            return False
        if after.side is not self._enemy:
            return False
        return any(one.is_like(deed) for _, one in threats(self._game, after, self._enemy))

    def _new_guard(self, good: Move) -> Iterator[Reason]:
        """The cell that a move guards: of a threat, or of the best reply to the mistake."""
        if not isinstance(good, Step):
            return
        game, position = self._game, self._position
        after = game.play(position, good)
        if game.outcome(after) is not None or after.battle is not None:
            return
        for enemy, cell in self._wanted(good):
            if not guards(game, position, good.piece, cell) and guards(
                game, after, good.piece, cell
            ):
                yield NewGuard(line=(good,), piece=good.piece, cell=cell, enemy=enemy)
                return

    def _wanted(self, good: Move) -> list[tuple[str, int]]:
        """The enemies that threaten something, or reply to the mistake, with where they go."""
        game, position = self._game, self._position
        if good == self._move:
            return [(deed.piece, deed.cell) for _, deed in threats(game, position, self._enemy)]
        line, positions = self._line(self._move)
        if len(line) < 2 or positions[1].side is not self._enemy:
            return []
        reply, cell = line[1], landing_cell(game, positions[1], line[1])
        if not isinstance(reply, Step) or cell is None:
            return []
        if cell == landing_cell(game, position, self._move):
            return []  # it goes there for the piece that moved, not for the cell
        return [(reply.piece, cell)]

    def _only_safe(self, good: Move) -> Iterator[Reason]:
        game = self._game
        if not isinstance(good, Step) or not self._is_safe(good):
            return
        if game.outcome(game.play(self._position, good)) is not None:
            return  # it wins, which says more
        if any(self._is_safe(one) for one in game.moves(self._position) if one != good):
            return
        cell = game.landing(self._position, good)
        if cell is not None:
            yield OnlySafe(line=(good,), piece=good.piece, cell=cell)

    def _is_safe(self, move: Move) -> bool:
        """Whether the other side can take, send home, fight and win nothing after a move."""
        after = self._game.play(self._position, move)
        if after.battle is not None or after.side is not self._enemy:
            return False
        return not any(threats(self._game, after, self._enemy))

    def _gains_later(self, first: Move) -> Iterator[Reason]:
        """The first thing that the side to move does later on a line.

        For a good move only where that is part of a forced win.
        """
        if self._value.winner is not self._side and self._move in self._keeping:
            return
        line, positions = self._line(first)
        for turn in range(1, len(line)):
            if positions[turn].side is not self._side:
                continue
            deed = deed_of(self._game, positions[turn], line[turn])
            if deed is not None and self._is_worth_telling(positions[turn], line[turn], deed):
                terms = terms_of(self._solution, positions[turn], line[turn])
                yield Gain(line=line[: turn + 1], deed=deed, terms=terms)
                return

    def _all_lose(self) -> Iterator[Reason]:
        if self._value.plies is None or self._move not in self._solution.best(self._position):
            return
        alone = len(self._solution.best(self._position)) == 1
        yield AllLose(line=(self._move,), turns=self._value.plies, alone=alone)

    # A move in a game that nobody can win by force

    def _why_as_good(self) -> list[Reason]:
        """What the move does, or another could have done, and a threat that it leaves."""
        found: list[Reason] = []
        if threat := self._threat():
            found.append(threat)
        candidates = [self._move]
        if len(self._keeping) == len(self._game.moves(self._position)):
            candidates += self._keeping
        for move in candidates:
            deed = deed_of(self._game, self._position, move)
            if deed is not None and self._is_worth_telling(self._position, move, deed):
                terms = terms_of(self._solution, self._position, move)
                found.append(Gain(line=(move,), deed=deed, terms=terms))
                break
        return found

    def _threat(self) -> Threat | None:
        found = self._harm(self._move)
        if not found:
            return None
        order = list(Act)
        reply, deed = min(
            found, key=lambda one: (order.index(one[1].act), -cells_lost(self._game, one[1]))
        )
        return Threat(
            line=(self._move, reply),
            deed=deed,
            terms=terms_of(self._solution, self._played, reply),
            avoidable=any(not self._harm(other) for other in self._keeping),
            cells_lost=cells_lost(self._game, deed),
        )

    def _harm(self, move: Move) -> list[tuple[Move, Deed]]:
        """What the other side can take, send home or win right after a move, or fight for free."""
        after = self._game.play(self._position, move)
        if after.side is not self._enemy or after.battle is not None:
            return []
        return [
            (reply, deed)
            for reply, deed in threats(self._game, after, self._enemy)
            if self._is_worth_telling(after, reply, deed)
        ]

    # Lines

    @cached_property
    def _better(self) -> Move | None:
        return better_move(self._solution, self._position)

    @cached_property
    def _lines(self) -> dict[Move, tuple[tuple[Move, ...], tuple[Position, ...]]]:
        return {}

    def _line(self, first: Move) -> tuple[tuple[Move, ...], tuple[Position, ...]]:
        """A move and the line of best play after it, with the positions before, between, after."""
        if first not in self._lines:
            position = self._game.play(self._position, first)
            line = first, *self._solution.line(position, MOST_LOOKED_THROUGH)
            positions = [self._position]
            for move in line:
                positions.append(self._game.play(positions[-1], move))
            self._lines[first] = line, tuple(positions)
        return self._lines[first]

    def _is_zugzwang(self, position: Position) -> bool:
        """Whether it is proved that the side to move would be better off without the turn."""
        if position.battle is not None or self._game.moves(position) in ((), (PASS,)):
            return False
        side = position.side
        try:
            other = self._solution.value(turned_to(position, side.other))
        except NotSolved:
            return False
        return self._solution.value(position).hoped(side) < other.sure(side)

    def _zugzwang(
        self,
        line: tuple[Move, ...],
        positions: tuple[Position, ...],
        turn: int,
        side: Side,
    ) -> Zugzwang:
        deed = deed_of(self._game, positions[turn], line[turn])
        quiet = deed is None or deed.act is Act.BLOCKS
        return Zugzwang(line=line[: turn + 1], side=side, to_spare=quiet)


def _chosen(found: Iterable[Reason]) -> tuple[Reason, ...]:
    """The first reason, and one about the other line, or another one, if it comes soon."""
    ordered = sorted(found, key=lambda one: (max(one.turn, 1), one.rank))
    if len(ordered) < MOST_TOLD:
        return tuple(ordered)
    first, *rest = ordered
    rest = [one for one in rest if one.turn <= FAR and not _repeats(first, one)]
    soon = [one for one in rest if one.turn <= max(SOON, first.turn + 1)]
    if not soon and isinstance(first, Zugzwang):  # what comes of it
        soon = [one for one in rest if one.line[0] == first.line[0]]
    other = [one for one in soon if one.line[0] != first.line[0]]
    return first, *(other or soon)[: MOST_TOLD - 1]


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
