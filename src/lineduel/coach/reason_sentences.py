"""Reasons in words."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import NamedTuple, assert_never

from lineduel.coach.deeds import Act, Deed, deed_of, landing_cell, threats
from lineduel.coach.number_reasons import Beaten, NumberMixture, NumberReason, Predictable
from lineduel.coach.reason_facts import (
    MOST_SHOWN,
    Ahead,
    AllLose,
    BadBattle,
    DeedReason,
    Distance,
    Escape,
    Gain,
    GivenUp,
    Later,
    LeftGuard,
    Loss,
    LostTurns,
    NewGuard,
    NoEscape,
    NoGoodMove,
    OnlySafe,
    OwnAnswer,
    Race,
    Reason,
    Reply,
    Sequel,
    StrikeBack,
    Terms,
    Threat,
    Unstoppable,
    Waiting,
    Zugzwang,
)
from lineduel.coach.waiting import SafeMoves
from lineduel.engine import PASS, Game, Move, Position, Step
from lineduel.narration import NUMBERED, YOU, Names, cell_label, move_text
from lineduel.quantities import counted, percent
from lineduel.rules import Meeting, Side, listed
from lineduel.solve import Value, in_words

_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_THEN = ", and then"
"""What stands before what a deed leads to."""
_FEW = 8
"""The most turns within which a forced win is told as one."""
_LISTED = 3
"""The most moves of a line that a sentence lists; all of them can be stepped through."""


class Tense(Enum):
    """When a reason is given."""

    BEFORE = auto()
    """Before the move is played, by a coach or a hint."""
    AFTERWARDS = auto()
    """In a review."""


class _Verb(NamedTuple):
    """The forms of a verb."""

    does: str
    do: str
    done: str


_VERBS = {
    Act.REACHES_GOAL: _Verb("reaches", "reach", "reached"),
    Act.TAKES_LAST: _Verb("takes", "take", "taken"),
    Act.LANDS: _Verb("lands on", "land on", "landed on"),
    Act.TRAPS: _Verb("traps", "trap", "trapped"),
    Act.TAKES: _Verb("takes", "take", "taken"),
    Act.SENDS_HOME: _Verb("sends", "send", "sent"),
    Act.BATTLE: _Verb("attacks", "attack", "attacked"),
    Act.BLOCKS: _Verb("goes to", "go to", "gone to"),
    Act.THREATENS: _Verb("goes to", "go to", "gone to"),
}
_WIN = _Verb("wins", "win", "won")
_STRIKE = _Verb("strikes", "strike", "struck")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonWords:
    """Puts the reasons for a move into words."""

    game: Game
    position: Position
    move: Move
    """The move that the reasons are about."""
    names: Names
    tense: Tense = Tense.AFTERWARDS
    subject: str = "it"
    """What that move is called."""

    def sentences(self, reasons: Iterable[Reason]) -> str:
        """One sentence for each reason."""
        given = tuple(reasons)
        told = []
        for at, reason in enumerate(given):
            follows = at + 1 < len(given)
            last = given[at - 1] if at else None
            if isinstance(reason, GivenUp) and reason.loss is Loss.TURN and follows:
                told.append(_sentence(f"{self.subject} gives the turn away"))
                continue
            told.append(_sentence(self._following(last, _left_open(reason) if follows else reason)))
        return " ".join(told)

    def _following(self, last: Reason | None, reason: Reason) -> str:
        """A reason as a clause behind the one before it, if there is one."""
        match last, reason:
            case Reply(), Gain(turn=0) if _are_alike(last.terms, reason.terms):
                side = reason.deed.side
                told = self.deed(
                    reason.deed, self._form(reason, "", "could", "should have"), instead=" first"
                )
                return f"{told}, with the same chances for {self.names[side]}"
            case Reason(), Race() if reason.line == last.line:
                return self._race(reason, "after that")
            case Waiting(), Waiting():
                return self._waiting(reason, shown=False)
            case Distance(), Distance():
                return self._distance(reason, shown=False)
            case Reply(), Gain(turn=0) if last.deed.piece in reason.deed.victims:
                return self._gain(reason, missed=True, first=not reason.deed.act.is_quiet)
            case Reply() | LeftGuard() | Later() | NoEscape(), Gain(turn=0):
                return self._gain(reason, missed=True)
            case Gain(turn=0), _ if self._is_now(last, reason):
                when = "now" if self.tense is Tense.AFTERWARDS else f"after {self.subject},"
                return f"{when} {self._clause(reason)}"
            case _:
                return self._clause(reason)

    def _is_now(self, last: Reason, reason: Reason) -> bool:
        """Whether what was missed is followed by what happens next."""
        return reason.turn == 1 and self._is_asked(reason) and not self._is_asked(last)

    def sentence(self, reason: Reason) -> str:
        """A reason as a sentence."""
        return _sentence(self._clause(reason))

    def in_short(self, reason: Reason) -> str:
        """A reason for the move asked about in a few words, for a list of moves."""
        match reason:
            case GivenUp():
                return self._given_up(reason)
            case Reply() | Threat():
                can = "" if isinstance(reason, Reply) and reason.is_best else "can"
                return self.deed(reason.deed, can)
            case BadBattle():
                return "a battle on bad terms"
            case Gain() | Later():
                return f"{'later ' if reason.turn else ''}{self.deed(reason.deed)}"
            case Escape(deed=deed) if deed.act is Act.REACHES_GOAL:
                return f"stops {deed.piece}"
            case Escape(deed=deed):
                return f"saves {listed(deed.victims, 'and')}"
            case NewGuard():
                return f"guards {self._label(reason.cell)}"
            case Race() | Ahead() | LostTurns() | NoGoodMove() | Distance() | Waiting():
                return self._tempo_in_short(reason)
            case OnlySafe():
                return "the only safe move"
            case LeftGuard():
                return f"{self._label(reason.cell)} is left unguarded"
            case AllLose():
                return "lasts longest"
            case _:
                raise AssertionError(reason)

    def _tempo_in_short(
        self, reason: Race | Ahead | LostTurns | NoGoodMove | Distance | Waiting
    ) -> str:
        match reason:
            case Race() | Ahead():
                won = reason.needs.winner(reason.first)
                if won is None:
                    return ""
                who = self.names[won[0]]
                if isinstance(reason, Ahead):
                    return f"{who} closer to a goal"
                where = "at a goal" if isinstance(reason, Unstoppable) else "in the race"
                return f"{who} first {where}"
            case NoGoodMove() | Distance():
                return f"no good move left for {self.names[reason.side]}"
            case LostTurns():
                return "loses time"
            case Waiting():
                return f"{self.names[reason.side]} first without a safe move"
            case _:
                assert_never(reason)

    def _clause(self, reason: Reason) -> str:
        match reason:
            case GivenUp():
                return self._given_up(reason)
            case Reply():
                own = "" if reason.own is None else f"{self.deed(reason.own)}, but "
                return f"{own}{self._reply(reason)}{self._outcome(reason)}"
            case Threat():
                lost = f": {counted(reason.cells_lost, 'cell')} lost" if reason.cells_lost else ""
                terms = self._terms(reason.deed, reason.terms)
                return f"{self.deed(reason.deed, 'can')} next turn{lost}{terms}"
            case BadBattle():
                terms = self._terms(reason.deed, reason.terms)
                return f"{self.deed(reason.deed, '')}{terms}"
            case Gain():
                return self._gain(reason)
            case Escape():
                return self._escape(reason)
            case NewGuard():
                return self._new_guard(reason)
            case Race() | Ahead() | LostTurns() | NoGoodMove() | Distance() | Waiting():
                return self._tempo(reason)
            case OnlySafe():
                return self._only_safe(reason)
            case LeftGuard():
                enters = self._moved(reason).piece
                label = self._label(reason.cell)
                return f"{reason.piece} no longer guards {label}, and {enters} goes there next turn"
            case Later():
                return self._later(reason)
            case AllLose():
                most = "lasts longest" if reason.alone else "lasts as long as any"
                return f"every move loses; this one {most}, {counted(reason.turns, 'turn')}"
            case _:
                raise AssertionError(reason)

    def _tempo(self, reason: Race | Ahead | LostTurns | NoGoodMove | Distance | Waiting) -> str:
        """What turns decide."""
        match reason:
            case Race():
                return self._race(reason)
            case Ahead():
                return self._ahead(reason)
            case LostTurns():
                return self._lost_turns(reason)
            case NoGoodMove():
                return self._no_good_move(reason)
            case Distance():
                return self._distance(reason)
            case Waiting():
                return self._waiting(reason)
            case _:
                assert_never(reason)

    def _given_up(self, reason: GivenUp) -> str:
        """What a mistake gives up by itself."""
        leaves, cell = f"{reason.piece} leaves", self._label(reason.cell)
        match reason.loss:
            case Loss.TURN:
                return f"{self.subject} gives the turn away, and the side to move wins here"
            case Loss.GOAL:
                return f"{leaves} its goal cell {cell}"
            case Loss.HOLD:
                return f"{leaves} {cell} and lets {self._text(reason, 1)} through"
            case _:
                assert_never(reason.loss)

    def _ahead(self, reason: Ahead) -> str:
        won = reason.needs.winner(reason.first)
        assert won is not None
        who, other = self.names[won[0]], self.names[won[0].other]
        if not self._is_asked(reason):
            be = self._form(reason, "", "would be", "would have been")
            own, late = reason.needs.of(won[0]), reason.needs.of(won[0].other)
            told = (
                f"after {self._tried_first(reason)} {who} {be} closer: {counted(own or 0, 'turn')}"
            )
            return f"{told} against {late}" if own != late else f"{told} each, with {who} to move"
        return (
            f"if nothing is in the way, {self._race_needs(reason, won[0])}; "
            f"{other} can delay that, but not stop it"
        )

    def _lost_turns(self, reason: LostTurns) -> str:
        side = self.position.side
        who, enemy, own = self.names[side], self.names[side.other], reason.needs.of(side) or 0
        lost = counted(own - reason.kept, "turn")
        need = "would need" if self.tense is Tense.BEFORE else "would have needed"
        better = move_text(self.game, self.position, reason.better)
        return (
            f"{self.subject} loses {lost}: if nothing is in the way, {who} now "
            f"{_do(who, 'need')} {counted(own, 'turn')} {self._goal()}, and {need} {reason.kept} "
            f"after {better} ({enemy} {_do(enemy, 'need')} {reason.needs.of(side.other)})"
        )

    def _waiting(self, reason: Waiting, *, shown: bool = True) -> str:
        """Who runs out of safe moves; `shown` with an example and what comes of it."""
        who, enemy = self.names[reason.side], self.names[reason.side.other]
        moves = self._waits(reason)
        position = self._after(replace(reason, line=reason.shown_by))
        can, play = self._form(reason, "can", "could", "could"), _do(who, "play")
        play = self._form(reason, play, play, "played")
        end = f"{enemy} {can} {self._strike(position)} whatever {who} {play}"
        if len(moves) <= 1:
            last = moves[0] if moves else self._first(reason)
            leaves = self._form(reason, "leaves", "would leave", "would have left")
            leaves = leaves if not moves or self._is_asked(reason) else "leaves"
            after = (
                ""
                if not moves or self._is_asked(reason)
                else f"after {self._tried_first(reason)}, "
            )
            return f"{after}{last} {leaves} {who} without a safe move: {end}"
        if self._is_asked(reason):
            wait = (
                f"nobody can strike yet, but if both make only safe moves, {who} {_do(who, 'run')}"
            )
        else:
            run = self._form(reason, "", "would run", "would have run")
            wait = f"after {self._tried_first(reason)} {who} {run}"
        wait += " out of them first" if self._is_asked(reason) else " out of safe moves first"
        is_counted = reason.spare is not None and reason.settled < len(moves)
        if reason.spare is not None and is_counted:
            wait += self._safe_moves_left(reason, reason.spare)
        if not shown:
            return wait
        if is_counted:
            return f"{wait}; then {end}"
        if len(moves) > _LISTED:
            return f"{wait}, {_later(len(moves))}; then {end}"
        return f"{wait}: for example {', '.join(moves)}, and then {end}"

    def _waits(self, reason: Waiting) -> list[str]:
        """The safe moves that show who runs out of them."""
        positions = [
            self._after(replace(reason, line=reason.shown_by[:turn]))
            for turn in range(1, 1 + len(reason.wait))
        ]
        return [
            move_text(self.game, position, move)
            for position, move in zip(positions, reason.wait, strict=True)
        ]

    def _safe_moves_left(self, reason: Waiting, left: SafeMoves) -> str:
        """How many safe moves both sides have, and who begins: `(4 left against 5, …)`."""
        own, other = left.of(reason.side), left.of(reason.side.other)
        if reason.settled:
            moves = listed(self._waits(reason)[: reason.settled], "and")
            after = self._after(replace(reason, line=reason.shown_by[: 1 + reason.settled]))
            mover = self.names[after.side]
            return f" ({own or 'none'} left against {other} after {moves}, with {mover} to move)"
        mover = self.names[self._after(reason).side]
        moves = f"and {mover} {_do(mover, 'move')} next"
        if not self._is_asked(reason):
            moves = f"with {mover} to move"
        return f" ({own} left against {other}, {moves})"

    def _strike(self, position: Position) -> str:
        """What the other side can do after every move."""
        acts = [
            {deed.act for _, deed in threats(self.game, after, position.side.other)}
            for move in self.game.moves(position)
            for after in [self.game.play(position, move)]
        ]
        if all(Act.TAKES_LAST in one for one in acts):
            return "take the last piece and win"
        if all(any(act.wins for act in one) for one in acts):
            return "win"
        if all(one & {Act.TAKES, Act.TAKES_LAST} for one in acts):
            return "take a piece"
        return "send a piece home" if all(Act.SENDS_HOME in one for one in acts) else "strike"

    def _only_safe(self, reason: OnlySafe) -> str:
        is_ = self._form(reason, "is", "is", "was")
        enemy = self.names[self.position.side.other]
        strikes = self._form(reason, "can strike", "could strike", "could have struck")
        return (
            f"{self._first(reason)} {is_} the only safe move: "
            f"after any other move {enemy} {strikes} at once"
        )

    def _reply(self, reason: Reply) -> str:
        modal = "" if reason.is_best else "can"
        told = self.deed(reason.deed, modal, brief=reason.sequel.brief)
        # What can be done after it would stand between it and when it is done.
        first = reason.deed.act.is_quiet
        return f"next turn {told}" if first else f"{told} next turn"

    def _later(self, reason: Later) -> str:
        deed = reason.deed
        if reason.must:
            victim, cell = self._stepped(reason, reason.turn - 1).piece, self._label(deed.cell)
            told = self.deed(deed, "", there=True)
            when = f"{_later(reason.turn - 1)}{self._between(reason, reason.turn - 1)}"
            return f"{when} {victim} must step to {cell}, and {told}"
        if reason.forced and reason.turn <= _FEW:
            who, enemy = self.names[deed.side], self.names[deed.side.other]
            within = f"{who} {_do(who, 'win')} within {_number(reason.turn)} turns"
            return f"{within}, whatever {enemy} {_do(enemy, 'play')}: {self._example(reason)}"
        if deed.act.is_quiet:
            return f"{self._when(reason)} {self.deed(deed)}{self._outcome(reason)}"
        told = self._with_cause(reason, self.deed(deed), "")
        return f"with best play {told}, {self._when(reason)}{self._outcome(reason)}"

    def _with_cause(self, reason: DeedReason, told: str, modal: str) -> str:
        """What strikes back, told with the strike that it answers."""
        before = self._after(reason, reason.turn - 1)
        struck = deed_of(self.game, before, reason.line[reason.turn - 1])
        if struck is None or struck.act is not reason.deed.act or struck.cell != reason.deed.cell:
            return told
        if reason.deed.act is not Act.TAKES:
            return told
        back = f"{reason.deed.piece} {_modal(_VERBS[Act.TAKES], modal)} back"
        return f"{self.deed(struck, modal)} and {back}"

    def _example(self, reason: DeedReason) -> str:
        """A line of best play that ends with a deed."""
        moves = [self._played(reason, at) for at in range(1, reason.turn)]
        return f"for example {', '.join(_first_few(moves))}, and then {self.deed(reason.deed)}"

    def _gain(self, reason: Gain, *, missed: bool = False, first: bool = False) -> str:
        """What is gained; `missed` by a mistake, `first` before the enemy does what it does."""
        deed, outcome = reason.deed, self._outcome(reason)
        if reason.forced and reason.turn <= _FEW:
            who, enemy = self.names[deed.side], self.names[deed.side.other]
            win = self._form(reason, _do(who, "win"), "would win", "would have won")
            play = self._form(reason, _do(enemy, "play"), _do(enemy, "play"), "played")
            after = (
                f"after {self._tried_first(reason)} {who} {win} within {_number(reason.turn)} turns"
            )
            return f"{after}, whatever {enemy} {play}: {self._example(reason)}"
        if reason.turn:
            modal = self._form(reason, "", "would", "would have")
            told = self.deed(deed, modal)
            after = "" if self._is_asked(reason) else f"after {self._tried_first(reason)}, "
            if deed.act.is_quiet:
                return f"{after}{self._when(reason)} {told}{outcome}"
            told = self._with_cause(reason, told, modal)
            return f"{after or 'with best play '}{told}, {self._when(reason)}{outcome}"
        could = self._form(reason, "", "could", "should have" if missed else "could have")
        instead = " first" if first else self._form(reason, "", " instead", "")
        if first and self._is_for_nothing(reason):
            outcome = (
                ", and no piece could have taken back"
                if could.endswith("have")
                else ", and no piece could take back"
            )
        told = self.deed(deed, could, instead=instead, brief=reason.sequel.brief)
        return f"{told}{outcome}"

    def _is_for_nothing(self, reason: Gain) -> bool:
        """Whether a piece is taken that costs nothing, and the other side is to move then."""
        if reason.deed.act is not Act.TAKES or reason.sequel != Sequel(within=reason.sequel.within):
            return False
        return self._after(reason).side is not reason.deed.side and not reason.sequel.wins_next

    def _escape(self, reason: Escape) -> str:
        deed = reason.deed
        first = self._first(reason)
        if deed.act is Act.REACHES_GOAL:
            keeps = self._form(reason, "keeps", "would keep", "would have kept")
            return f"{first} {keeps} {deed.piece} from reaching {self._label(deed.cell)}"
        if deed.act is Act.TRAPS:
            keeps = self._form(reason, "keeps", "would keep", "would have kept")
            return f"{first} {keeps} a way open when {deed.piece} steps to {self._label(deed.cell)}"
        saves = self._form(reason, "saves", "would save", "would have saved")
        return f"{first} {saves} {listed(deed.victims, 'and')} from {deed.piece}"

    def _new_guard(self, reason: NewGuard) -> str:
        guards = self._form(reason, "guards", "would guard", "would have guarded")
        after = self.game.play(self.position, reason.line[0])
        if struck := self._struck_at(reason):
            would = self._form(reason, "", "would guard", "would have guarded")
            could = self._form(reason, "", "could", "could have")
            back = _modal(_VERBS[struck.act], could)
            whom = "back" if struck.act is Act.TAKES else f"{reason.enemy} home in turn"
            place = f"{listed(struck.victims, 'and')} on {self._label(reason.cell)}"
            return f"{self._first(reason)} {would} {place}: {reason.piece} {back} {whom}"
        if self.game.cell_of(after, reason.piece) == reason.cell:
            if self.game.rules.meet.enemy.consequences.blocks:
                keeps = self._form(reason, "keeps", "would keep", "would have kept")
                out = f"{reason.enemy} out of {self._label(reason.cell)}"
                return f"{self._first(reason)} {keeps} {out}"
            guards = self._form(reason, "holds", "would hold", "would have held")
            answer = f": {reason.enemy} would have to fight for it"
        else:
            answer = f": {reason.piece} could {self._guard_does()} there"
        goes = "can go" if self._is_asked(reason) else "goes now"
        return (
            f"{self._first(reason)} {guards} {self._label(reason.cell)}, "
            f"where {reason.enemy} {goes}{self._threatening(reason)}{answer}"
        )

    def _struck_at(self, reason: NewGuard) -> Deed | None:
        """What an enemy takes or sends home on a cell, after the mistake, and could then as well.

        The piece that would strike back has to come from elsewhere.
        """
        if self._is_asked(reason):
            return None
        played = self.game.play(self.position, self.move)
        better = self.game.play(self.position, reason.line[0])
        found = [
            deed
            for one in (played, better)
            for _, deed in threats(self.game, one, self.position.side.other)
            if (deed.piece, deed.cell) == (reason.enemy, reason.cell)
        ]
        if len(found) < 2 or found[0] != found[1]:
            return None
        return found[0] if found[0].act in (Act.TAKES, Act.SENDS_HOME) else None

    def _threatening(self, reason: NewGuard) -> str:
        """What the enemy that goes to a cell then threatens."""
        deed = reason.threat
        if deed is None:
            return ""
        verb = _VERBS[deed.act].do
        match deed.act:
            case Act.REACHES_GOAL:
                return f" (and from there it can {verb} {self._label(deed.cell)} and win)"
            case Act.TAKES_LAST | Act.LANDS:
                return f" (and from there it can {verb} {listed(deed.victims, 'and')} and win)"
            case Act.SENDS_HOME:
                return f" (and from there it can {verb} {listed(deed.victims, 'and')} home)"
            case Act.TAKES | Act.BATTLE:
                return f" (and from there it can {verb} {listed(deed.victims, 'and')})"
            case _:
                return ""

    def _guard_does(self) -> str:
        """What a guard does to an enemy that comes to its cell."""
        match self.game.rules.meet.enemy:
            case Meeting.CAPTURED:
                return "take it"
            case Meeting.SENT_HOME:
                return "send it home from"
            case Meeting.BATTLE:
                return "attack it"
            case Meeting.WINS:
                return "land on it and win"
            case Meeting.BLOCKED | Meeting.SHARED:  # nobody is guarded against from afar
                raise AssertionError(self.game.rules.meet.enemy)
            case _:
                assert_never(self.game.rules.meet.enemy)

    def _race(self, reason: Race, when: str = "") -> str:
        """`when` says when it begins, if that has been told already."""
        won = reason.needs.winner(reason.first)
        when = when or (self._when_after(reason) if reason.turn else "")
        if won is None:
            return f"{when} neither side can reach a goal any more".strip()
        who = self.names[won[0]]
        other = self.names[won[0].other]
        if not self._is_asked(reason):
            win = self._form(reason, "", "would win", "would have won")
            after = f"after {self._tried_first(reason)} {who} {win} the race"
            if isinstance(reason, Unstoppable):
                stop = self._form(reason, "", "could not stop", "could not have stopped")
                after = f"after {self._tried_first(reason)} {other} {stop} {who}"
            own, late = reason.needs.of(won[0]), reason.needs.of(won[0].other)
            if late is None:
                return f"{after}: {self._race_needs(reason, won[0])}"
            return f"{after}: {counted(own or 0, 'turn')} {self._goal()} against {late}"
        lost = "won" if won[0] is self.position.side else "lost"
        if isinstance(reason, Unstoppable) and reason.runner is not None:
            past = f"{reason.runner} is past every enemy piece, so nothing can stop it"
        elif isinstance(reason, Unstoppable):
            past = f"{other} cannot stop {who}"
        else:
            past = f"the race is {lost}"
        return f"{when} {past}: {self._race_needs(reason, won[0])}".strip()

    def _race_needs(self, reason: Race | Ahead, winner: Side) -> str:
        """How many turns both sides need, the winner first; and who moves, if that decides."""
        needs, who, other = reason.needs, self.names[winner], self.names[winner.other]
        need = self._form(reason, "", "would need", "would have needed")
        own, late = needs.of(winner), needs.of(winner.other)
        turns = f"{counted(own or 0, 'turn')} {self._goal()}"
        if own == late:
            moves = f"with {who} to move" if need else f"and {who} {_do(who, 'move')} next"
            return f"both sides {need or 'need'} {turns}, {moves}"
        told = f"{who} {need or _do(who, 'need')} {turns}"
        if late is None:
            can = self._form(reason, "can never get", "could never get", "could never have got")
            return f"{told}, and {other} {can} there"
        # A name such as `Player 2` is not followed by another number.
        return (
            f"{told}, against {late} for {other}"
            if other[-1:].isdigit()
            else f"{told}, {other} {late}"
        )

    def _goal(self) -> str:
        """What a race is to, behind a number of turns."""
        needed = {self.game.rules.team(side).goal_needs for side in Side}
        if needed == {1}:
            return "to reach a goal"
        if len(needed) > 1:
            return "to win"
        return f"to bring {_number(needed.pop())} pieces to a goal"

    def _when_after(self, reason: Race) -> str:
        """When a race begins, with the moves up to then."""
        return f"{_later(reason.turn)}{self._between(reason, reason.turn + 1)}"

    def _no_good_move(self, reason: NoGoodMove) -> str:
        who = self.names[reason.side]
        if reason.turn == 0:
            leaves = self._form(reason, "leaves", "would leave", "would have left")
            told = f"{self._first(reason)} {leaves} {who} without a good move"
        else:
            when = "" if reason.turn == 1 else f"{self._when(reason)} "
            told = f"{when}{self._text(reason, reason.turn)} leaves {who} without a good move"
        return f"{told}: {self._answers(reason)}"

    def _distance(self, reason: Distance, *, shown: bool = True) -> str:
        """What a distance means; `shown` with why it loses."""
        leaves, last = "leaves", self._text(reason, reason.turn)
        if reason.turn == 0:
            leaves = self._form(reason, "leaves", "would leave", "would have left")
            last = self._first(reason)
        when = "" if reason.turn <= 1 else f"{self._when(reason)} "
        who, apart = self.names[reason.side], counted(reason.apart, "cell")
        [one], [two] = (self.game.rules.team(side).pieces for side in Side)
        told = f"{when}{last} {leaves} {one.name} and {two.name} {apart} apart with {who} to move"
        if not shown:
            return told
        loses = "at that distance, the side that has to move loses"
        return f"{told}: {loses}{self._left(reason)}"

    def _left(self, reason: Distance) -> str:
        """Why a distance loses: the distances that are left again, or a strike after any move."""
        position, enemy = self._after(reason), reason.side.other
        after = [self.game.play(position, move) for move in self.game.moves(position)]
        if all(any(threats(self.game, one, enemy)) for one in after):
            strikes = "wins" if self.game.rules.meet.enemy.consequences.wins else "strikes"
            return f", since any move comes within reach of the other piece, which {strikes}"
        if not reason.left:
            return ""
        again = listed([*map(str, reason.left)], "or")
        cells = f"{again} cell{'s' if reason.left != (1,) else ''}"
        return f", since the other side can answer any move by winning or by leaving {cells}"

    def _answers(self, reason: NoGoodMove) -> str:
        """What every move runs into, as far as that can be said in a sentence."""
        who, enemy = self.names[reason.side], self.names[reason.side.other]
        modal = self._form(reason, "", "would", "would have")
        plays = _do(who, "play")
        whatever = f"whatever {who} {self._form(reason, plays, plays, 'played')}"
        answers, position = reason.answers, self._after(reason)
        if len(answers) == 1:
            [answer] = answers
            then = "" if answer.deed is None else f". Then {self.deed(answer.deed, modal)}"
            if not then and answer.within:
                wins = _modal(_WIN, modal) if modal or enemy != YOU else "win"
                then = f", and then {enemy} {wins} {_within(answer.within)}"
            is_ = self._form(reason, "is", "would be", "would have been")
            only = _noun(self.game, position, answer.move)
            return f"{_whose(who)} only move {is_} {only}{_striking(answer)}{then}"
        deeds = list(dict.fromkeys(one.deed for one in answers))
        if reason.is_shown and all(one is not None and one.act.wins for one in deeds):
            wins = _modal(_WIN, modal) if modal or enemy != YOU else "win"
            how = {(one.act, one.piece, one.victims) for one in deeds if one is not None}
            [(act, piece, victims), *others] = how
            if victims and not others:
                strikes = _modal(_VERBS[act], modal)
                won = _modal(_WIN, modal, short=True)
                return f"{whatever}, {piece} {strikes} {listed(victims, 'and')} and {won}"
            return f"{whatever}, {enemy} {wins} at once"
        met = dict.fromkeys(one.meeting for one in answers)
        if reason.is_shown and len(met) > MOST_SHOWN:
            takes = all(one is not None and one.act is Act.TAKES for one in deeds)
            can = self._form(reason, "can", "could", "could have")
            verb = _VERBS[Act.TAKES] if takes else _STRIKE
            return f"{whatever}, {enemy} {_modal(verb, can)}{' a piece' if takes else ''}"
        if reason.is_shown:
            return self._all_met(reason, whatever)
        if all(one.repeats for one in answers):
            can = self._form(reason, "can", "could", "could")
            return f"{whatever}, {enemy} {can} do the same again"
        if not isinstance(reason, Zugzwang) or reason.winner is not reason.side.other:
            return f"{who} would rather pass, but {_do(who, 'have')} to move"
        lose = self._form(reason, "loses", "would lose", "would have lost")
        win = "win" if reason.turned is reason.side else "hold out"
        if lose == "would have lost":
            turned = f"if it had been {_whose(enemy)} turn, {who} would have "
            turned += "won" if win == "win" else "held out"
        else:
            turned = f"if it were {_whose(enemy)} turn, {who} would {win}"
        return f"{turned}, but every move of {_whose_own(who)} {lose}"

    def _all_met(self, reason: NoGoodMove, whatever: str) -> str:
        """What each move of a side without a good one runs into; what comes of the last is last."""
        groups: dict[Deed | int | str | None, list[OwnAnswer]] = {}
        for one in reason.answers:
            groups.setdefault(one.meeting, []).append(one)
        order = sorted(groups, key=lambda one: (one == "again", _is_unstoppable(one)))
        if len(order) == 1 and isinstance(order[0], Deed) and order[0].act.is_quiet:
            return f"{whatever}, {self.deed(order[0])}"
        told = [self._met(reason, groups[meeting]) for meeting in order]
        ends = [at for at, one in enumerate(order) if _is_unstoppable(one)]
        for at in ends[:-1]:  # said of the last of them
            told[at] = told[at].partition(_THEN)[0]
        return "; ".join(told)

    def _met(self, reason: NoGoodMove, answers: list[OwnAnswer]) -> str:
        """What moves of a side without a good move run into, which is the same for all of them."""
        modal, deed = self._form(reason, "", "would", "would have"), answers[0].deed
        tried = dict.fromkeys(self._tried(reason, one) for one in answers)
        moves = listed(tuple(tried), "or")
        if deed is not None:
            there = len(answers) > 1 and answers[0].meets_itself
            told = f"after {moves}, {self.deed(deed, modal, there=there)}"
            if deed.act is not Act.BATTLE or not answers[0].within:
                return told
            return (
                f"{told} and {self._form(reason, 'is', 'would be', 'would have been')} sure to win"
            )
        enemy = self.names[reason.side.other]
        if isinstance(answers[0].meeting, int):
            win = _modal(_WIN, modal) if modal or enemy != YOU else "win"
            return f"after {moves}, {enemy} {win} {_within(answers[0].meeting)}"
        loses = self._form(reason, "loses", "would lose", "would have lost")
        return f"every other move {loses} as well"

    def _tried(self, reason: NoGoodMove, answer: OwnAnswer) -> str:
        """A move of a side without a good move, with what it takes."""
        return f"{move_text(self.game, self._after(reason), answer.move)}{_striking(answer)}"

    def _outcome(self, reason: DeedReason) -> str:
        """What comes of a deed: the battle's terms, extra moves, an answer to it, or the end."""
        if reason.terms is not None:
            return self._terms(reason.deed, reason.terms)
        deed, sequel = reason.deed, reason.sequel
        if deed.act is Act.THREATENS:
            return ""
        if sequel.again:
            return self._again(reason)
        if sequel.back is not None and not sequel.wins_next:
            return self._back(reason, sequel.back)
        who, enemy = self.names[deed.side], self.names[deed.side.other]
        win = self._form(reason, _do(who, "win"), "would win", "would have won")
        if deed.act is Act.BLOCKS:  # told in the present, whenever it is
            plays, win = _do(enemy, "play"), _do(who, "win")
            if sequel.wins_next:
                return f", and whatever {enemy} {plays}, {who} {win} the turn after"
            return f", and {who} {win} {_within(sequel.within)}" if sequel.within else ""
        if sequel.only is not None:
            is_ = self._form(reason, "is then", "would then be", "would then have been")
            only = _noun(self.game, self._after(reason), sequel.only)
            if sequel.only == PASS:
                can = self._form(reason, "can", "could", "could")
                return f"; {enemy} {can} then only pass"
            then = f", and {who} {win} at once" if sequel.wins_next else ""
            return f"; {_whose(enemy)} only move {is_} {only}{then}"
        if sequel.wins_next:
            plays = self._form(reason, _do(enemy, "play"), _do(enemy, "play"), "played")
            return f"; whatever {enemy} {plays} then, {who} {win} the turn after"
        return ""

    def _again(self, reason: DeedReason) -> str:
        """What the extra moves do that a deed has earned."""
        modal, deeds = self._form(reason, "", "would", "would have"), reason.sequel.again
        extra = "an extra move" if len(deeds) == 1 else "extra moves"
        first, *more = (self.deed(one, modal) for one in deeds)
        begins = f"{deeds[0].piece} {modal} " if modal else f"{deeds[0].piece} "
        told = listed([first, *(one.removeprefix(begins) for one in more)], "and")
        return f", and with {extra} {told}"

    def _back(self, reason: DeedReason, back: StrikeBack) -> str:
        """The piece that can strike back, and whether that helps."""
        deed, who = reason.deed, self.names[reason.deed.side]
        can = self._form(reason, "can", "could", "could have")
        whom = "back there" if deed.act is Act.TAKES else f"{deed.piece} home from there"
        told = f"; {back.piece} {_modal(_VERBS[deed.act], can)} {whom}"
        if back.then is not None:
            then = self.deed(back.then, self._form(reason, "", "would", "would have"))
            return f"{told}, but then {then}"
        if back.needs is not None:
            race = Race(line=reason.line, needs=back.needs, first=deed.side)
            get = self._form(reason, _do(who, "get"), "would get", "would have got")
            return (
                f"{told}, but then {who} {get} to a goal first: {self._race_needs(race, deed.side)}"
            )
        own, other = back.left
        if deed.act is Act.TAKES and own < other:
            leaves = self._form(reason, "leaves", "would leave", "would have left")
            enemy, pieces = self.names[deed.side.other], f"{_number(own)} piece{'s' * (own > 1)}"
            return f"{told}, but that {leaves} {enemy} {pieces} against {_number(other)}"
        if back.winner is not deed.side:
            return told
        still = f"still {_do(who, 'win')}"
        still = self._form(reason, still, "would still win", "would still have won")
        return f"{told}, but {who} {still}"

    # Parts of sentences

    def _is_asked(self, reason: Reason) -> bool:
        """Whether a reason is about the move asked about, not about a better one."""
        return reason.line[0] == self.move

    def _form(self, reason: Reason, asked: str, before: str, afterwards: str) -> str:
        """The form of a verb: for the move asked about, or for a better one in either tense."""
        if self._is_asked(reason):
            return asked
        return before if self.tense is Tense.BEFORE else afterwards

    def _first(self, reason: Reason) -> str:
        """What the first move of a line is called."""
        return self.subject if self._is_asked(reason) else self._text(reason, 0)

    def _tried_first(self, reason: Reason) -> str:
        """The first move of a line behind `after`."""
        if self._is_asked(reason):
            return self.subject
        return move_text(self.game, self.position, reason.line[0])

    def _when(self, reason: Reason) -> str:
        """When a reason happens, and the moves up to then: `two turns later (P2 6→5)`."""
        return f"{_later(reason.turn)}{self._between(reason, reason.turn)}"

    def _between(self, reason: Reason, turn: int) -> str:
        """The moves of a line before a turn and after its first one, if they are few."""
        moves = [self._played(reason, at) for at in range(1, turn)]
        return f" ({', '.join(_first_few(moves))})" if moves else ""

    def _text(self, reason: Reason, turn: int) -> str:
        """A move of a line as a noun."""
        return _noun(self.game, self._after(reason, turn), reason.line[turn])

    def _played(self, reason: Reason, turn: int) -> str:
        """A move of a line with what it takes or sends home: `P2-C 7→5 taking P1-B`."""
        before, move = self._after(reason, turn), reason.line[turn]
        told, deed = move_text(self.game, before, move), deed_of(self.game, before, move)
        match deed:
            case Deed(act=Act.TAKES, victims=victims):
                return f"{told} taking {listed(victims, 'and')}"
            case Deed(act=Act.SENDS_HOME, victims=victims):
                return f"{told} sending {listed(victims, 'and')} home"
            case _:
                return told

    def _after(self, reason: Reason, turns: int | None = None) -> Position:
        """The position after the line of a reason, or after its first turns."""
        position = self.position
        for move in reason.line[:turns]:
            position = self.game.play(position, move)
        return position

    def _moved(self, reason: Reason) -> Step:
        return self._stepped(reason, reason.turn)

    def _stepped(self, reason: Reason, turn: int) -> Step:
        step = reason.line[turn]
        assert isinstance(step, Step)
        return step

    def _label(self, cell: int) -> str:
        return cell_label(self.game, cell)

    def deed(
        self,
        deed: Deed,
        modal: str = "",
        *,
        there: bool = False,
        instead: str = "",
        brief: bool = False,
    ) -> str:
        """A deed as a clause; `modal` is empty, `can`, `could have` and so on.

        What is `brief` lasts as long as the piece stands there.
        """
        verb, win = _modal(_VERBS[deed.act], modal), _modal(_WIN, modal, short=True)
        victims, cell = listed(deed.victims, "and"), self._label(deed.cell)
        place = "there" if there else f"on {cell}"
        then = ": then" if modal not in ("", "can") else _THEN
        then = ": while it is there," if brief else then
        if there:
            victims = "it"
        match deed.act:
            case Act.REACHES_GOAL:
                return f"{deed.piece} {verb} {cell} and {win}{instead}"
            case Act.TAKES_LAST:
                last = victims if there else f"the last piece, {victims},"
                return f"{deed.piece} {verb} {last} {place} and {win}{instead}"
            case Act.LANDS:
                return f"{deed.piece} {verb} {victims} {place} and {win}{instead}"
            case Act.TRAPS:
                return (
                    f"{deed.piece} {verb} the other side by stepping to {cell} and {win}{instead}"
                )
            case Act.SENDS_HOME:
                start = "from there" if there else f"from {cell}"
                return f"{deed.piece} {verb} {victims} home {start}{instead}"
            case Act.TAKES | Act.BATTLE:
                return f"{deed.piece} {verb} {victims} {place}{instead}"
            case Act.BLOCKS:
                return f"{deed.piece} {verb} {cell}{instead}{then} {_held(deed)}"
            case Act.THREATENS:
                who = self.names[deed.side]
                extra = self.game.rules.movement.again.after_displacing
                next_ = "in the next turn" if extra else "with the next move"
                stopped = f"nothing can stop {who} from winning {next_}"
                return f"{deed.piece} {verb} {cell}{instead}{then} {stopped}"
            case _:
                assert_never(deed.act)

    def _terms(self, deed: Deed, terms: Terms | None) -> str:
        """What the battle leads to that a deed opens."""
        if terms is None:
            return ""
        side = deed.side
        who = self.names[side]
        wins = f"if {who} {_do(who, 'win')} the battle"
        often = f" ({percent(terms.chance)} with best play)" if terms.chance else ""
        results = terms.results
        told = [result_clause(one, side, self.names) for one in results]
        if {one.winner for one in results} == {side, side.other} and len(set(told)) == 2:
            enemy = self.names[side.other]
            told = [
                one if value.winner is side else f"{enemy} {_do(enemy, 'do')}"
                for one, value in zip(told, results, strict=True)
            ]
        if all(map(_is_figure, results)) and len(set(told)) == 1:
            won, tied, lost = (f"{float(one.expected(side)):+.2f}" for one in results)
            tie = "" if tied == lost else f", after a tie {tied}"
            scale = "a win is +1, a loss -1"
            can = f"{who} can expect {won} ({scale})"
            return f"; {wins}{often}, {can}{tie}, otherwise {lost}"
        won, tied, lost = map(_with_figure, told, results)
        if terms.chance == 1:
            sure = (
                f"{who} {_do(who, 'be')} sure to win{' or tie' if tied == won else ''} the battle"
            )
            return f"; {sure} with best play, and then {won}"
        if won == tied == lost:
            return f"; however the battle ends, {won}"
        if tied == lost:
            return f"; {wins}{often}, {won}, otherwise {lost}"
        if tied == won:
            return f"; {wins} or it is a tie{often}, {won}, otherwise {lost}"
        return f"; {wins}, {won}, after a tie {tied}, otherwise {lost}"


