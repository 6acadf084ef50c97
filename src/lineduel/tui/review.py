"""The review screen: a game move by move, the curve of its value, and better moves."""

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Region
from textual.widgets import Static

from lineduel.coach import (
    ACCURACY,
    ROWS,
    SHOWN_LINE,
    Judgement,
    Review,
    account,
    comment,
    comment_on,
    draw_curve_text,
    ending,
    folded,
    reader,
    review,
    solved_or_estimated,
    take_aways,
)
from lineduel.engine import Move, Position, Step
from lineduel.errors import LineduelError
from lineduel.history import keep_accuracy
from lineduel.match import Match
from lineduel.narration import (
    YOU,
    MoveWords,
    Names,
    Narrator,
    headline,
    move_text,
    result_sentence,
)
from lineduel.play import Session
from lineduel.players import ValueEstimate
from lineduel.quantities import counted
from lineduel.record import Record
from lineduel.rules import Side
from lineduel.solve import Cache
from lineduel.tui.board import BoardScreen
from lineduel.tui.game_keys import REVIEW_HELP
from lineduel.tui.game_text import losing_seat, side_names, title_of
from lineduel.tui.screens import KeyBar
from lineduel.tui.track import PLAYER, Lights, Target

_KEYS = (
    ("?", "help", "screen.keys"),
    ("← →", "step", "screen.step(1)"),
    ("↑ ↓", "mistakes", "screen.mistake(1)"),
    ("x", "line", "screen.line"),
    ("t", "try it", "screen.try_it"),
    ("p", "play on", "screen.play_on"),
    ("m", "rematch", "screen.rematch"),
    ("n", "new", "screen.new"),
    ("z", "puzzles", "screen.puzzles"),
    ("Esc", "games", "screen.home"),
    ("q", "quit", "screen.quit"),
)
MARGIN = 6
"""Number of columns beside the curve."""
_TALL = 20
"""With more rows than this, the screen says what accuracy means."""
_ROUND_THE_CURVE = 5
"""Rows above and below the curve: two headings, the axis, marks, and numbers."""


class _Side(Vertical):
    """What stands beside the comments, and is shown again whenever it has another size."""

    def __init__(self, show: Callable[[], None], *, id: str) -> None:
        super().__init__(id=id)
        self._show = show

    def on_resize(self) -> None:
        self._show()


def _selected(told: str, width: int) -> Content:
    """The comment that is looked at: a bar as wide as the list, with a sign at its beginning."""
    bar = "\n".join(row.ljust(width) for row in f"›{told[1:]}".splitlines())
    return Content.styled(bar, "on $lit")


