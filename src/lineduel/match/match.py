"""A live game with everything it needs: session, programs, adviser, clock and store."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from functools import cached_property
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from lineduel.engine import PASS, Move
from lineduel.errors import LineduelError, StorageError
from lineduel.match.saves import SAVED, Hold, Saves, load, save
from lineduel.narration import LoggedMove, MoveLog, Narrator
from lineduel.play import SEAT_TAGS, Session, Turn
from lineduel.players import Limits, level_number, seat_player
from lineduel.record import Record
from lineduel.rules import Side
from lineduel.storage import user_path

if TYPE_CHECKING:
    from lineduel.coach import Adviser
    from lineduel.match.view import GameView
    from lineduel.players import EngineLog, Player
    from lineduel.solve import Cache, Solution

NO_MISTAKE_SINCE = (
    "Neither side has made a mistake since, so the game can go on like this for ever."
)
_Clock = Callable[[], datetime]


class Match:
    """The one door of a live game, whatever screen or server shows it.

    Each verb (`play`, `choose`, `pass_turn`, `resign`, `forfeit`, `undo`, `redo`) writes the game
    to the store and gives back the turn that it completed. Without a store nothing is written here:
    whoever calls the verbs keeps the game. A solution, once advice or a program needs one, is
    looked up and kept in the cache, if there is one.
    """

    def __init__(
        self,
        session: Session,
        store: Saves | None,
        *,
        clock: _Clock = datetime.now,
        cache: "Cache | None" = None,
        coach: bool = False,
        limits: Limits | None = None,
        engine_log: "EngineLog | None" = None,
    ) -> None:
        self.session = session
        self.coach = coach
        self.limits = limits or Limits()
        self.engine_log = engine_log
        self.path: Path | None = None
        """The file the game is saved in, once a move has been played."""
        self.why_not_kept = ""
        """Why the last attempt to save the game failed; empty if it succeeded."""
        self._store = store
        self._cache = cache
        self._clock = clock
        self._started = clock()
        self._hold: Hold | None = None
        self._tags = [("Date", f"{self._started:%Y.%m.%d}")]
        self._programs: dict[Side, Player] = {}
        self._undone: list[tuple[Move, ...]] = []
        """What was taken back and not played over, the latest last."""
        self._was_kept = True
        """Whether the game was saved when a change of that was last asked for."""

    @classmethod
    def resume(
        cls,
        path: Path,
        store: Saves,
        *,
        copy: bool = False,
        seats: Mapping[Side, str] | None = None,
        names: Mapping[Side, str] | None = None,
        clock: _Clock = datetime.now,
        cache: "Cache | None" = None,
        coach: bool = False,
        limits: Limits | None = None,
        engine_log: "EngineLog | None" = None,
    ) -> "Match":
        """Resume the game in a file, and lock the file against being opened elsewhere.

        Numbers already chosen in an open battle are restored. `seats` names new players for some
        seats; these choose their own numbers, and have a name only if `names` gives one. With
        `copy` the file is left unchanged, and the game
        continues in a new file without the numbers, because they belong to the other game.
        """
        hold = None if copy else Hold(path)
        try:
            record = load(path)
            session = Session.from_record(record)
        except BaseException:
            if hold:
                hold.release()
            raise
        changed = dict(seats or {})
        both = dict(zip(Side, session.seats, strict=True)) | changed
        session.seats = both[Side.ONE], both[Side.TWO]
        named: dict[Side, str | None] = dict(zip(Side, session.names, strict=True))
        named |= {**dict.fromkeys(changed), **(names or {})}
        session.names = named[Side.ONE], named[Side.TWO]
        match = cls(
            session,
            store,
            clock=clock,
            cache=cache,
            coach=coach,
            limits=limits,
            engine_log=engine_log,
        )
        match._keep_tags(record.tags)
        if not copy:
            match.path, match._hold = path, hold
            match._recall_numbers(except_for=changed)
        return match

    def _keep_tags(self, tags: Iterable[tuple[str, str]]) -> None:
        """Keep the tags of a record, except those that every save writes again."""
        noted = dict(tags)
        for name in (*SEAT_TAGS, SAVED):
            noted.pop(name, None)
        self._tags = list((dict(self._tags) | noted).items())

    def _recall_numbers(self, except_for: Mapping[Side, str]) -> None:
        """Restore the numbers chosen before a restart; numbers that do not fit are removed."""
        if self.path is None or self._store is None:
            return
        for side, number in self._store.numbers(self.path, self._moves()).items():
            if side not in except_for:
                with suppress(LineduelError):  # not a number of this battle
                    self.session.choose(side, number)
        if not self.session.chosen:
            with suppress(StorageError):
                self._store.write_numbers(self.path, self._moves(), {})

    @cached_property
    def narrator(self) -> Narrator:
        """What the game says, in the rulebook's words."""
        return Narrator(self.session.game, self.session.names)

    def _solve(self) -> "Solution":
        from lineduel.solve import solve

        return solve(self.session.game, self.session.start, cache=self._cache)

    # What players should know

    @property
    def repetition(self) -> str:
        """What players should know about a position that has come up before; mostly empty.

        That it has come up three times, or that neither side has made a mistake since.
        """
        session = self.session
        if session.winner is not None or session.position.battle is not None:
            return ""
        cycle = session.closed_cycle
        moves = ((turn.before, turn.move) for turn in cycle)
        is_best_play = bool(cycle) and self.adviser.knows_no_mistake(moves)
        if not session.goes_in_circles and not is_best_play:
            return ""
        told = self.narrator.repeated(session.times)
        return f"{told} {NO_MISTAKE_SINCE}" if is_best_play else told

    # What can be done

    def play(self, move: Move) -> Turn:
        """Play a legal move for the side to move."""
        turn = self.session.play(move)
        self._undone.clear()
        self.keep()
        return turn

    def choose(self, side: Side, number: int) -> Turn | None:
        """Choose a number, secret until both have chosen; then the battle's turn is returned."""
        turn = self.session.choose(side, number)
        if turn is None and self.is_kept:
            self._try(self._write_numbers)
        else:
            self._undone.clear()
            self.keep()
        return turn

    def act(self, side: Side, choice: Move | int) -> Turn | None:
        """Carry out a program's choice: play a move, or choose a number."""
        return self.choose(side, choice) if isinstance(choice, int) else self.play(choice)

    def pass_turn(self) -> Turn:
        """Pass for a side that has no legal step."""
        return self.play(PASS)

    def resign(self, side: Side) -> None:
        """Resign the game; no turn is completed."""
        self.session.resign(side)
        self.keep()

    def forfeit(self, side: Side) -> None:
        """A program that breaks the protocol or the rules loses the game; no turn is completed."""
        self.session.forfeit(side)
        self.keep()

    def undo(self) -> tuple[Turn, ...]:
        """Back to where a person was asked, and the turns that were taken back.

        Against a program both plies are taken back.
        """
        before = self.session.turns
        self._undo()
        self.keep()
        undone = before[len(self.session.turns) :]
        if undone:
            self._undone.append(tuple(turn.move for turn in undone))
        return undone

    def take_back_to(self, plies: int) -> None:
        """Back to where so many turns had been played; numbers chosen since are forgotten."""
        self.session.take_back_to(plies)
        self._undone.clear()
        self.keep()

    def hand_over(self, side: Side, name: str) -> None:
        """Let another player take a seat, a person or a program, from here on."""
        self.session.hand_over(side, name)
        if program := self._programs.pop(side, None):
            program.close()
        self.keep()

    @property
    def can_redo(self) -> bool:
        """Whether something was taken back that can be played again."""
        return bool(self._undone)

    def redo(self) -> tuple[Turn, ...]:
        """Play again what the latest undo took back; nothing if there is no such thing."""
        if not self._undone:
            return ()
        turns = tuple(map(self.session.play, self._undone.pop()))
        self.keep()
        return turns

    def _undo(self) -> None:
        session = self.session
        only_programs_chose = session.position.battle is not None and session.people <= set(
            session.asked
        )
        if only_programs_chose and len(session.asked) < len(Side):
            session.undo()  # their numbers are nothing that a person would take back
        session.undo()
        while session.turns and not session.must_pass and session.people.isdisjoint(session.asked):
            session.undo()

    # What is seen

    def view(self, side: Side | None = None) -> "GameView":
        """The game as one side sees it, or a spectator: nothing in it is still secret."""
        from lineduel.match.view import view_of

        return view_of(self.session, side, self.log(), self.session.undecided)

    def log(self) -> tuple[LoggedMove, ...]:
        """What happened so far, one line per move."""
        return self._chronicle.entries(self.session)

    @cached_property
    def _chronicle(self) -> MoveLog:
        return MoveLog(self.narrator)

    @cached_property
    def adviser(self) -> "Adviser":
        """Hints, values and warnings; made when it is first asked for, as few games need it."""
        from lineduel.coach import Adviser

        seated = zip(Side, map(level_number, self.session.seats), strict=True)
        levels = {side: level for side, level in seated if level is not None}
        return Adviser(self.session.game, self._solve, levels)

    # The programs

    def seat(self) -> None:
        """Start the programs, which may take a while: perfect solves the game.

        An engine is started, so that one that cannot play is known before anybody has moved.
        """
        rng = Random(self.session.seed)
        for side, name in zip(Side, self.session.seats, strict=True):
            if side not in self.session.people and side not in self._programs:
                self._programs[side] = seat_player(
                    name,
                    self.session.game,
                    self.session.start,
                    solved=lambda: self.adviser.solution,
                    rng=rng,
                    limits=self.limits,
                    log=self.engine_log,
                )

    def think(self, side: Side) -> Move | int:
        """A program's move, or its number in a battle; nothing is played yet."""
        position = self.session.position
        if side not in self._programs:
            self.seat()
        if position.battle is None:
            return self._programs[side].choose_move(position)
        return self._programs[side].choose_number(position, side)

    def close(self) -> None:
        """Close the programs and release the file; it may be called again."""
        self.release()
        for program in self._programs.values():
            program.close()

    # The store

    def record(self) -> Record:
        """The game so far, dated."""
        return self.session.record([*self._tags, (SAVED, self._clock().isoformat())])

    def save_as(self, name: str) -> Path:
        """Write the game to a new file that a person named, and return its path."""
        path = user_path(name)
        save(self.record(), path, new=True)
        return path

    @property
    def is_kept(self) -> bool:
        """Whether the last attempt to save the game succeeded."""
        return not self.why_not_kept

    def keep(self) -> None:
        """Try to write the running game; `is_kept` says whether that worked."""
        self._try(self._write)

    def save_news(self) -> str | None:
        """That the game is not saved, or is saved again; None if nothing changed since."""
        before, self._was_kept = self._was_kept, self.is_kept
        if before is self.is_kept:
            return None
        return "The game is saved again." if self.is_kept else self.not_saved

    @property
    def not_saved(self) -> str:
        """That the game is not saved, and why; empty when it is."""
        return f"The game is not saved: {self.why_not_kept}" if self.why_not_kept else ""

    def release(self) -> None:
        """Release the game, so that others can open it; it may be called again."""
        hold, self._hold = self._hold, None
        if hold:
            hold.release()

    def _try(self, write: Callable[[], None]) -> None:
        try:
            write()
            self.why_not_kept = ""
        except StorageError as error:
            self.why_not_kept = str(error)

    def _write(self) -> None:
        if self._store is None:
            return
        if not self._is_begun:
            if self.path:
                self._store.remove(self.path)
                self.release()
            return
        if self.path:
            self._store.write(self.path, self.record())
        else:
            self.path = self._store.add(self.record(), self._started)
        self._hold = self._hold or Hold(self.path)
        # After the game itself: numbers of an earlier moment are known, and not taken.
        self._write_numbers()

    def _write_numbers(self) -> None:
        if self.path and self._store and self._is_begun:
            self._store.write_numbers(self.path, self._moves(), self.session.secret_numbers)

    @property
    def _is_begun(self) -> bool:
        """Whether anything happened that should be saved."""
        session = self.session
        return bool(session.turns or session.resigned or session.forfeited)

    def _moves(self) -> tuple[Move, ...]:
        return tuple(turn.move for turn in self.session.turns)