def _held(deed: Deed) -> str:
    """The pieces that cannot go forward after a deed: `neither P1-A nor P1-B can go forward`."""
    match deed.victims:
        case [one]:
            return f"{one} cannot go forward"
        case [one, two]:
            return f"neither {one} nor {two} can go forward"
        case _:
            return f"none of {listed(deed.victims, 'and')} can go forward"


def _are_alike(terms: Terms | None, other: Terms | None) -> bool:
    """Whether a battle gives the one side what another battle gives the other side."""
    if terms is None or other is None:
        return False
    return all(
        (one.low, one.high) == (-two.high, -two.low) for one, two in zip(terms, other, strict=True)
    )


def _is_unstoppable(meeting: Deed | int | str | None) -> bool:
    """Whether a move runs into a piece that cannot be stopped any more."""
    return isinstance(meeting, Deed) and meeting.act is Act.THREATENS


def _striking(answer: OwnAnswer) -> str:
    """What a move of a side without a good move takes or sends home itself."""
    if answer.own is None:
        return ""
    victims = listed(answer.own.victims, "and")
    return (
        f" (which {f'takes {victims}' if answer.own.act is Act.TAKES else f'sends {victims} home'})"
    )


def _left_open(reason: Reason) -> Reason:
    """A reason that does not say who wins after a trade; what follows says why."""
    if not isinstance(reason, DeedReason) or reason.sequel.back is None:
        return reason
    back = reason.sequel.back._replace(winner=None)
    return replace(reason, sequel=reason.sequel._replace(back=back))


