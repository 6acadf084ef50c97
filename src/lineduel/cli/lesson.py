"""`lineduel lesson`: a text, a position, a question, and exact feedback, step by step."""

import argparse
from contextlib import suppress
from dataclasses import replace
from textwrap import fill

from lineduel import coach
from lineduel.cli.choices import kept_solutions
from lineduel.cli.options import Parser
from lineduel.cli.screen import add_screen, has_full_screen, open_screen
from lineduel.cli.terminal import Terminal
from lineduel.errors import LineduelError
from lineduel.narration import Narrator
from lineduel.preferences import change_preferences
from lineduel.quantities import counted
from lineduel.rulebooks import START_HERE
from lineduel.rules import Side

_WIDTH = 60


def configure(parser: Parser) -> None:
    parser.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        help="a lesson's .toml file, or the id of one that comes with the program "
        "(default: list those)",
    )
    add_screen(parser)
    parser.examples(
        "lineduel lesson",
        "lineduel lesson first-duel",
        "lineduel lesson mixed-strategies --plain",
        "lineduel lesson my-lesson.toml",
    )


def run(options: argparse.Namespace) -> int:
    terminal = Terminal(options.colour)
    if options.file is None:
        for lesson in map(coach.shipped_lesson, coach.SHIPPED_LESSONS):
            terminal.say(f"{lesson.id:<18}{lesson.title}. {lesson.summary}")
        terminal.say(f"\nBegin with 'lineduel lesson {coach.FIRST_LESSON}'.")
        return 0
    lesson = coach.find_lesson(options.file)
    if has_full_screen(options):
        return open_screen(options, options.file)
    teach(lesson, terminal)
    return 0


def teach(lesson: "coach.Lesson", terminal: Terminal) -> None:
    """Go through a lesson at a prompt, until it is over or the learner quits."""
    terminal.say(terminal.bold(lesson.title))
    at_once = 0
    for number, step in enumerate(lesson.steps, start=1):
        _show(step, number, len(lesson.steps), terminal)
        if not step.is_task:
            last = number == len(lesson.steps)
            if terminal.is_interactive and not last and terminal.ask("Enter: go on ") is None:
                return
            continue
        tries = _ask(step, terminal)
        if tries is None:
            return
        at_once += tries == 1
    tasks = counted(lesson.tasks, "task")
    terminal.say(f"\nThe lesson is over: {tasks}, {at_once} right at the first try.")
    if lesson.id == coach.FIRST_LESSON:
        with suppress(LineduelError, OSError):  # a disk that refuses it is no reason to stop
            change_preferences(lambda preferences: replace(preferences, first_lesson=True))
        seats = f"--p{coach.FIRST_SEAT.other} easy --coach"
        terminal.say(f"Play with the coach: lineduel play {START_HERE} {seats}")


def _show(step: "coach.LessonStep", number: int, steps: int, terminal: Terminal) -> None:
    """Print the text, and what there is to look at and to choose from."""
    game, narrator = step.game, Narrator(step.game)
    painted = [
        [narrator.name(side), *(piece.name for piece in game.rules.team(side).pieces)]
        for side in Side
    ]
    terminal.colour_names(*painted)
    terminal.say(f"\n({number} of {steps})")
    _paragraphs(step.text, terminal)
    if step.shows_board:
        terminal.say()
        terminal.say(narrator.board(step.at))
    if step.choices:
        terminal.say("\n".join(f"{at}. {one}" for at, one in enumerate(step.choices, start=1)))
    elif step.is_task and not step.asks_number:
        terminal.say(narrator.moves(step.at, effects=False))


def _ask(step: "coach.LessonStep", terminal: Terminal) -> int | None:
    """Ask until the answer is right; how many tries it took, 0 if it was skipped, None to quit."""
    what = "choice" if step.choices else "number" if step.asks_number else "move"
    tries = 0
    while True:
        answer = terminal.ask(f"Your {what} (or {'skip, or ' if tries else ''}quit): ")
        word = "quit" if answer is None else answer.strip().lower()
        if answer is None or word in ("quit", "q"):
            return None
        if word == "skip":
            return 0
        try:
            feedback = coach.judge_answer(step, answer, kept_solutions())
        except LineduelError as error:
            terminal.complain(str(error))
            continue
        tries += 1
        terminal.say(fill(feedback.sentence, _WIDTH, break_on_hyphens=False))
        if feedback.right:
            _paragraphs(step.then, terminal)
            return tries


def _paragraphs(text: str, terminal: Terminal) -> None:
    if text:
        told = (fill(one, _WIDTH, break_on_hyphens=False) for one in text.split("\n\n"))
        terminal.say("\n\n".join(told))
