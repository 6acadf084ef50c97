"""Why a move is good or bad: the reasons that a solution proves, the most telling first."""

from collections.abc import Iterator
from functools import cached_property

from lineduel.coach.deeds import (
    Act,
    Deed,
    cells_lost,
    deed_of,
    guards,
    is_race,
    landing_cell,
    threats,
    turned_to,
)
from lineduel.coach.given_up import given_up
from lineduel.coach.races import ahead_after, race_after, turns_lost
from lineduel.coach.reason_facts import (
    AllLose,
    BadBattle,
    Distance,
    Escape,
    Gain,
    GivenUp,
    Later,
    LeftGuard,
    Loss,
    NewGuard,
    NoEscape,
    OnlySafe,
    Race,
    Reason,
    Reply,
    Terms,
    Threat,
    Waiting,
    Zugzwang,
)
from lineduel.coach.sequels import (
    answers_to,
    can_strike_back,
    distances_left,
    is_given_up,
    is_zugzwang,
    losing_distance,
    own_strike,
    sequel_of,
)
from lineduel.coach.told_reasons import (
    FAR,
    is_circular,
    is_far_off,
    is_free_step,
    is_guard,
    is_loss,
    told_reasons,
)
from lineduel.coach.waiting import safe_moves_left, waiting_line
from lineduel.engine import Move, Position, Step
from lineduel.rules import Side
from lineduel.solve import Solution, Value, keeping_moves

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
    """What the battle leads to that a move opens; None if it opens none.

    None, too, where its result is not all that counts: where numbers are spent, those in hand may
    leave only one result possible, and what a result is worth depends on what is left in hand.
    """
    game, battle = solution.game, solution.game.rules.battle
    fight = game.play(position, move)
    if fight.battle is None or battle is None:
        return None
    found: dict[Side | None, set[Value]] = {position.side: set(), None: set()}
    found[position.side.other] = set()
    for pair, value in solution.moves(fight):
        if not isinstance(pair, Step):
            found[battle.winner(*pair)].add(value)
    if any(len(values) != 1 for values in found.values()):
        return None
    won, tied, lost = (value for values in found.values() for value in values)
    return Terms(won, tied, lost, solution.value(fight))


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
            return told_reasons(self._why_worse())
        even = self._value.winner is None and not self._value.is_lost(self._side)
        return told_reasons((even and self._why_as_good()) or self._why_good())

    # A mistake

    def _why_worse(self) -> list[Reason]:
        """What follows the move, and what the better move would have done."""
        move, better = self._move, self._better
        found: list[Reason] = [
            *self._given_up(),
            *self._after_the_move(),
            *self._left_guard(),
            *(self._of_good_move(better) if better is not None else ()),
        ]
        if better is not None and not any(one.line[0] == better for one in found):
            found += self._gains_later(better)
        reply = next((one for one in found if isinstance(one, Reply)), None)
        if reply is not None and not reply.deed.act.is_quiet:  # that says more
            found = [one for one in found if not isinstance(one, GivenUp)]
        if reply is None or reply.is_trade:
            found += [one for one in self._later(move) if reply is None or one.turn > 1]
        elif any(isinstance(one, NewGuard) and one.cell == reply.deed.cell for one in found):
            pass  # the piece that is struck would have been guarded
        elif better is not None and len(found) > 1 and self._comes_anyway(reply, better):
            found.remove(reply)
        if all(is_far_off(one) or is_guard(one) or is_loss(one) for one in found):
            waits = list(self._waiting(move))
            if waits:
                found = [one for one in found if not is_guard(one) and not is_circular(one)]
                found += waits
                found += self._waiting(better) if better is not None else ()
        stepped = [one for one in found if is_free_step(one)]
        found = [one for one in found if one not in stepped] or stepped
        if better is not None and all(is_far_off(one) or is_loss(one) for one in found):
            found += self._brief_blocks(better)
        if better is not None and all(is_far_off(one) or is_loss(one) for one in found):
            gives_turn = any(isinstance(one, GivenUp) and one.loss is Loss.TURN for one in found)
            found += self._overtaken(better, gives_turn=gives_turn)
        return found

    def _given_up(self) -> Iterator[Reason]:
        """What the move gives up by itself, and the better one does not."""
        found = given_up(self._solution, self._position, self._move)
        if found is None or self._better is None:
            return
        kept = given_up(self._solution, self._position, self._better)
        after = self._game.play(self._position, self._better)
        is_open = found.loss is Loss.HOLD and found.line[1] in self._game.moves(after)
        if not is_open and (kept is None or kept.loss is not found.loss):
            yield found

    def _brief_blocks(self, better: Move) -> Iterator[Reason]:
        """The blocks that the best reply and the better move bring, though not for long."""
        line, positions = self._line(self._move)
        reply = self._reply(brief=True)
        if reply is not None and not self._comes_anyway(reply, better):
            yield reply
        played = deed_of(self._game, self._position, self._move)
        deed = deed_of(self._game, self._position, better)
        if deed is None or deed.act is not Act.BLOCKS or (played and played.is_like(deed)):
            return
        line, positions = self._line(better)
        yield self._gain(line, positions, 0, deed)

    def _overtaken(self, better: Move, *, gives_turn: bool) -> list[Reason]:
        """That the other side is ahead after the move, where the better one keeps ahead of it.

        Or where it only gives the turn away.

        Or else that the move loses turns in the race, if it does.
        """
        now = ahead_after(self._solution, self._position, self._move, self._enemy)
        kept = ahead_after(self._solution, self._position, better, self._side)
        if now is not None and gives_turn:
            return [now]
        if now is not None and kept is not None:
            return [now, kept]
        lost = turns_lost(self._solution, self._position, self._move, better)
        return [] if lost is None else [lost]

    def _waiting(self, first: Move) -> Iterator[Reason]:
        """Who runs out of safe moves after a move, if that side loses."""
        after = self._game.play(self._position, first)
        winner = self._solution.value(after).winner
        if after.side is self._side or winner is None:
            return
        wait = waiting_line(self._solution, after)
        if wait is not None:
            settled, spare = safe_moves_left(self._solution, after, wait)
            yield Waiting(line=(first,), side=winner.other, wait=wait, settled=settled, spare=spare)

    def _after_the_move(self) -> Iterator[Reason]:
        """What the reply does, a race that is lost, and a zugzwang, on the line of the move."""
        if self._played.battle is not None:
            deed = deed_of(self._game, self._position, self._move)
            terms = terms_of(self._solution, self._position, self._move)
            assert deed is not None
            yield BadBattle(line=(self._move,), deed=deed, terms=terms)
        reply = self._reply()
        if reply is not None:
            yield reply
        line, positions = self._line(self._move)
        if (
            reply is None
            and not is_race(self._game, self._played)
            and (escape := self._no_escape())
        ):
            yield escape
        for turn, after in enumerate(positions[1:]):
            if found := self._race(line[: turn + 1], after, won=False):
                yield found
                break
        for turn in range(1, len(line)):
            if positions[turn].side is not self._enemy:
                continue
            if found_one := self._no_good_move(line, positions, turn):
                yield found_one
                break

    def _race(self, line: tuple[Move, ...], after: Position, *, won: bool) -> Race | None:
        """The race after a line, if the side that is asked wins it, or if it does not."""
        return race_after(self._solution, line, after, self._side, wins=won)

    def _no_escape(self) -> NoEscape | None:
        """That the side to move loses whatever it plays after the best reply, and by what."""
        line, positions = self._line(self._move)
        if len(line) < 2 or positions[1].side is not self._enemy:
            return None
        at = positions[2]
        if at.side is not self._side or at.battle is not None:
            return None
        value = self._solution.value(at)
        if value.winner is not self._enemy or is_zugzwang(self._solution, at):
            return None
        answers = tuple(answers_to(self._solution, at))
        found = NoEscape(line=line[:2], side=self._side, within=value.plies, answers=answers)
        is_told = found.is_shown and not found.is_circular
        return found if is_told and any(one.deed is not None for one in answers) else None

    def _reply(self, *, brief: bool = False) -> Reply | None:
        """The reply that does something and keeps the value; the best one, if it does.

        A block that best play gives up at once is only told of if it may be `brief`.
        """
        played = self._played
        if played.side is not self._enemy or played.battle is not None:
            return None
        best = next(iter(self._line(self._move)[0][1:]), None)
        keeping = keeping_moves(self._solution, played)
        found = [
            (reply != best, list(Act).index(deed.act), at, reply, deed)
            for at, reply in enumerate(keeping)
            if (deed := deed_of(self._game, played, reply)) is not None
            and (brief or not self._is_undone(played, reply, deed))
        ]
        if not found:
            return None
        other, _, _, reply, deed = min(found)
        return Reply(
            line=(self._move, reply),
            deed=deed,
            terms=terms_of(self._solution, played, reply),
            sequel=sequel_of(self._solution, played, reply, deed),
            is_best=not other,
            own=own_strike(self._solution, self._position, self._move),
        )

    def _is_undone(self, position: Position, move: Move, deed: Deed) -> bool:
        """Whether it is a block that the next move of the piece gives up in best play."""
        after = self._game.play(position, move)
        return deed.act is Act.BLOCKS and is_given_up(self._solution, after, deed)

    def _comes_anyway(self, told: Reply, better: Move) -> bool:
        """Whether the other side can do the same after the better move and keep the value."""
        deed, again = told.deed, told.sequel.again
        after = self._game.play(self._position, better)
        if after.side is not self._enemy or after.battle is not None:
            return False
        return any(
            (other := deed_of(self._game, after, reply)) is not None
            and other.is_like(deed)
            and other.cell == deed.cell
            and sequel_of(self._solution, after, reply, other).again == again
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
            and cell != self._game.cell_of(self._position, piece)  # to leave it is no news
            and guards(self._game, self._position, piece, cell)
            and not guards(self._game, self._played, piece, cell)
        ):
            yield LeftGuard(line=line[:2], piece=piece, cell=cell)

    def _later(self, first: Move) -> Iterator[Reason]:
        """The first lasting thing that the other side does on a line, or else the first."""
        line, positions = self._line(first)
        for turn, deed in self._told_deeds(line, positions, self._enemy):
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
                sequel=sequel_of(self._solution, positions[turn], line[turn], deed),
                forced=self._is_forced(deed, positions[1], turn),
                stepped_in=stepped_in,
                must=stepped_in and keeping_moves(self._solution, before) == (stepped,),
            )

    # A good move

    def _why_good(self) -> list[Reason]:
        found = list(self._of_good_move(self._move))
        if self._value.winner is self._side and all(map(is_far_off, found)):
            found += self._waiting(self._move)
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
            yield self._gain(line, positions, 0, deed)
        yield from self._escape(good)
        yield from self._new_guard(good)
        if found := self._race(line[:1], after, won=True):
            yield found
        if found_one := self._no_good_move(line, positions, 0):
            yield found_one
        yield from self._only_safe(good)

    def _is_worth_telling(self, position: Position, move: Move, deed: Deed) -> bool:
        """Whether a deed is a gain: a battle if it is free, or better than the mistake.

        Not one that the mistake does as well.
        """
        if self._is_undone(position, move, deed):
            return False
        if position is self._position and move != self._move:
            played = deed_of(self._game, position, self._move)
            if played is not None and played.is_like(deed):
                both = (terms_of(self._solution, position, one) for one in (move, self._move))
                return len({one and one.results for one in both}) > 1
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
            stands = game.cell_of(after, good.piece) == cell != game.cell_of(position, good.piece)
            if (
                (stands or not guards(game, position, good.piece, cell))
                and guards(game, after, good.piece, cell)
                and self._guard_holds(after, good.piece, cell)
                and (stands or not self._is_entered(good, cell))
            ):
                threat = None if good == self._move else self._threat_from(enemy)
                yield NewGuard(
                    line=(good,), piece=good.piece, cell=cell, enemy=enemy, threat=threat
                )
                return

    def _is_entered(self, good: Move, cell: int) -> bool:
        """Whether the best reply to a better move goes to a cell all the same."""
        line, positions = self._line(good)
        if good == self._move or len(line) < 2:
            return False
        return landing_cell(self._game, positions[1], line[1]) == cell

    def _threat_from(self, enemy: str) -> Deed | None:
        """The gravest thing that a piece can do after the best reply to the mistake."""
        replied = self._line(self._move)[1][2]
        if replied.battle is not None or self._game.outcome(replied) is not None:
            return None
        found = [
            deed for _, deed in threats(self._game, replied, self._enemy) if deed.piece == enemy
        ]
        return min(found, key=lambda deed: list(Act).index(deed.act), default=None)

    def _guard_holds(self, position: Position, piece: str, cell: int) -> bool:
        """Whether a piece keeps all that its side has by striking an enemy that comes to a cell.

        And is not struck there in turn.
        """
        game, solution = self._game, self._solution
        if game.cell_of(position, piece) == cell:
            return True
        for enemy in game.moves(position):
            if landing_cell(game, position, enemy) != cell:
                continue
            come = game.play(position, enemy)
            if game.outcome(come) is not None or come.side is not self._side:
                continue
            for move in game.moves(come):
                if not isinstance(move, Step) or move.piece != piece:
                    continue
                if landing_cell(game, come, move) != cell:
                    continue
                struck, deed = game.play(come, move), deed_of(game, come, move)
                if deed is None or solution.value(struck).sure(self._side) < self._value.sure(
                    self._side
                ):
                    return False
                if struck.side is self._enemy and can_strike_back(solution, struck, deed):
                    return False
        return True

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
        for turn, deed in self._told_deeds(line, positions, self._side):
            yield self._gain(line, positions, turn, deed)

    def _told_deeds(
        self, line: tuple[Move, ...], positions: tuple[Position, ...], side: Side
    ) -> Iterator[tuple[int, Deed]]:
        """The first lasting thing that a side does soon on a line, or else the first; or nothing.

        A strike does not last that can be answered by another, or answers one. A piece that is
        only blocked is not told of where the side soon wins by force: how it wins is told.
        """
        won = self._solution.value(positions[1])
        soon = won.winner is side and (won.plies or 0) <= FAR
        found: list[tuple[int, Deed]] = []
        for turn in range(1, len(line)):
            before, move = positions[turn], line[turn]
            deed = deed_of(self._game, before, move) if before.side is side else None
            if deed is None:
                continue
            if side is self._side and not self._is_worth_telling(before, move, deed):
                continue
            if deed.act is Act.BLOCKS and (soon or self._is_undone(before, move, deed)):
                continue
            found.append((turn, deed))
            struck = own_strike(self._solution, positions[turn - 1], line[turn - 1])
            if struck is not None and struck.side is not side and struck.cell == deed.cell:
                continue
            if sequel_of(self._solution, before, move, deed).back is None:
                yield (turn, deed) if turn <= FAR else found[0]
                return
        yield from found[:1]

    def _gain(
        self, line: tuple[Move, ...], positions: tuple[Position, ...], turn: int, deed: Deed
    ) -> Gain:
        """What the side to move does in a turn of a line."""
        before, move = positions[turn], line[turn]
        return Gain(
            line=line[: turn + 1],
            deed=deed,
            terms=terms_of(self._solution, before, move),
            sequel=sequel_of(self._solution, before, move, deed),
            forced=self._is_forced(deed, positions[1], turn),
        )

    def _is_forced(self, deed: Deed, first: Position, turn: int) -> bool:
        """Whether a side wins with a deed, or sooner, whatever the other plays from a position."""
        value = self._solution.value(first)
        return deed.act.wins and turn > 0 and (value.winner, value.plies) == (deed.side, turn)

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
                line, positions = self._line(move)
                found.append(self._gain(line, positions, 0, deed))
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

    def _no_good_move(
        self, line: tuple[Move, ...], positions: tuple[Position, ...], turn: int
    ) -> Distance | Zugzwang | None:
        """That the other side is without a good move after a turn of a line, and why."""
        before, after = positions[turn], positions[turn + 1]
        side = before.side.other
        if after.side is not side or after.battle is not None:
            return None
        apart = losing_distance(self._solution, after)
        if apart is not None:
            left = distances_left(self._solution, after)
            return Distance(line=line[: turn + 1], side=side, apart=apart, left=left)
        if not is_zugzwang(self._solution, after):
            return None
        deed = deed_of(self._game, before, line[turn])
        return Zugzwang(
            line=line[: turn + 1],
            side=side,
            to_spare=deed is None or deed.act.is_quiet,
            winner=self._solution.value(after).winner,
            within=self._solution.value(after).plies,
            turned=self._solution.value(turned_to(after, side.other)).winner,
            answers=tuple(answers_to(self._solution, after)),
        )