def _first_few(moves: list[str]) -> list[str]:
    """The first moves of a line, with dots for the others."""
    return moves if len(moves) <= _LISTED else [*moves[:_LISTED], "…"]


def _noun(game: Game, position: Position, move: Move) -> str:
    """A move as a noun: `P1-A 0→1`, `staying with P1-A`."""
    if isinstance(move, Step) and landing_cell(game, position, move) is None:
        return f"staying with {move.piece}"
    return move_text(game, position, move)


def _whose(who: str) -> str:
    """`your`, `the computer's`."""
    return "your" if who == YOU else f"{who}'s"


def _whose_own(who: str) -> str:
    """`yours`, `the computer`."""
    return "yours" if who == YOU else who


def number_sentence(reason: NumberReason | NumberMixture, names: Names = NUMBERED) -> str:
    """A reason for a number of a battle as a sentence; empty if there is nothing to explain."""
    you, enemy = names[reason.side], names[reason.side.other]
    match reason:
        case Beaten():
            how = "ties with" if reason.winner is None else "loses to"
            if reason.winner is reason.side:
                how = "beats"
            told = result_clause(reason.after, reason.side, names)
            return _sentence(f"{reason.number} {how} {reason.answer}, and then {told}")
        case Predictable():
            price = f"{float(reason.price):.2g}"
            return _sentence(
                f"if {enemy} knew that {you} {_do(you, 'choose')} {reason.number}, the answer "
                f"{reason.answer} would cost {you} {price}"
            )
        case NumberMixture():
            return _mixture(reason, you, enemy)
        case _:
            assert_never(reason)