class ReviewScreen(BoardScreen):
    """A played game compared with best play."""

    HELP = REVIEW_HELP
    BINDINGS: ClassVar[list[BindingType]] = [
        ("left,h", "step(-1)", "back"),
        ("right,l", "step(1)", "on"),
        ("home", "step(-9999)", "the start"),
        ("end", "step(9999)", "the end"),
        ("up,k", "mistake(-1)", "the mistake before"),
        ("down,j", "mistake(1)", "the next mistake"),
        ("x", "line", "step through the line that shows why, or back"),
        ("t", "try_it", "try it yourself"),
        ("p", "play_on", "play on from here"),
        ("m", "rematch", "rematch"),
        ("pageup", "scroll(-1)", "scroll"),
        ("pagedown", "scroll(1)", "scroll"),
    ]

    def __init__(self, record: Record, match: Match | None = None) -> None:
        self._session = Session.from_record(record)
        super().__init__(self._session.game, is_small=True)
        self._record = record
        self._match = match
        self._narrator = Narrator(self._session.game, self._session.names)
        self._board.can_focus = False
        self._positions = record.positions()
        self._found: Review | None = None
        self._is_estimate = False
        self._at = len(record.moves)
        """Number of moves played on the board."""
        self._moved = False
        """Whether the person has gone somewhere, so that the turning point is not shown."""
        self._line: tuple[Move, ...] = ()
        """The line that is stepped through, from the position after `_at` moves."""
        self._step = 0
        """Number of moves of the line on the board."""
        self._here = Region(0, 0, 1, 1)
        """The line of the comment on the current move."""
        self._list = VerticalScroll(id="list", can_focus=False)
        self._comments = Static("", id="advice", markup=False)
        self._side = _Side(self._show_account, id="side")
        self._chart = Static("Solving the game …", markup=False)

    @property
    def names(self) -> Names:
        return side_names(self._session.seats, self._narrator)

    def compose(self) -> ComposeResult:
        title, seats = self._record.rulebook.full_title, self._session.seats
        flipped = self._board.flipped
        shown = title_of(title, seats, self._narrator, flipped, "review")
        if shown.cell_length > self.app.size.width:
            shown = title_of(title, seats, self._narrator, flipped)
        yield from self.compose_board(shown)
        with Container(id="below"):
            with self._list:
                yield self._comments
            with self._side:
                yield Static("How it went", classes="heading")
                with VerticalScroll(id="chart", can_focus=False):
                    yield self._chart
        yield KeyBar(_KEYS)

    def on_mount(self) -> None:
        if self.duel.is_leaving:
            return  # the screen has been closed
        # Textual lays out the comments some time after they have changed.
        self.watch(self._list, "virtual_size", self._keep_in_sight, init=False)
        self._show()
        record = self._record

        def judge() -> tuple[Review, bool]:
            solution = solved_or_estimated(record, cache=Cache(), keep_going=self.thinker.check)
            found, is_estimate = review(record, solution), isinstance(solution, ValueEstimate)
            if not is_estimate:
                keep_accuracy(found)
            return found, is_estimate

        self.thinker.ask(judge, self._judged, self._complain)

    def _judged(self, found: tuple[Review, bool]) -> None:
        self._found, self._is_estimate = found
        turning = self._found.turning_point
        if turning is not None and not self._moved and not self._found.resigned_mistake:
            self._at = turning.number - 1
        self._show()

    def _complain(self, error: LineduelError) -> None:
        self._chart.update(str(error))

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
        if self._line:
            for move in self._line[: self._step]:
                position = self._session.game.play(position, move)
            self._board.show(position)
            self.say(self._line_status())
        else:
            self._board.show(position, marks=self._marks(position))
            self.say(self._status())
        self._show_comments()
        self._show_account()

    def _show_account(self) -> None:
        """Show how it went, as large as there is room for it."""
        if self._found is not None and self._side.is_attached:  # judged, and not closing
            self._chart.update("\n".join(self._account(self._found)))

    def _account(self, found: Review) -> list[str]:
        """How each side played, and the value over the game, as tall as there is room for."""
        side = self._side.size
        width = max(side.width - MARGIN, 20)
        summary = ["Too large to solve: estimates by search."] if self._is_estimate else []
        for player in Side:
            summary += account(player, found.accuracy(player), self.names, width)
        if not self._is_narrow and side.height > _TALL:
            summary.append(folded(ACCURACY, width=width))
        turn = self._at + 1 if self._next else None
        room = side.height - _ROUND_THE_CURVE
        if self._is_narrow:
            room, tallest = room + 1, 5  # without a heading, and the summary scrolls
        else:
            room, tallest = room - "\n".join(summary).count("\n") - 1, ROWS
        rows = next((rows for rows in range(tallest, 3, -2) if rows <= room), 3)
        seen_by = reader(self.names)
        curve = draw_curve_text(found, width - MARGIN, rows, turn, seen_by).splitlines()
        heading = f"What {self.names[seen_by]} could expect:"
        if self._is_narrow and self._next and self._record.winner is not None:
            heading = f"{headline(self._session, self.names)} {heading}"
        curve = [folded(heading, width=width), *curve]
        if self._is_narrow:
            return [*curve, *summary]
        return [*summary, "", *curve] if rows < room else [*summary, *curve]

    @property
    def _is_narrow(self) -> bool:
        return self.has_class("-narrow")

    def _show_comments(self) -> None:
        """Show the current comment or, if there is room, all of them, scrolled to that one."""
        found, current = self._found, self._next
        if found is None:
            return
        width = max(self._list.size.width - 2, 20)  # with a scroll bar beside it
        game = self._session.game
        if self._is_narrow and current is not None:
            lines = comment_on(current, game, self.names, width)
            self._comments.update("\n".join(lines))
            self._here = Region(0, 0, 1, 1)
            self.call_after_refresh(self._keep_in_sight)
            return
        judgements = () if self._is_narrow else found.judgements
        wide = max((len(move_text(game, one.position, one.move)) for one in judgements), default=0)
        parts: list[Content] = []
        here = line = 0
        for one in judgements:
            told = "\n".join(comment(one, wide, game, self.names, width))
            part = Content(told)
            if one is current:
                here = line
                part = _selected(told, width)
            elif one.mistake:
                part = part.stylize("$loss")
            parts.append(part)
            line += part.plain.count("\n") + 1
        parts.append(Content("\n".join(self._summary(found))))
        self._comments.update(Content("\n").join(parts))
        self._here = Region(0, line if current is None else here, 1, 3)
        self.call_after_refresh(self._keep_in_sight)

    def _keep_in_sight(self) -> None:
        self._list.scroll_to_region(self._here, animate=False, force=True)

    def on_resize(self) -> None:
        self.call_after_refresh(self._show)

    def _line_status(self) -> Content:
        """Where the person is in the line that shows a reason."""
        game, position = self._session.game, self._positions[self._at]
        moves: list[tuple[str, str] | str] = []
        for at, move in enumerate(self._line, start=1):
            style = "bold reverse" if at == self._step else "bold $muted"
            moves += [" ", (move_text(game, position, move), style)]
            position = game.play(position, move)
        back = ("   ← → step   ", ("x", "bold $key"), " back")
        return Content.assemble(("The line:", "$muted"), *moves, *back)

    def _status(self) -> Content:
        total = len(self._record.moves)
        if self._at == total:
            winner = self._record.winner
            style = f"bold {PLAYER[winner]}" if winner else "bold"
            ended = result_sentence(self._session, self.names, self._narrator)
            if winner is None:
                return Content.styled("The game is not finished.", style)
            star = "" if self.names[winner.other] == YOU else "★ "
            return Content.styled(f"{star}{ended}", style)
        move = self._record.moves[self._at]
        position = self._positions[self._at]
        words = MoveWords(self._session.game, position)
        who = "both" if position.battle is not None else self.names[position.side]
        judgement = self._next
        turning = self._found.turning_point if self._found else None
        at = f"Turn {self._at + 1} of {total}"
        parts: list[str | tuple[str, str]] = [
            (at, "$muted"),
            (", the turning point", "$endless") if judgement and judgement is turning else "",
            (": ", "$muted"),
            (f"{who} played {words(move)}", "bold"),
        ]
        if judgement and judgement.mark:
            colour = {"!": "$win", "?!": "$endless"}.get(judgement.mark, "$loss")
            parts.append((f" {judgement.mark}", f"bold {colour}"))
        return Content.assemble(*parts)

    def _summary(self, found: Review) -> list[str]:
        record = found.record
        was_left = record.winner is None or record.resigned or record.forfeited
        lines = [ending(found, self.names)] if was_left else []  # the status says who has won
        # A sentence for the loser about the seat, if it always loses.
        if self._match and (seat := losing_seat(self._match, found.start)):
            lines.append(f"{seat} m swaps them.")
        for side in Side:
            if self.names[side] == YOU and (learned := take_aways(found, side)):
                lines += ["To take away:", *(f"- {one}" for one in learned)]
        if found.resigned_mistake and not found.mistakes:
            lines.append("No move before that was a mistake. ← steps back.")
        elif found.mistakes:
            lines.append(f"{counted(len(found.mistakes), 'mistake')}: ↑ goes to the last one.")
        elif slow := sum(one.delay > 0 for one in found.judgements):
            lines.append(
                f"Nobody made a mistake, but {counted(slow, 'move')} marked ?! lost time. "
                "← steps back."
            )
        else:
            lines.append("Nobody made a mistake. ← steps back.")
        return lines

    def _marks(self, position: Position) -> Lights:
        """The highlights of the move that was played, of a better one, and of the first reason."""
        if self._at >= len(self._record.moves):
            return Lights()
        judgement = self._next
        is_wrong = judgement is not None and judgement.mistake is not None
        played = Target("?", "$loss") if is_wrong else Target("•")
        marks = [(self._record.moves[self._at], played)]
        if judgement and judgement.better is not None:
            marks.append((judgement.better, Target("!", "$win", aimed=True)))
        targets: dict[int, Target] = {}
        piece = None
        for move, target in marks:
            if isinstance(move, Step):
                piece, cell = move.piece, self._session.game.landing(position, move)
                if cell is not None:
                    targets[cell] = target
        reason = next(iter(judgement.reasons), None) if judgement else None
        return Lights(
            selected=piece,
            targets=targets,
            about=frozenset((*reason.pieces, *reason.cells) if reason else ()),
        )

    # The keys

    def action_step(self, way: int) -> None:
        self._moved = True
        if self._line:
            self._step = min(max(self._step + way, 0), len(self._line))
        else:
            self._at = min(max(self._at + way, 0), len(self._record.moves))
        self._show()

    def action_line(self) -> None:
        """Step through the line that shows the reason, then through the better one, then back."""
        judgement = self._next
        lines = [one.line for one in judgement.reasons if one.turn] if judgement else []
        lines += [judgement.line[:SHOWN_LINE]] if judgement and judgement.line else []
        shown = list(dict.fromkeys(lines))
        if not shown:
            self.notify("There is no line to show here. ↑ ↓ go to the mistakes.")
            return
        at = shown.index(self._line) + 1 if self._line in shown else 0
        self._line, self._step = shown[at] if at < len(shown) else (), 1
        self._show()

    def action_try_it(self) -> None:
        """Find a better move for the mistake that is shown."""
        from lineduel.tui.puzzles import PuzzleScreen

        judgement = self._next
        if judgement is None or judgement.mistake is None or judgement.draws:
            self.notify("Go to a mistake first: ↑ ↓.")
            return
        rulebook = self._record.rulebook
        self.duel.push_screen(PuzzleScreen(rulebook, self.duel.rng, judgement.position))

    def action_mistake(self, way: int) -> None:
        """Go to the previous or the next mistake."""
        mistakes = [one.number - 1 for one in self._found.mistakes] if self._found else []
        there = [at for at in mistakes if (at - self._at) * way > 0]
        self._moved = True
        if there:
            self._at = min(there) if way > 0 else max(there)
            self._line = ()
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
