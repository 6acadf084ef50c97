"""Reasons in words."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import NamedTuple, assert_never

from lineduel.coach.deeds import Act, Deed, landing_cell
from lineduel.coach.number_reasons import Beaten, NumberMixture, NumberReason, Predictable
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
from lineduel.engine import Game, Move, Position, Step
from lineduel.narration import NUMBERED, YOU, Names, cell_label, move_text
from lineduel.quantities import counted
from lineduel.rules import Meeting, Side, listed
from lineduel.solve import Value

_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_FEW = 5
"""The most moves that a sentence lists."""


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
    Act.BLOCKS: _Verb("blocks", "block", "blocked"),
}
_WIN = _Verb("wins", "win", "won")


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
        """One sentence for each reason; only the first battle says what it leads to."""
        told, has_terms = [], False
        for reason in reasons:
            if isinstance(reason, DeedReason) and reason.terms is not None:
                reason = replace(reason, terms=None) if has_terms else reason
                has_terms = True
            told.append(self.sentence(reason))
        return " ".join(told)

    def sentence(self, reason: Reason) -> str:
        """A reason as a sentence."""
        return _sentence(self._clause(reason))

    def in_short(self, reason: Reason) -> str:
        """A reason for the move asked about in a few words, for a list of moves."""
        match reason:
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
            case Race():
                won = reason.needs.winner(reason.first)
                return "" if won is None else f"{self.names[won[0]]} first in the race"
            case Zugzwang():
                return f"no good move left for {self.names[reason.side]}"
            case OnlySafe():
                return "the only safe move"
            case LeftGuard():
                return f"{self._label(reason.cell)} is left unguarded"
            case AllLose():
                return "lasts longest"
            case _:
                raise AssertionError(reason)

    def _clause(self, reason: Reason) -> str:
        match reason:
            case Reply():
                told = self.deed(reason.deed, "" if reason.is_best else "can")
                return f"{told} next turn{self._terms(reason.deed, reason.terms)}"
            case Threat():
                told = f"{self.deed(reason.deed, 'can')} next turn"
                if reason.cells_lost:
                    told += f": {counted(reason.cells_lost, 'cell')} lost"
                return f"{told}{self._terms(reason.deed, reason.terms)}"
            case BadBattle():
                terms = self._terms(reason.deed, reason.terms)
                return f"{self.deed(reason.deed, '')}{terms}"
            case Gain():
                return self._gain(reason)
            case Escape():
                return self._escape(reason)
            case NewGuard():
                return self._new_guard(reason)
            case Race():
                return self._race(reason)
            case Zugzwang():
                return self._zugzwang(reason)
            case OnlySafe():
                is_ = self._form(reason, "is", "is", "was")
                enemy = self.names[self.position.side.other]
                return (
                    f"{self._first(reason)} {is_} the only safe move: "
                    f"after any other {enemy} can strike at once"
                )
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

    def _later(self, reason: Later) -> str:
        deed = reason.deed
        if reason.must:
            victim, cell = self._stepped(reason, reason.turn - 1).piece, self._label(deed.cell)
            told = self.deed(deed, "", there=True)
            when = f"{_later(reason.turn - 1)}{self._between(reason, reason.turn - 1)}"
            return f"{when} {victim} must step to {cell}, and {told}"
        told, terms = self.deed(deed, ""), self._terms(deed, reason.terms)
        return f"with best play {told}, {self._when(reason)}{terms}"

    def _gain(self, reason: Gain) -> str:
        deed, terms = reason.deed, self._terms(reason.deed, reason.terms)
        if reason.turn:
            told = self.deed(deed, self._form(reason, "", "would", "would have"))
            after = "" if self._is_asked(reason) else f"after {self._first(reason)}, "
            return f"{after or 'with best play '}{told}, {self._when(reason)}{terms}"
        told = self.deed(deed, self._form(reason, "", "could", "could have"))
        instead = self._form(reason, "", " instead", "")
        return f"{told}{instead}{terms}"

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
        if self.game.cell_of(after, reason.piece) == reason.cell:
            guards = self._form(reason, "holds", "would hold", "would have held")
            answer = ""
        else:
            answer = f": {reason.piece} could {self._guard_does()} there"
        goes = "can go" if self._is_asked(reason) else "goes next turn"
        return (
            f"{self._first(reason)} {guards} {self._label(reason.cell)}, "
            f"where {reason.enemy} {goes}{answer}"
        )

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

    def _race(self, reason: Race) -> str:
        first = self.names[reason.first]
        if not self._is_asked(reason):
            needs = self._needs(reason, self._form(reason, "", "would need", "would have needed"))
            first_there = self._first_there(reason, self._form(reason, "", "get", "have got"))
            return f"after {self._first(reason)} {needs}, with {first} to move{first_there}"
        later = f"{_later(reason.turn)}{self._between(reason, reason.turn + 1)}"
        when = later if reason.turn else "now"
        next_ = f"{first} {_do(first, 'move')} next"
        first_there = self._first_there(reason, "")
        return f"{when} only the race counts: {self._needs(reason, '')}, and {next_}{first_there}"

    def _first_there(self, reason: Race, get: str) -> str:
        """Who wins the race; `get` is the verb behind `would`, or empty for the present."""
        won = reason.needs.winner(reason.first)
        if won is None:
            return ""
        who = self.names[won[0]]
        return f", so {who} {f'would {get}' if get else _do(who, 'get')} there first"

    def _needs(self, reason: Race, need: str) -> str:
        """How many turns both sides need; `need` is the verb, if it is not in the present."""
        side = self.position.side
        own, other = reason.needs.of(side), reason.needs.of(side.other)
        you, enemy = self.names[side], self.names[side.other]
        if own is None:
            return f"{you} can no longer reach a goal"
        turns = f"{counted(own, 'turn')} to a goal"
        if own == other:
            return f"both sides {need or 'need'} {turns}"
        told = f"{you} {need or _do(you, 'need')} {turns}"
        if other is None:
            return f"{told}, while {enemy} can reach none"
        # A name such as `Player 2` is not followed by another number.
        alike = enemy[-1:].isdigit()
        return f"{told}, against {other} for {enemy}" if alike else f"{told}, {enemy} {other}"

    def _zugzwang(self, reason: Zugzwang) -> str:
        who = self.names[reason.side]
        rather = f"{who} would rather pass, but {_do(who, 'have')} to move"
        if reason.turn == 0:
            leaves = self._form(reason, "leaves", "would leave", "would have left")
            return f"{self._first(reason)} {leaves} {who} without a good move: {rather}"
        when = "" if reason.turn == 1 else f"{self._when(reason)} "
        last = self._text(reason, reason.turn)
        return f"{when}{last} leaves {who} without a good move: {rather}"

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
        moves = [self._text(reason, at) for at in range(1, turn)]
        return f" ({', '.join(moves)})" if 0 < len(moves) <= _FEW else ""

    def _text(self, reason: Reason, turn: int) -> str:
        """A move of a line as a noun."""
        position = self.position
        for move in reason.line[:turn]:
            position = self.game.play(position, move)
        step = reason.line[turn]
        if isinstance(step, Step) and landing_cell(self.game, position, step) is None:
            return f"staying with {step.piece}"
        return move_text(self.game, position, step)

    def _moved(self, reason: Reason) -> Step:
        return self._stepped(reason, reason.turn)

    def _stepped(self, reason: Reason, turn: int) -> Step:
        step = reason.line[turn]
        assert isinstance(step, Step)
        return step

    def _label(self, cell: int) -> str:
        return cell_label(self.game, cell)

    def deed(self, deed: Deed, modal: str = "", *, there: bool = False) -> str:
        """A deed as a clause; `modal` is empty, `can`, `could have` and so on."""
        verb, win = _modal(_VERBS[deed.act], modal), _modal(_WIN, modal, short=True)
        victims, cell = listed(deed.victims, "and"), self._label(deed.cell)
        place = "there" if there else f"on {cell}"
        if there:
            victims = "it"
        match deed.act:
            case Act.REACHES_GOAL:
                return f"{deed.piece} {verb} {cell} and {win}"
            case Act.TAKES_LAST:
                return f"{deed.piece} {verb} the last piece, {victims}, {place} and {win}"
            case Act.LANDS:
                return f"{deed.piece} {verb} {victims} {place} and {win}"
            case Act.TRAPS:
                return f"{deed.piece} {verb} the other side by stepping to {cell} and {win}"
            case Act.SENDS_HOME:
                start = "from there" if there else f"from {cell}"
                return f"{deed.piece} {verb} {victims} home {start}"
            case Act.TAKES | Act.BATTLE:
                return f"{deed.piece} {verb} {victims} {place}"
            case Act.BLOCKS:
                return f"{deed.piece} {verb} {victims} by stepping to {cell}"
            case _:
                assert_never(deed.act)

    def _terms(self, deed: Deed, terms: Terms | None) -> str:
        """What the battle leads to that a deed opens."""
        if terms is None:
            return ""
        side = deed.side
        who = self.names[side]
        wins = f"if {who} {_do(who, 'win')} the battle"
        told = [result_clause(one, side, self.names) for one in terms]
        if all(map(_is_figure, terms)) and len(set(told)) == 1:
            won, tied, lost = (f"{float(one.expected(side)):+.2f}" for one in terms)
            tie = "" if tied == lost else f", after a tie {tied}"
            scale = "a win is +1, a loss -1"
            can = f"{who} can expect {won} ({scale})"
            return f"; {wins}, {can}{tie}, otherwise {lost}"
        won, tied, lost = told
        if won == tied == lost:
            return f"; however the battle ends, {won}"
        if tied == lost:
            return f"; {wins}, {won}, otherwise {lost}"
        if tied == won:
            return f"; {wins} or it is a tie, {won}, otherwise {lost}"
        return f"; {wins}, {won}, after a tie {tied}, otherwise {lost}"


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
    who = names[side if value.expected(side) > 0 else side.other]
    return f"{who} {_do(who, 'stand')} better"


def _is_figure(value: Value) -> bool:
    """Whether a value is given as a number."""
    return value.winner is None and value.exact not in (1, -1, 0)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _do(who: str, verb: str) -> str:
    """A verb as it follows a name: `you need`, `the computer needs`."""
    if who == YOU:
        return verb
    return {"have": "has", "be": "is"}.get(verb, f"{verb}s")


def _later(turn: int) -> str:
    """`next turn`, `two turns later`, `12 turns later`."""
    if turn == 1:
        return "next turn"
    return f"{_SMALL[turn] if turn < len(_SMALL) else turn} turns later"


def _modal(verb: _Verb, modal: str, *, short: bool = False) -> str:
    """A verb behind a modal; `short` leaves the modal out, as in `could have taken and won`."""
    if not modal:
        return verb.does
    form = verb.done if modal.endswith("have") else verb.do
    return form if short else f"{modal} {form}"