def _mixture(reason: NumberMixture, you: str, enemy: str) -> str:
    beaten = [one for one in reason.numbers if one.beaten_by]
    if len(reason.numbers) == 1 and not beaten:
        number = reason.numbers[0].number
        return _sentence(f"against {number} no answer gains anything")
    parts = [
        f"{one.number} {'is answered by' if at == 0 else 'by'} "
        f"{listed(map(str, one.beaten_by), 'or')}"
        for at, one in enumerate(beaten)
    ]
    if not parts:
        return ""
    keep = "keep" if you == YOU else f"{you} should keep"
    return _sentence(f"{listed(parts, 'and')}, so {keep} {enemy} guessing")


def result_clause(value: Value, side: Side, names: Names) -> str:
    """What a value means, as a clause: `you win the game`, `the game is even`."""
    if value.winner is not None:
        who = names[value.winner]
        wins = f"{who} {_do(who, 'win')}"
        return f"{wins} in {counted(value.plies, 'turn')}" if value.plies else f"{wins} the game"
    if value.exact in (1, -1):
        who = names[Side.ONE if value.exact == 1 else Side.TWO]
        return f"{who} {_do(who, 'win')} in the end"
    if value.is_even:
        return "the game is even"
    if value.is_about_even:
        return "the game is about even"
    who = names[side if value.expected(side) > 0 else side.other]
    return f"{who} {_do(who, 'stand')} better"


