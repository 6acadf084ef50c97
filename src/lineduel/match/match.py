"""A game in this process: people at one screen, programs, advice, and the file it is kept in."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from lineduel import play
from lineduel.engine import PASS, Game, Move
from lineduel.errors import EngineError, LineduelError
from lineduel.match.game_file import Clock, GameFile
from lineduel.match.saves import Hold, Saves, load
from lineduel.narration import Narrator
from lineduel.players import Limits, level_number, seat_player
from lineduel.rules import Side

if TYPE_CHECKING:
    from lineduel.coach import Adviser
    from lineduel.engine import Position
    from lineduel.play import GivenNames, Seats
    from lineduel.players import EngineLog, Player
    from lineduel.rules import Rulebook
    from lineduel.solve import Cache, Solution

NO_MISTAKE_SINCE = (
    "Neither side has made a mistake since, so the game can go on like this for ever."
)


@dataclass(slots=True, kw_only=True)
class MatchSettings:
    """What helps the people of a match, and what binds its programs; a rematch has the same."""

    cache: "Cache | None" = None
    """Where a solution is looked up and kept, once advice or a program needs one."""
    coach: bool = False
    """Whether people are warned before they make a mistake."""
    limits: Limits = field(default_factory=Limits)
    engine_log: "EngineLog | None" = None


class Match(play.Connection):
    """A live game whose people all sit here; everything that happens is kept in its file at once.

    It is the connection of those people to their game.
    """

    def __init__(
        self,
        session: play.Session,
        saves: Saves,
        settings: MatchSettings | None = None,
        clock: Clock = datetime.now,
    ) -> None:
        self.session = session
        self.live = play.LiveGame(session)
        self.file = GameFile(session, saves, clock)
        self.settings = settings or MatchSettings()
        self._programs: dict[Side, Player] = {}
        self._hear: play.Hear = lambda news: None
        self._work = play.AT_ONCE

    @classmethod
    def resume(
        cls,
        path: Path,
        saves: Saves,
        settings: MatchSettings | None = None,
        *,
        copy: bool = False,
        seats: Mapping[Side, str] | None = None,
        names: Mapping[Side, str] | None = None,
    ) -> "Match":
        """Resume the game in a file, and lock the file against being opened elsewhere.

        Numbers already chosen in an open battle are restored. `seats` names new players for some
        seats; these choose their own numbers, and have a name only if `names` gives one. With
        `copy` the file is left unchanged, and the game continues in a new file without the
        numbers, because they belong to the other game.
        """
        hold = None if copy else Hold(path)
        try:
            record = load(path)
            session = play.Session.from_record(record)
        except BaseException:
            if hold:
                hold.release()
            raise
        changed = seats or {}
        for side, player in changed.items():
            session.hand_over(side, player)
        named: dict[Side, str | None] = dict(zip(Side, session.names, strict=True))
        named |= {**dict.fromkeys(changed), **(names or {})}
        session.names = named[Side.ONE], named[Side.TWO]
        match = cls(session, saves, settings)
        match.file.keep_tags(record.tags)
        if hold:
            match.file.take_over(path, hold, changed)
        return match

    # What happens

    def perform(self, intent: play.Intent) -> tuple[play.Turn, ...]:
        """Carry out what a person here asks for; the turns that were played."""
        plies = self.session.plies
        events = self.live.perform(intent, self.session.people)
        if (side := self.live.program_offered_stop) is not None:
            events += self.live.answer_stop(side, self._agrees_to_stop(side))
        return self._kept(plies, events)

    def _agrees_to_stop(self, side: Side) -> bool:
        """A program agrees if play goes in circles and is no better than even for it."""
        session = self.session
        return session.goes_in_circles and not (
            self.adviser.solution.value(session.position).sure(side) > 0
        )

    def act(self, side: Side, choice: Move | int) -> tuple[play.Turn, ...]:
        """Carry out a program's choice, or a pass that is forced; the turns that were played."""
        return self._kept(self.session.plies, self.live.act(side, choice))

    def forfeit(self, side: Side) -> None:
        """A program that breaks the protocol or the rules loses the game."""
        self._kept(self.session.plies, self.live.happens(play.Forfeited(side)))

    def _kept(self, plies: int, events: list[play.LiveEvent]) -> tuple[play.Turn, ...]:
        self.file.keep(events)
        return self.session.turns_after(plies)

    # As a connection

    @property
    def state(self) -> tuple[play.Session, play.GameView]:
        return self.session, self.live.view(self.session.people)

    def listen(self, hear: play.Hear, work: play.SlowWork = play.AT_ONCE) -> None:
        """The game begins once its programs are ready."""
        self._hear, self._work = hear, work
        if len(self.session.people) < len(Side):
            work.ask(self.seat, lambda _: hear(play.Changed()), self._stall)
        else:
            hear(play.Changed())

    def ask(self, intent: play.Intent) -> None:
        self.perform(intent)
        is_turn = isinstance(intent, play.PlayMove | play.ChooseNumber)
        self._hear(play.Changed("turn" if is_turn else "game"))

    def go_on(self) -> None:
        """Play a pass that is forced, or let a program choose."""
        side, version = self.session.program_asked, self.live.version
        if self.session.awaits is play.Awaited.PASS:
            self._act(self.session.position.side, PASS)
        elif side is not None:
            program = side

            def chose(choice: Move | int) -> None:
                if self.live.version == version:
                    self._act(program, choice)

            def failed(error: LineduelError) -> None:
                if self.live.version == version:
                    self._give_up(program, error)

            self._work.ask(lambda: self.think(program), chose, failed)

    def _act(self, side: Side, choice: Move | int) -> None:
        self.act(side, choice)
        self._hear(play.Changed("turn"))

    def _give_up(self, side: Side, error: LineduelError) -> None:
        """An engine that fails forfeits the game; with any other program it stands still."""
        if isinstance(error, EngineError):
            self.forfeit(side)
            self._hear(play.Changed(note=str(error)))
        else:
            self._stall(error)

    def _stall(self, error: LineduelError) -> None:
        self._hear(play.Stalled(error))

    # What is seen and said

    @cached_property
    def narrator(self) -> Narrator:
        """What the game says, in the rulebook's words."""
        return Narrator(self.session.game, self.session.names)

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
        sentence = self.narrator.repeated(session.times)
        return f"{sentence} {NO_MISTAKE_SINCE}" if is_best_play else sentence

    @cached_property
    def adviser(self) -> "Adviser":
        """Hints, values and warnings; made when it is first asked for, as few games need it."""
        from lineduel.coach import Adviser

        seated = zip(Side, map(level_number, self.session.seats), strict=True)
        levels = {side: level for side, level in seated if level is not None}
        return Adviser(self.session.game, self._solve, levels, self.settings.cache)

    def _solve(self) -> "Solution":
        from lineduel.solve import solve

        return solve(self.session.game, self.session.start, cache=self.settings.cache)

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
                    limits=self.settings.limits,
                    log=self.settings.engine_log,
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
        self.file.release()
        for program in self._programs.values():
            program.close()


@dataclass(frozen=True)
class GameSetup:
    """What is settled about a game before the players take their seats."""

    rulebook: "Rulebook"
    start: "Position | None" = None
    """The position that it begins with; None for the start of the rulebook."""
    names: "GivenNames" = play.UNNAMED
    seed: int | None = None
    settings: MatchSettings = field(default_factory=MatchSettings)

    def begin(self, seats: "Seats") -> Match:
        """The game with these players; it is saved among the user's games."""
        session = play.Session(Game(self.rulebook), self.start, seats, self.seed, self.names)
        return Match(session, Saves(), self.settings)
