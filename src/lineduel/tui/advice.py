"""Values, hints and the coach's warnings during a game, computed in the background."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from lineduel import coach
from lineduel.engine import Move
from lineduel.errors import LineduelError
from lineduel.match import Match
from lineduel.players import HUMAN, PERFECT
from lineduel.rules import Side
from lineduel.tui.number_buttons import NumberButtons

if TYPE_CHECKING:
    from lineduel.tui.duel import DuelScreen


_ALL_LOSE = "Against best play every move loses here, so the coach has nothing to warn you about."
_MAY_ERR = " The computer may still go wrong: i gives a hint."
_IS_PERFECT = " The computer plays perfectly, so it will win."


class Advice:
    """Asks the adviser in the background; answers that come too late are not shown."""

    def __init__(self, screen: "DuelScreen", match: Match) -> None:
        self._screen, self._match = screen, match
        self.with_values = False
        """Whether the values of the moves are shown."""
        self._hinted: tuple[tuple[int, Side] | None, int] = None, 0
        """Where a hint was asked for last, and how often before."""
        self._is_silent = False
        """Whether it was said that the coach has nothing to warn about."""

    def toggle_values(self) -> None:
        """Turn the values of the moves on or off."""
        self.with_values = not self.with_values
        self._screen.show_values()
        numbers = self._screen.numbers
        if (asked := self._match.session.people_asked) and numbers.is_shown:
            self._show_numbers(asked[0], numbers)
            self.look_up_numbers(asked[0], numbers)
        self.look_up_values()

    def look_up_values(self) -> None:
        """Show the values of the moves if they are turned on."""
        position = self._match.session.position
        if not self.with_values or position.battle is not None:
            return
        adviser = self._match.adviser

        def show(advice: "tuple[coach.MoveAdvice, ...]") -> None:
            if self.with_values:
                self._screen.show_values(advice)

        def failed(error: LineduelError) -> None:
            self.with_values = False
            self._screen.complain(error)

        self._screen.think(lambda: adviser.moves(position), show, failed)

    def look_up_numbers(self, side: Side, buttons: NumberButtons) -> None:
        """Show the value of each number of a battle to this side if values are turned on."""
        if not self.with_values:
            return
        position, adviser = self._match.session.position, self._match.adviser

        def show(advice: "tuple[coach.NumberAdvice, ...]") -> None:
            if self.with_values:
                self._show_numbers(side, buttons, advice)

        self._screen.think(lambda: adviser.numbers(position, side), show, self._screen.complain)

    def _show_numbers(
        self, side: Side, buttons: NumberButtons, advice: "tuple[coach.NumberAdvice, ...]" = ()
    ) -> None:
        match = self._match
        buttons.show(match.session.numbers(side), match.narrator.highest_number, advice)

    def note_lost_game(self) -> None:
        """Say once why the coach is silent where no move can be a mistake, because all lose."""
        session = self._match.session
        if not self._match.settings.coach or self._is_silent or session.position.battle is not None:
            return
        position, adviser = session.position, self._match.adviser

        def show(advice: "tuple[coach.MoveAdvice, ...]") -> None:
            if all(one.value.winner is position.side.other for one in advice):
                self._is_silent = True
                other = session.seats[position.side.other - 1]
                more = {HUMAN: "", PERFECT: _IS_PERFECT}.get(other, _MAY_ERR)
                self._screen.advise(f"{_ALL_LOSE}{more}")

        self._screen.think(lambda: adviser.moves(position), show, lambda error: None)

    def give_hint(self) -> None:
        """Show where to look; asked again in the same position, the reason, and then the move.

        In a battle show the best mixture of numbers at once.
        """
        session = self._match.session
        if not session.people_asked:
            return
        side = session.people_asked[0]
        asked_at, asked = self._hinted
        asked = asked + 1 if asked_at == (session.plies, side) else 0
        self._hinted = (session.plies, side), asked
        position, adviser, advise = session.position, self._match.adviser, self._screen.advise
        names = coach.names_to(side, session.seats, self._match.narrator)
        advise("…")

        def show(stages: "tuple[coach.Tip, ...]") -> None:
            stage = stages[min(asked, len(stages) - 1)]
            advise(f"Hint: {stage.text}{_more(asked, len(stages))}")
            self._screen.point_out(stage.pieces, stage.cells)

        def failed(error: LineduelError) -> None:
            advise("")
            self._screen.complain(error)

        self._screen.think(lambda: coach.hint_stages(adviser, position, side, names), show, failed)

    def check(self, move: Move, play: Callable[[Move], None]) -> None:
        """Play a move; if the coach warns of it, ask first."""
        if not self._match.settings.coach:
            play(move)
            return
        # Drop earlier requests, so that there is only one question at a time.
        self._screen.forget_requests()
        self._screen.advise("")
        still = self._screen.still()
        position, adviser = self._match.session.position, self._match.adviser

        def look() -> coach.Tip:
            names = coach.names_to(position.side, self._match.session.seats, self._match.narrator)
            return coach.coach_advice(adviser, position, move, names)

        def decide(warning: coach.Tip | None) -> None:
            if still() and warning and warning.text:
                self._screen.point_out(warning.pieces, warning.cells)
                self._screen.duel.confirm(f"{warning.text}\nPlay it anyway?", lambda: decide(None))
            elif still():
                play(move)

        def failed(error: LineduelError) -> None:
            self._match.settings.coach = False  # the game cannot be solved, so there is no coach
            self._screen.complain(error)
            decide(None)

        self._screen.thinker.ask(look, decide, failed)


def _more(asked: int, stages: int) -> str:
    """What another press of the key tells, if there is more."""
    if asked >= stages - 1:
        return ""
    return f" (i: {'the move' if asked == stages - 2 else 'why'})"