def _with_figure(clause: str, value: Value) -> str:
    """A result with its figure, if it is not told in words: `you stand better (+0.40)`."""
    if not _is_figure(value) or value.is_about_even:
        return clause
    ahead = Side.ONE if value.expected(Side.ONE) > 0 else Side.TWO
    return f"{clause} ({in_words(value, ahead)})"


def _is_figure(value: Value) -> bool:
    """Whether a value is given as a number."""
    return value.winner is None and value.exact not in (1, -1, 0)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _do(who: str, verb: str) -> str:
    """A verb as it follows a name: `you need`, `the computer needs`."""
    if who == YOU:
        return "are" if verb == "be" else verb
    return {"have": "has", "be": "is", "do": "does"}.get(verb, f"{verb}s")


def _later(turn: int) -> str:
    """`next turn`, `two turns later`, `12 turns later`."""
    if turn == 1:
        return "next turn"
    return f"{_number(turn)} turns later"


def _within(turns: int) -> str:
    """`with the next move`, `within three turns`."""
    return "with the next move" if turns == 1 else f"within {_number(turns)} turns"


def _number(number: int) -> str:
    """`two`, `12`."""
    return _SMALL[number] if number < len(_SMALL) else str(number)


def _modal(verb: _Verb, modal: str, *, short: bool = False) -> str:
    """A verb behind a modal; `short` leaves the modal out, as in `could have taken and won`."""
    if not modal:
        return verb.does
    form = verb.done if modal.endswith("have") else verb.do
    return form if short else f"{modal} {form}"
