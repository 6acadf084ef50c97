"""The lesson screen: a text, a position, a question, and exact feedback."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Static

from lineduel.coach import Lesson, LessonFeedback, judge_answer
from lineduel.engine import Move
from lineduel.errors import LineduelError
from lineduel.narration import Names, Narrator
from lineduel.quantities import counted
from lineduel.solve import Cache
from lineduel.tui.choosing import ChoosingScreen, verdict
from lineduel.tui.game_keys import LESSON_HELP
from lineduel.tui.number_buttons import NumberButtons
from lineduel.tui.screens import KeyBar

_KEYS = (
    ("?", "help", "screen.keys"),
    ("← → ↑ ↓", "choose", ""),
    ("Enter", "play", "screen.go_on"),
    ("s", "skip", "screen.skip"),
    ("b", "rules", "screen.rules"),
    ("Esc", "games", "screen.home"),
    ("q", "quit", "screen.quit"),
)


_PATIENCE = 2
"""Wrong answers after which a good move is marked."""


class LessonScreen(ChoosingScreen):
    """The steps of a lesson that are about one game; another game opens another screen."""

    HELP = LESSON_HELP
    BINDINGS: ClassVar[list[BindingType]] = [
        ("s", "skip", "skip this task"),
        ("enter", "go_on", "go on"),
    ]

    def __init__(self, lesson: Lesson, at: int = 0, at_once: int = 0) -> None:
        """From a step on; `at_once` tasks before it were right at the first try."""
        super().__init__(Narrator(lesson.steps[at].game), effects=False, is_small=True)
        self._lesson, self._at, self._at_once = lesson, at, at_once
        self._text = Static("", id="lesson-text", markup=False)
        self._numbers = NumberButtons(id="numbers")
        self._tries = 0
        self._is_open = False
        """Whether the step is waiting for an answer."""

    def compose(self) -> ComposeResult:
        yield from self.compose_board(Content(""))
        yield self._typed
        yield from self.compose_moves(self._text, self._numbers)
        yield KeyBar(_KEYS)

    @property
    def names(self) -> Names:
        return self._lesson.steps[self._at].names

    def on_mount(self) -> None:
        self._board.focus()
        self._show()

    def _show(self) -> None:
        lesson, step = self._lesson, self._lesson.steps[self._at]
        head = f"  step {self._at + 1} of {len(lesson.steps)}"
        title = Content.assemble((f" {lesson.title} ", "bold reverse"), head)
        self.query_one("#title", Static).update(title)
        self._is_open, self._tries = step.is_task, 0
        choices = "\n".join(f"  {at} {one}" for at, one in enumerate(step.choices, start=1))
        self._text.update(f"{step.text}\n\n{choices}" if choices else step.text)
        battle = step.game.rules.battle
        if step.asks_number and battle:
            self._numbers.show(step.game.hand(step.at, step.side), battle.numbers)
        else:
            self._numbers.hide()
        moves = step.game.moves(step.at) if self.can_choose else ()
        wrong = next((move for move in moves if not step.fits(move)), None)
        self._board.show(step.at, moves, aim=wrong)  # Enter alone is not the answer
        self.query_one("#legend", Static).update(self._legend)
        if not step.is_task:
            self.say(Content.assemble(("Enter", "bold $key"), " goes on"))
        elif step.choices or step.asks_number:
            self.say(Content("Press the key of your answer."))
        else:
            self.say(Content("Your move."))

    def on_board_aimed(self) -> None:
        self.show_moves({})

    def on_board_entered(self) -> None:
        self.action_go_on()

    @property
    def can_choose(self) -> bool:
        step = self._lesson.steps[self._at]
        return self._is_open and not step.choices and not step.asks_number

    def choose(self, move: Move) -> None:
        if self.can_choose:
            self._answer(str(move))

    def press_digit(self, number: int) -> None:
        if self.can_choose:
            super().press_digit(number)
        elif self._is_open:
            self._answer(str(number))

    def on_number_buttons_chosen(self, message: NumberButtons.Chosen) -> None:
        if self._is_open:
            self._answer(str(message.number))

    def _answer(self, answer: str) -> None:
        step, at = self._lesson.steps[self._at], self._at

        def show(feedback: LessonFeedback) -> None:
            if self._is_open and at == self._at:
                self._judged(feedback)

        self.thinker.ask(lambda: judge_answer(step, answer, Cache()), show, self.complain)

    def _judged(self, feedback: LessonFeedback) -> None:
        step, move = self._lesson.steps[self._at], feedback.move
        self._tries += 1
        if not feedback.right:
            again = " A good move is marked now: play it" if self._mark_answer() else " Try again"
            more = (f"{again}, or ", ("s", "bold $key"), " skips it.")
            self.say(Content.assemble(verdict(feedback.right, feedback.sentence), *more))
            return
        self._is_open = False
        self._at_once += self._tries == 1
        if move is not None:
            if self.duel.animated:
                self._board.animate_move(step.at, step.game.events(step.at, move))
            self._board.show(step.game.play(step.at, move))
        told = " ".join(filter(None, (feedback.sentence, step.then)))
        go_on = (" ", ("Enter", "bold $key"), " goes on")
        self.say(Content.assemble(verdict(feedback.right, told), *go_on))

    def _mark_answer(self) -> bool:
        """From the second wrong answer on, select a right move; whether there is one to select."""
        step = self._lesson.steps[self._at]
        if self._tries < _PATIENCE or not self.can_choose:
            return False
        moves = step.game.moves(step.at)
        right = next((move for move in moves if step.fits(move)), None)
        self._board.show(step.at, moves, aim=right)
        return right is not None

    def action_go_on(self) -> None:
        """Open the next step once this one is answered."""
        if not self._is_open:
            self._next()

    def action_skip(self) -> None:
        self._next()

    def _next(self) -> None:
        lesson, at = self._lesson, self._at + 1
        if at == len(lesson.steps):
            tasks = counted(lesson.tasks, "task")
            self.duel.finish_lesson(lesson.id)
            self.duel.notify(
                f"The lesson is over: {tasks}, {self._at_once} right at the first try."
            )
        elif lesson.steps[at].game is lesson.steps[at - 1].game:
            self._at = at
            self._show()
        else:
            self.duel.switch_screen(LessonScreen(lesson, at, self._at_once))

    def complain(self, error: LineduelError) -> None:
        self.notify(str(error), severity="warning", markup=False)
