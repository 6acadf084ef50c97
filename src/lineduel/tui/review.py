"""The review screen: a game move by move, the curve of its value, and better moves."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Region
from textual.widgets import Static

from lineduel.coach import (
    ROWS,
    Judgement,
    Review,
    account,
    comment,
    draw_curve_text,
    ending,
    review,
    solved_or_estimated,
)
from lineduel.engine import Game, Move, Position, Step
from lineduel.errors import LineduelError
from lineduel.history import keep_accuracy
from lineduel.match import Match
from lineduel.narration import Names, Narrator
from lineduel.play import Seats, names_of, seats_of
from lineduel.players import ValueEstimate
from lineduel.quantities import counted
from lineduel.record import Record
from lineduel.rules import Side
from lineduel.solve import Cache
from lineduel.tui.board_screen import BoardScreen
from lineduel.tui.drawing import PLAYER, Lights, Target
from lineduel.tui.game_keys import REVIEW_HELP
from lineduel.tui.game_text import lesson, side_names, title_of
from lineduel.tui.keys import KeyBar
from lineduel.tui.thinker import Thinker

_KEYS = (
    ("?", "help", "screen.keys"),
    ("← →", "step", "screen.step(1)"),
    ("↑ ↓", "mistakes", "screen.mistake(1)"),
    ("p", "play on from here", "screen.play_on"),
    ("m", "rematch", "screen.rematch"),
    ("n", "new", "screen.new"),
    ("f", "flip", "screen.flip"),
    ("z", "puzzles", "screen.puzzles"),
    ("Esc", "games", "screen.home"),
    ("q", "quit", "screen.quit"),
)
MARGIN = 6
"""Number of columns beside the curve."""
_ROUND_THE_CURVE = 5
"""Rows above and below the curve: two headings, the axis, marks, and numbers."""


class ReviewScreen(BoardScreen):
    """A played game compared with best play."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("left,h", "step(-1)", "back"),
        ("right,l", "step(1)", "on"),
        ("home", "step(-9999)", "the start"),
        ("end", "step(9999)", "the end"),
        ("up,k", "mistake(-1)", "the mistake before"),
        ("down,j", "mistake(1)", "the next mistake"),
        ("p", "play_on", "play on from here"),
        ("m", "rematch", "rematch"),
        ("pageup", "scroll(-1)", "scroll"),
        ("pagedown", "scroll(1)", "scroll"),
    ]

    def __init__(self, record: Record, match: Match | None = None) -> None:
        self._game = Game(record.rulebook)
        super().__init__(self._game)
        self._record = record
        self._match = match
        self._narrator = Narrator(self._game, names_of(record))
        self._board.can_focus = False
        self._positions = record.positions()
        self._found: Review | None = None
        self._is_estimate = False
        self._at = len(record.moves)
        """Number of moves played on the board."""
        self._here = Region(0, 0, 1, 1)
        """The line of the comment on the current move."""

    def action_keys(self) -> None:
        self.duel.show_text(Content.from_markup(REVIEW_HELP))

    def compose(self) -> ComposeResult:
        yield Static(self._title(), id="title")
        with VerticalScroll(id="track", can_focus=False):
            yield self._board
        yield Static(self._board.artist.legend(), id="legend")
        yield Static("", id="status")
        with Container(id="below"):
            with VerticalScroll(id="list", can_focus=False):
                yield Static("", id="advice", markup=False)
            with Vertical(id="side"):
                yield Static("How it went", classes="heading")
                with VerticalScroll(id="chart", can_focus=False):
                    yield Static("Solving the game …", markup=False)
        yield KeyBar(_KEYS)

    def on_mount(self) -> None:
        self._thinker = Thinker(self.duel)
        if self.duel.is_leaving:
            return  # the screen has been closed
        # Textual lays out the comments some time after they have changed.
        self.watch(self.query_one("#list"), "virtual_size", self._keep_in_sight, init=False)
        self._show()
        record = self._record

        def judge() -> tuple[Review, bool]:
            thinker = self._thinker
            solution = solved_or_estimated(record, cache=Cache(), keep_going=thinker.check)
            found, is_estimate = review(record, solution), isinstance(solution, ValueEstimate)
            if not is_estimate:
                keep_accuracy(found)
            return found, is_estimate

        self._thinker.ask(judge, self._judged, self._complain)

    def on_unmount(self) -> None:
        self._thinker.stop()

    def _judged(self, found: tuple[Review, bool]) -> None:
        self._found, self._is_estimate = found
        self._show()

    def _complain(self, error: LineduelError) -> None:
        self.query_one("#chart Static", Static).update(str(error))

    # What is shown

    @property
    def _next(self) -> Judgement | None:
        """The judgement of the next move."""
        if self._found is None or self._at >= len(self._found.judgements):
            return None
        return self._found.judgements[self._at]

    def _show(self) -> None:
        if self.duel.is_leaving:
            return
        position = self._positions[self._at]
        self._board.show(position, marks=self._marks(position))
        self.query_one("#status", Static).update(self._status())
        self._show_comments()
        self._show_account()

    def _show_account(self) -> None:
        """Show how it went, and again if the room for it turns out to be another."""
        side = next(iter(self.query("#side")), None)
        if self._found is None or side is None:  # not judged yet, or the screen is closing
            return
        room = side.size
        self.query_one("#chart Static", Static).update("\n".join(self._account(self._found)))

        def check_room() -> None:
            if side.size != room:
                self._show_account()

        self.call_after_refresh(check_room)

    def _account(self, found: Review) -> list[str]:
        """How each side played, and the value over the game, as tall as there is room for."""
        side = self.query_one("#side").size
        width = max(side.width - MARGIN, 20)
        summary = ["Too large to solve: estimates by search."] if self._is_estimate else []
        for player in Side:
            summary += account(player, found.accuracy(player), self._names, width)
        turn = self._at + 1 if self._next else None
        room = side.height - _ROUND_THE_CURVE
        if self._is_narrow:
            room, tallest = room + 1, 5  # without a heading, and the summary scrolls
        else:
            room, tallest = room - "\n".join(summary).count("\n") - 1, ROWS
        rows = next((rows for rows in range(tallest, 3, -2) if rows <= room), 3)
        curve = draw_curve_text(found, width - MARGIN, rows, turn).splitlines()
        curve = ["What player 1 could expect:", *curve]
        if self._is_narrow:
            return [*curve, *summary]
        return [*summary, "", *curve] if rows < room else [*summary, *curve]

    @property
    def _is_narrow(self) -> bool:
        return self.has_class("-narrow")

    @property
    def _list_width(self) -> int:
        """The columns of a comment, with a scroll bar beside it."""
        return max(self.query_one("#list").size.width - 2, 20)

    def _show_comments(self) -> None:
        """Show the current comment or, if there is room, all of them, scrolled to that one."""
        found, advice = self._found, self.query_one("#advice", Static)
        if found is None or self._is_narrow or not found.judgements:
            advice.update("\n".join(self._comments()))
            return
        wide = max(len(str(one.move)) for one in found.judgements)
        lines: list[Content] = []
        here = 0
        width = self._list_width
        for at, one in enumerate(found.judgements):
            told = Content("\n".join(comment(one, wide, self._names, width)))
            if at == self._at:
                here = sum(line.plain.count("\n") + 1 for line in lines)
                told = told.stylize("reverse")
            elif one.mistake:
                told = told.stylize("$loss")
            lines.append(told)
        if self._at == len(found.judgements):
            here = sum(line.plain.count("\n") + 1 for line in lines)
        lines.append(Content("\n".join(self._summary(found))))
        advice.update(Content("\n").join(lines))
        self._here = Region(0, here, 1, 3)
        self.call_after_refresh(self._keep_in_sight)

    def _keep_in_sight(self) -> None:
        comments = self.query_one("#list", VerticalScroll)
        comments.scroll_to_region(self._here, animate=False, force=True)

    def on_resize(self) -> None:
        self.call_after_refresh(self._show)

    def _title(self) -> Content:
        seats, game = self._seats, self._record.rulebook.full_title
        who = title_of(game, seats, self._narrator, self._board.flipped)
        return Content.assemble(who, ("   review", "$muted"))

    @property
    def _seats(self) -> Seats:
        return seats_of(self._record)

    @property
    def _names(self) -> Names:
        return side_names(self._seats, self._narrator)

    def _status(self) -> Content:
        total = len(self._record.moves)
        if self._at == total:
            winner = self._record.winner
            style = f"bold {PLAYER[winner]}" if winner else "bold"
            return Content.styled(f"★ {self._result()}", style)
        move = self._record.moves[self._at]
        position = self._positions[self._at]
        name = self._names[position.side]
        who = "Both" if position.battle is not None else f"{name[:1].upper()}{name[1:]}"
        parts: list[str | tuple[str, str]] = [
            (f"Turn {self._at + 1} of {total}: ", "$muted"),
            (f"{who} played {move}", "bold"),
        ]
        judgement = self._next
        if judgement and judgement.mark:
            colour = {"!": "$win", "?!": "$endless"}.get(judgement.mark, "$loss")
            parts.append((f" {judgement.mark}", f"bold {colour}"))
        if judgement and judgement.mistake and judgement.better is not None:
            parts.append((f"   better: {judgement.better}", "bold $win"))
        return Content.assemble(*parts)

    def _result(self) -> str:
        if self._record.resigned is not None:
            return " ".join(self._narrator.resigned(self._record.resigned).split())
        if self._record.forfeited is not None:
            return " ".join(self._narrator.forfeited(self._record.forfeited).split())
        if self._record.winner is None:
            return "The game is not finished."
        events = self._game.events(self._positions[-2], self._record.moves[-1])
        return " ".join(self._narrator.victory(events).split())

    def _comments(self) -> list[str]:
        found, judgement = self._found, self._next
        if found is None:
            return ["Solving the game …"]
        if judgement is not None:
            wide = len(str(judgement.move))
            return list(comment(judgement, wide, self._names, self._list_width))
        return self._summary(found)

    def _summary(self, found: Review) -> list[str]:
        count = len(found.mistakes)
        if count == 0:
            told = "Nobody made a mistake. ← steps back."
        else:
            told = f"{counted(count, 'mistake')}: ↑ goes to the last one."
        return [ending(found, self._names), *self._lesson(found), told]

    def _lesson(self, found: Review) -> list[str]:
        """A sentence for the loser about the seat, if it always loses."""
        told = lesson(self._match, found.start) if self._match else ""
        return [f"{told} m swaps them."] if told else []

    def _marks(self, position: Position) -> Lights:
        """The highlights of the move that was played and, if it was a mistake, of a better one."""
        if self._at >= len(self._record.moves):
            return Lights()
        targets: dict[int, Target] = {}
        played, judgement = self._record.moves[self._at], self._next
        wrong = judgement is not None and judgement.mistake is not None
        mark = Target("?", "$loss") if wrong else Target("•")
        self._mark(targets, position, played, mark)
        piece = played.piece if isinstance(played, Step) else None
        if judgement and isinstance(judgement.better, Step):
            self._mark(targets, position, judgement.better, Target("!", "$win", aimed=True))
            piece = judgement.better.piece
        return Lights(selected=piece, targets=targets)

    def _mark(
        self, targets: dict[int, Target], position: Position, move: Move, target: Target
    ) -> None:
        if isinstance(move, Step):
            cell = self._game.landing(position, move)
            if cell is not None:
                targets[cell] = target

    # The keys

    def action_step(self, way: int) -> None:
        self._at = min(max(self._at + way, 0), len(self._record.moves))
        self._show()

    def action_mistake(self, way: int) -> None:
        """Go to the previous or the next mistake."""
        mistakes = [one.number - 1 for one in self._found.mistakes] if self._found else []
        there = [at for at in mistakes if (at - self._at) * way > 0]
        if there:
            self._at = min(there) if way > 0 else max(there)
            self._show()
        elif self._found is not None:
            self.notify("No more mistakes that way." if mistakes else "Nobody made a mistake.")

    def action_play_on(self) -> None:
        self.duel.play_on(self._record, self._at)

    def action_rematch(self) -> None:
        self.duel.rematch(self._match or self._record)

    def action_scroll(self, way: int) -> None:
        """Scroll the comments."""
        self.query_one("#chart", VerticalScroll).scroll_relative(y=4 * way, animate=False)
