"""Values, hints and the coach's warnings during a game, computed in the background."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from lineduel import coach
from lineduel.engine import Move
from lineduel.errors import LineduelError
from lineduel.match import Match
from lineduel.rules import Side
from lineduel.tui.number_buttons import NumberButtons

if TYPE_CHECKING:
    from lineduel.tui.duel import DuelScreen


class Advice:
    """Asks the adviser in the background; answers that come too late are not shown."""

    def __init__(self, screen: "DuelScreen", match: Match) -> None:
        self._screen = screen
        self._match = match
        self._widgets = screen.widgets
        self.with_values = False
        """Whether the values of the moves are shown."""

    def toggle_values(self) -> None:
        """Turn the values of the moves on or off."""
        self.with_values = not self.with_values
        self._widgets.show_values()
        if (asked := self._match.session.people_asked) and self._widgets.numbers.is_shown:
            self._widgets.numbers.show(len(self._match.session.numbers))
            self.look_up_numbers(asked[0], self._widgets.numbers)
        self.look_up_values()

    def look_up_values(self) -> None:
        """Show the values of the moves if they are turned on."""
        position = self._match.session.position
        if not self.with_values or position.battle is not None:
            return
        adviser, still = self._match.adviser, self._screen.still()

        def show(advice: "tuple[coach.MoveAdvice, ...]") -> None:
            if still() and self.with_values:
                self._widgets.show_values(advice)

        def failed(error: LineduelError) -> None:
            self.with_values = False
            self._screen.complain(error)

        self._screen.thinker.ask(lambda: adviser.moves(position), show, failed)

    def look_up_numbers(self, side: Side, buttons: NumberButtons) -> None:
        """Show the value of each number of a battle to this side if values are turned on."""
        if not self.with_values:
            return
        position, adviser = self._match.session.position, self._match.adviser
        still = self._screen.still()

        def show(advice: "tuple[coach.NumberAdvice, ...]") -> None:
            if still() and self.with_values:
                buttons.show(len(self._match.session.numbers), advice)

        self._screen.thinker.ask(
            lambda: adviser.numbers(position, side), show, self._screen.complain
        )

    def give_hint(self) -> None:
        """Show the best move and why it is best, or in a battle the best mixture of numbers."""
        asked = self._match.session.people_asked
        if not asked:
            return
        position, adviser = self._match.session.position, self._match.adviser
        still = self._screen.still()
        self._widgets.advise("…")

        def show(told: str) -> None:
            if still():
                self._widgets.advise(f"Hint: {told}")

        def failed(error: LineduelError) -> None:
            self._widgets.advise("")
            self._screen.complain(error)

        self._screen.thinker.ask(lambda: str(adviser.hint(position, asked[0])), show, failed)

    def check(self, move: Move, play: Callable[[Move], None]) -> None:
        """Play a move; if the coach warns of it, ask first."""
        if not self._match.settings.coach:
            play(move)
            return
        # Drop earlier requests, so that there is only one question at a time.
        self._screen.forget_requests()
        still = self._screen.still()
        self._widgets.advise("")
        position, adviser = self._match.session.position, self._match.adviser

        def look() -> str:
            names = coach.names_to(position.side, self._match.session.seats, self._match.narrator)
            return coach.coach_text(adviser, position, move, names)

        def decide(warning: str) -> None:
            if still() and warning:
                self._screen.duel.confirm(f"{warning}\nPlay it anyway?", lambda: decide(""))
            elif still():
                play(move)

        def failed(error: LineduelError) -> None:
            self._match.settings.coach = False  # the game cannot be solved, so there is no coach
            self._screen.complain(error)
            decide("")

        self._screen.thinker.ask(look, decide, failed)
