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
    OnlySafe,
    OwnAnswer,
    Race,
    Reason,
    Reply,
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
            told.append(_sentence(self._following(last, _left_open(reason) if follows else reason)))
        return " ".join(told)

    def _following(self, last: Reason | None, reason: Reason) -> str:
        """A reason as a clause behind the one before it, if there is one."""
        match last, reason:
            case Reason(), Race() if reason.line == last.line:
                return self._race(reason, "after that")
            case Waiting(), Waiting():
                return self._waiting(reason, shown=False)
            case Distance(), Distance():
                return self._distance(reason, shown=False)
            case Reply(), Gain(turn=0) if last.deed.piece in reason.deed.victims:
                return self._gain(reason, before=not reason.deed.act.is_quiet)
            case _:
                return self._clause(reason)

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
            case Race() | Ahead() | LostTurns() | Zugzwang() | Distance() | Waiting():
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
        self, reason: Race | Ahead | LostTurns | Zugzwang | Distance | Waiting
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
            case Zugzwang() | Distance():
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
            case Race() | Ahead() | LostTurns() | Zugzwang() | Distance() | Waiting():
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

    def _tempo(self, reason: Race | Ahead | LostTurns | Zugzwang | Distance | Waiting) -> str:
        """What turns decide."""
        match reason:
            case Race():
                return self._race(reason)
            case Ahead():
                return self._ahead(reason)
            case LostTurns():
                return self._lost_turns(reason)
            case Zugzwang():
                return self._zugzwang(reason)
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
            told = f"after {self._first(reason)} {who} {be} closer: {counted(own or 0, 'turn')}"
            return f"{told} against {late}" if own != late else f"{told} each, with {who} to move"
        return (
            f"with a free way {self._race_needs(reason, won[0])}; "
            f"{other} can delay that, but not stop it"
        )

    def _lost_turns(self, reason: LostTurns) -> str:
        side = self.position.side
        who, enemy, own = self.names[side], self.names[side.other], reason.needs.of(side) or 0
        lost = counted(own - reason.kept, "turn")
        need = "would need" if self.tense is Tense.BEFORE else "would have needed"
        better = _noun(self.game, self.position, reason.better)
        return (
            f"{self.subject} loses {lost}: with a free way {who} now "
            f"{_do(who, 'need')} {counted(own, 'turn')} {self._goal()}, and {need} {reason.kept} "
            f"after {better} ({enemy} {_do(enemy, 'need')} {reason.needs.of(side.other)})"
        )

    def _waiting(self, reason: Waiting, *, shown: bool = True) -> str:
        """Who runs out of safe moves; `shown` with an example and what comes of it."""
        who, enemy = self.names[reason.side], self.names[reason.side.other]
        moves, position = [], self._after(reason)
        for move in reason.wait:
            moves.append(_noun(self.game, position, move))
            position = self.game.play(position, move)
        can, play = self._form(reason, "can", "could", "could"), _do(who, "play")
        play = self._form(reason, play, play, "played")
        end = f"{enemy} {can} {self._strike(position)} whatever {who} {play}"
        if len(moves) <= 1:
            last = moves[0] if moves else self._first(reason)
            leaves = self._form(reason, "leaves", "would leave", "would have left")
            leaves = leaves if not moves or self._is_asked(reason) else "leaves"
            after = "" if not moves or self._is_asked(reason) else f"after {self._first(reason)}, "
            return f"{after}{last} {leaves} {who} without a safe move: {end}"
        if self._is_asked(reason):
            wait = (
                f"nobody can strike yet, but if both make only safe moves, {who} {_do(who, 'run')}"
            )
        else:
            run = self._form(reason, "", "would run", "would have run")
            wait = f"after {self._first(reason)} {who} {run}"
        wait += " out of them first" if self._is_asked(reason) else " out of safe moves first"
        if reason.spare is not None:
            wait += self._safe_moves_left(reason, reason.spare)
        if not shown:
            return wait
        if reason.spare is not None:
            return f"{wait}; then {end}"
        return f"{wait}: for example {', '.join(moves)}, and then {end}"

    def _safe_moves_left(self, reason: Waiting, left: SafeMoves) -> str:
        """How many safe moves both sides have, and who begins: `(4 left against 5, …)`."""
        own, other = left.of(reason.side), left.of(reason.side.other)
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
            f"after any other {enemy} {strikes} at once"
        )

    def _reply(self, reason: Reply) -> str:
        told = self.deed(reason.deed, "" if reason.is_best else "can")
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

    def _gain(self, reason: Gain, *, before: bool = False) -> str:
        """What is gained; `before` the enemy can do what has just been told."""
        deed, outcome = reason.deed, self._outcome(reason)
        if reason.forced and reason.turn <= _FEW:
            who, enemy = self.names[deed.side], self.names[deed.side.other]
            win = self._form(reason, _do(who, "win"), "would win", "would have won")
            play = self._form(reason, _do(enemy, "play"), _do(enemy, "play"), "played")
            after = f"after {self._first(reason)} {who} {win} within {_number(reason.turn)} turns"
            return f"{after}, whatever {enemy} {play}: {self._example(reason)}"
        if reason.turn:
            modal = self._form(reason, "", "would", "would have")
            told = self.deed(deed, modal)
            after = "" if self._is_asked(reason) else f"after {self._first(reason)}, "
            if deed.act.is_quiet:
                return f"{after}{self._when(reason)} {told}{outcome}"
            told = self._with_cause(reason, told, modal)
            return f"{after or 'with best play '}{told}, {self._when(reason)}{outcome}"
        could = self._form(reason, "", "could", "could have")
        instead = " first" if before else self._form(reason, "", " instead", "")
        return f"{self.deed(deed, could, instead=instead)}{outcome}"

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
            guards = self._form(reason, "holds", "would hold", "would have held")
            fights = self.game.rules.meet.enemy.consequences.opens_battle
            answer = f": {reason.enemy} would have to fight for it" if fights else ""
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
            after = f"after {self._first(reason)} {who} {win} the race"
            if isinstance(reason, Unstoppable):
                stop = self._form(reason, "", "could not stop", "could not have stopped")
                after = f"after {self._first(reason)} {other} {stop} {who}"
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
            return "to a goal"
        if len(needed) > 1:
            return "to win"
        return f"to bring {_number(needed.pop())} pieces to a goal"

    def _when_after(self, reason: Race) -> str:
        """When a race begins, with the moves up to then."""
        return f"{_later(reason.turn)}{self._between(reason, reason.turn + 1)}"

    def _zugzwang(self, reason: Zugzwang) -> str:
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

    def _answers(self, reason: Zugzwang) -> str:
        """What every move runs into, as far as that can be said in a sentence."""
        who, enemy = self.names[reason.side], self.names[reason.side.other]
        modal = self._form(reason, "", "would", "would have")
        plays = _do(who, "play")
        whatever = f"whatever {who} {self._form(reason, plays, plays, 'played')}"
        answers, position = reason.answers, self._after(reason)
        if len(answers) == 1:
            [answer] = answers
            then = "" if answer.deed is None else f", and then {self.deed(answer.deed, modal)}"
            if not then and reason.winner is reason.side.other and answer.within:
                wins = _modal(_WIN, modal) if modal or enemy != YOU else "win"
                then = f", and then {enemy} {wins} {_within(answer.within)}"
            is_ = self._form(reason, "is", "would be", "would have been")
            return f"{_whose(who)} only move {is_} {self._tried(position, answer)}{then}"
        deeds = list(dict.fromkeys(one.deed for one in answers))
        if reason.is_shown and all(one is not None and one.act.wins for one in deeds):
            wins = _modal(_WIN, modal) if modal or enemy != YOU else "win"
            return f"{whatever}, {enemy} {wins} at once"
        met = dict.fromkeys(one.meeting for one in answers)
        if reason.is_shown and len(met) > MOST_SHOWN:
            takes = all(one is not None and one.act is Act.TAKES for one in deeds)
            can = self._form(reason, "can", "could", "could have")
            verb = _VERBS[Act.TAKES] if takes else _STRIKE
            return f"{whatever}, {enemy} {_modal(verb, can)}{' a piece' if takes else ''}"
        if reason.is_shown:
            return "; ".join(
                self._met(reason, [one for one in answers if one.meeting == meeting])
                for meeting in met
            )
        if all(one.repeats for one in answers):
            can = self._form(reason, "can", "could", "could")
            return f"{whatever}, {enemy} {can} do the same again"
        if reason.winner is not reason.side.other:
            return f"{who} would rather pass, but {_do(who, 'have')} to move"
        lose = self._form(reason, "loses", "would lose", "would have lost")
        win = "win" if reason.turned is reason.side else "hold out"
        if lose == "would have lost":
            turned = f"if it had been {_whose(enemy)} turn, {who} would have "
            turned += "won" if win == "win" else "held out"
        else:
            turned = f"if it were {_whose(enemy)} turn, {who} would {win}"
        return f"{turned}, but every move of {_whose_own(who)} {lose}"

    def _met(self, reason: Zugzwang, answers: list[OwnAnswer]) -> str:
        """What moves of a side without a good move run into, which is the same for all of them."""
        modal, deed = self._form(reason, "", "would", "would have"), answers[0].deed
        moves = listed([self._tried(self._after(reason), one) for one in answers], "or")
        if deed is not None:
            there = len(answers) > 1 and answers[0].meets_itself
            return f"after {moves}, {self.deed(deed, modal, there=there)}"
        who, enemy = self.names[reason.side], self.names[reason.side.other]
        if isinstance(answers[0].meeting, int):
            win = _modal(_WIN, modal) if modal or enemy != YOU else "win"
            return f"after {moves}, {enemy} {win} {_within(answers[0].meeting)}"
        again = self._form(reason, _do(who, "be"), "would be", "would have been")
        return f"after {moves}, {who} {again} without a good move again"

    def _tried(self, position: Position, answer: OwnAnswer) -> str:
        """A move of a side without a good move, with what it takes."""
        told = _noun(self.game, position, answer.move)
        if answer.own is None:
            return told
        victims = listed(answer.own.victims, "and")
        does = "takes" if answer.own.act is Act.TAKES else "sends"
        return f"{told} (which {does} {victims}{' home' if does == 'sends' else ''})"

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
        if sequel.within is not None and deed.act is Act.BLOCKS:
            return f", and {who} {win} {_within(sequel.within)}"
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
        told = self._text(reason, turn)
        deed = deed_of(self.game, self._after(reason, turn), reason.line[turn])
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

    def deed(self, deed: Deed, modal: str = "", *, there: bool = False, instead: str = "") -> str:
        """A deed as a clause; `modal` is empty, `can`, `could have` and so on."""
        verb, win = _modal(_VERBS[deed.act], modal), _modal(_WIN, modal, short=True)
        victims, cell = listed(deed.victims, "and"), self._label(deed.cell)
        place = "there" if there else f"on {cell}"
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
                return f"{deed.piece} {verb} {cell}{instead}, and then {_held(deed, modal)}"
            case Act.THREATENS:
                stop = "can stop" if modal in ("", "can") else "could stop"
                stop = "could have stopped" if modal.endswith("have") else stop
                who = self.names[deed.side]
                extra = self.game.rules.movement.again.after_displacing
                next_ = "in the next turn" if extra else "with the next move"
                then = f"nothing {stop} {who} from winning {next_}"
                return f"{deed.piece} {verb} {cell}{instead}, and then {then}"
            case _:
                assert_never(deed.act)

    def _terms(self, deed: Deed, terms: Terms | None) -> str:
        """What the battle leads to that a deed opens."""
        if terms is None:
            return ""
        side = deed.side
        who = self.names[side]
        wins = f"if {who} {_do(who, 'win')} the battle"
        often = ""
        if terms.chance:
            share = "always" if terms.chance == 1 else f"{percent(terms.chance)} of the time"
            often = f" ({share} with best play)"
        results = terms.results
        told = [result_clause(one, side, self.names) for one in results]
        if all(map(_is_figure, results)) and len(set(told)) == 1:
            won, tied, lost = (f"{float(one.expected(side)):+.2f}" for one in results)
            tie = "" if tied == lost else f", after a tie {tied}"
            scale = "a win is +1, a loss -1"
            can = f"{who} can expect {won} ({scale})"
            return f"; {wins}{often}, {can}{tie}, otherwise {lost}"
        won, tied, lost = map(_with_figure, told, results)
        if won == tied == lost:
            return f"; however the battle ends, {won}"
        if tied == lost:
            return f"; {wins}{often}, {won}, otherwise {lost}"
        if tied == won:
            return f"; {wins} or it is a tie{often}, {won}, otherwise {lost}"
        return f"; {wins}, {won}, after a tie {tied}, otherwise {lost}"


def _held(deed: Deed, modal: str) -> str:
    """The pieces that cannot go forward after a deed: `neither P1-A nor P1-B can go forward`."""
    can = "can" if modal in ("", "can") else "could"
    go = "have gone" if modal.endswith("have") else "go"
    match deed.victims:
        case [one]:
            return f"{one} {can}{'' if can == 'can' else ' '}not {go} forward"
        case [one, two]:
            return f"neither {one} nor {two} {can} {go} forward"
        case _:
            return f"none of {listed(deed.victims, 'and')} {can} {go} forward"


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
    return {"have": "has", "be": "is"}.get(verb, f"{verb}s")


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
