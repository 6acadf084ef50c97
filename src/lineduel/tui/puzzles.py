"""The puzzle screen: find the only good move."""

from collections.abc import Iterator
from datetime import date
from random import Random
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content

from lineduel.coach import (
    PUZZLE_KINDS,
    NoPuzzleLeft,
    Puzzle,
    PuzzleRating,
    PuzzleVerdict,
    ReasonKind,
    Training,
    judge,
    mistake_puzzle,
    training_of_the_day,
)
from lineduel.engine import Game, Move, Position
from lineduel.errors import LineduelError
from lineduel.narration import Narrator
from lineduel.rules import Rulebook
from lineduel.solve import Cache
from lineduel.tui.choosing import ChoosingScreen, verdict
from lineduel.tui.game_keys import PUZZLE_HELP
from lineduel.tui.screens import KeyBar
from lineduel.tui.track import PLAYER

_KEYS = (
    ("?", "help", "screen.keys"),
    ("← → ↑ ↓", "choose", ""),
    ("Enter", "play", ""),
    ("m", "type", "screen.type"),
    ("a", "answer", "screen.answer"),
    ("w", "which", "screen.which"),
    ("f", "flip", "screen.flip"),
    ("b", "rules", "screen.rules"),
    ("Esc", "games", "screen.home"),
    ("q", "quit", "screen.quit"),
)


_MISTAKES, _TODAY = "mistakes", "today"
_WHICH = {
    "all": "All puzzles of this game",
    _MISTAKES: "Your own mistakes in this game",
    _TODAY: "The puzzle of the day, the same for everyone",
    ReasonKind.GAIN: "Take, send home, or win",
    ReasonKind.ESCAPE: "Save a piece, or stop an enemy",
    ReasonKind.NEW_GUARD: "Guard a cell",
    ReasonKind.RACE: "Win a race",
    ReasonKind.ZUGZWANG: "Leave no good move",
    ReasonKind.ONLY_SAFE: "Find the only safe cell",
}
"""Which puzzles can be asked for, and how they are called."""


class PuzzleScreen(ChoosingScreen):
    """One puzzle after another, until somebody leaves."""

    HELP = PUZZLE_HELP
    BINDINGS: ClassVar[list[BindingType]] = [
        ("a", "answer", "show the answer"),
        ("w", "which", "which puzzles"),
    ]

    def __init__(self, rulebook: Rulebook, rng: Random, which: str | Position = "") -> None:
        """All puzzles of a game, those of `which` (see `_WHICH`), or that of a position."""
        self._game = Game(rulebook)
        self._which = which
        super().__init__(Narrator(self._game), "Solving the game …", effects=False, is_small=True)
        self._rng = rng
        self._training: Training | None = None
        self._puzzles: Iterator[Puzzle] = iter(())
        self._puzzle: Puzzle | None = None
        self._is_open = False
        """Whether the puzzle is waiting for an answer."""
        self._solved = self._asked = self._tries = 0
        self._rating: PuzzleRating | None = None

    def compose(self) -> ComposeResult:
        what = _WHICH.get(self._which, "puzzles") if isinstance(self._which, str) else "try it"
        title = Content.assemble((f" {self._rulebook.title} ", "bold reverse"), f"  {what}")
        yield from self.compose_board(title)
        yield self._typed
        yield from self.compose_moves()
        yield KeyBar(_KEYS)

    def on_mount(self) -> None:
        self._board.focus()
        self.thinker.ask(self._prepare, lambda _: self._next(), self._complain)

    def _prepare(self) -> None:
        training, today, which = Training(self._game, cache=Cache()), self._today(), self._which
        self._training = training
        if isinstance(which, Position):
            self._puzzles = filter(None, (mistake_puzzle(training.solution, which),))
        elif which == _MISTAKES:
            from lineduel.history import own_mistakes, read_history
            from lineduel.match import Saves

            mistaken = own_mistakes(read_history(Saves()), training.solution)
            self._puzzles = training.own_mistakes(mistaken, today)
        elif which == _TODAY:
            self._puzzles = iter((training_of_the_day(today, Cache())[1],))
        else:
            kind = ReasonKind(which) if which in list(PUZZLE_KINDS) else None
            self._puzzles = training.puzzles(self._rng, today, kind)

    def _today(self) -> date:
        return self.duel.clock().date()

    def _complain(self, error: LineduelError) -> None:
        self.say(Content.styled(str(error), "$loss"))

    def _next(self) -> None:
        """Find the next puzzle, which may take a moment."""
        self._puzzle = None
        self.thinker.ask(self._find_next, self._show, self._complain)

    def _find_next(self) -> Puzzle | NoPuzzleLeft | None:
        """The next puzzle, or why there is not even a first one."""
        puzzle = next(self._puzzles, None)
        if puzzle or self._asked or self._which or self._training is None:
            return puzzle
        return self._training.none_left(self._today())

    def _show(self, puzzle: Puzzle | NoPuzzleLeft | None) -> None:
        if not isinstance(puzzle, Puzzle):
            last = "That was the last one. Those you missed will come back."
            if self._which and not self._asked:
                kind = self._which in list(PUZZLE_KINDS)
                none = "This game has no puzzles of this kind" if kind else "No puzzle today"
                last = f"{none}. w: other puzzles"
            self.say(Content(last if puzzle is None else str(puzzle)))
            return
        self._puzzle, self._is_open, self._tries = puzzle, True, 0
        side = puzzle.position.side
        self._board.show(puzzle.position, self._game.moves(puzzle.position))
        self.say(
            Content.assemble(
                (self.narrator.name(side), f"bold {PLAYER[side]}"),
                f" to move: {puzzle.question}. Grade {puzzle.grade} of 8.",
            )
        )

    def on_board_aimed(self) -> None:
        if self._puzzle is not None:
            self.show_moves({})

    def on_board_entered(self) -> None:
        if self._puzzle is not None and not self._is_open:
            self._next()

    @property
    def can_choose(self) -> bool:
        return self._is_open

    def choose(self, move: Move) -> None:
        training, puzzle = self._training, self._puzzle
        if not self._is_open or puzzle is None or training is None:
            return
        found = judge(training.solution, puzzle.position, move)
        if self._tries == 0:
            self._note(puzzle, found.right)
        self._tries += 1
        told = verdict(found.right, self._told(puzzle, str(found), found))
        if found.right:
            self._finish(puzzle, move, told)
        else:
            again = (" Try again, or ", ("a", "bold $key"), " shows the answer. ")
            self.say(Content.assemble(told, *again, self._score()))

    def action_answer(self) -> None:
        """Show the solution after at least one try."""
        training, puzzle = self._training, self._puzzle
        if self._is_open and self._tries and puzzle is not None and training is not None:
            found = judge(training.solution, puzzle.position, puzzle.answer)
            told = self._told(puzzle, found.as_answer(), found)
            self._finish(puzzle, puzzle.answer, Content(told))

    def action_home(self) -> None:
        """Back to the review that this was opened from, or to the games."""
        self.duel.action_go_back()

    def action_which(self) -> None:
        """Ask which puzzles to solve."""
        self.duel.choose("Which puzzles?", _WHICH, self._switch)

    def _switch(self, which: str) -> None:
        def open_(rulebook: Rulebook) -> None:
            self.duel.switch_screen(PuzzleScreen(rulebook, self._rng, which))

        if which == _TODAY:

            def find() -> Rulebook:
                return training_of_the_day(self._today(), Cache())[0].solution.game.rulebook

            self.thinker.ask(find, open_, self._complain)
        else:
            open_(self._rulebook)

    def _told(self, puzzle: Puzzle, sentence: str, found: PuzzleVerdict) -> str:
        """A verdict with its reasons."""
        return " ".join(filter(None, (sentence, found.why(self._game, puzzle.position))))

    def _finish(self, puzzle: Puzzle, move: Move, told: Content) -> None:
        """Show the move on the board and what it does; Enter opens the next puzzle."""
        self._is_open = False
        if self.duel.animated:
            self._board.animate_move(puzzle.position, self._game.events(puzzle.position, move))
        self._board.show(self._game.play(puzzle.position, move))
        next_one = (" ", self._score(), ("Enter", "bold $key"), " next")
        self.say(Content.assemble(told, *next_one))

    def _note(self, puzzle: Puzzle, right: bool) -> None:
        """Count the first answer in the rating."""
        self._asked += 1
        self._solved += right
        try:
            assert self._training is not None
            self._rating = self._training.note(puzzle, right, self._today())
        except LineduelError as error:
            self.duel.complain(error)

    def _score(self) -> str:
        rating = f"; {self._rating}" if self._rating else ""
        return f"{self._solved} of {self._asked} solved{rating}. "
