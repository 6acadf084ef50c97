"""What an assistant can do with the games: play, learn and help to design.

Games live in this process. A seat is known by its key, and a number chosen in a battle is told
only together with the other one. Rulebooks come by id or as TOML text, never as a path.
"""

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

from lineduel import coach, documents, lab
from lineduel.engine import Game, Numbers, Position
from lineduel.errors import (
    LineduelError,
    NotNow,
    RulebookError,
    shown,
)
from lineduel.graph import explore_by_engine
from lineduel.narration import NUMBERED
from lineduel.play import Session
from lineduel.players import HUMAN, Player, check_policy_name, seat_player
from lineduel.record import parse_move, read_position, read_record
from lineduel.rulebooks import LARGEST_RULEBOOK, SHIPPED, catalogue, find_rulebook
from lineduel.rules import Phrasing, Rulebook, Rules, Side, rule_sentences, rulebook_from_data
from lineduel.safe_toml import parse_toml
from lineduel.solve import MOST_PLAIN, Solution, solve

MOST_GAMES = 200
"""Games that are kept; after that the one that was used least recently is dropped."""
MOST_GAMES_OF_ONE = 20
"""Games that are kept for one of several who ask, so that nobody else's are dropped."""
MOST_SOLVED = 16
"""Solutions that are kept."""
SECONDS_TO_WAIT = 15.0
"""How long somebody waits for what is worked out for others."""
_PERSON = "person"
PhrasingName = Literal["plain", "formal", "brief"]
ToolAnswer = dict[str, Any]


@dataclass(slots=True)
class _PlayedGame:
    """A game under way, with the key of each seat that a client plays."""

    session: Session
    keys: dict[str, Side]
    program: tuple[Side, Player] | None
    asker: str | None


def _call(function: Callable[..., Any], *arguments: object) -> Any:
    return function(*arguments)


class DuelTools:
    """What the tools do, without the protocol."""

    def __init__(
        self,
        rng: Random | None = None,
        *,
        work: Callable[..., Any] = _call,
        asker: Callable[[], str | None] = lambda: None,
    ) -> None:
        """`work` calls a function that may take long; `asker` says who asks, if there are several.

        Work may be done in another process.
        """
        self._rng, self._work, self._asker = rng or Random(), work, asker
        self._games: OrderedDict[str, _PlayedGame] = OrderedDict()
        """By each key of its seats."""
        self._solved: OrderedDict[tuple[Rules, Position], Solution] = OrderedDict()
        self._lock = threading.Lock()
        self._solving = threading.Lock()
        """Held while something is solved or audited: one at a time, for all who ask."""

    # Games and rules

    def list_games(self) -> ToolAnswer:
        """All games with their summaries and variants; ids are what other tools take as `game`."""
        return {"games": documents.plain_data(documents.games_document(catalogue()))}

    def rules(self, game: str, phrasing: PhrasingName = "plain") -> ToolAnswer:
        """The rules of a game in words, in one of three phrasings. `game` is an id or TOML text."""
        rulebook = _rulebook(game)
        return {
            "game": rulebook.id,
            "title": rulebook.title,
            "summary": rulebook.summary,
            "rules": list(rule_sentences(rulebook.rules, Phrasing(phrasing))),
            "start": str(Game(rulebook).start()),
        }

    # Playing

    def start_game(
        self, game: str, side: Literal[1, 2] = 1, opponent: str = "level:3"
    ) -> ToolAnswer:
        """Start a game and take a seat: player 1 or 2.

        The opponent is level:1 to level:8, perfect, or person: then the other seat has a key of
        its own, to give to the person who plays it. Play with the key of your seat.
        """
        rulebook, seat = _rulebook(game), Side(side)
        made = Game(rulebook)
        program = None
        if opponent != _PERSON:
            name = check_policy_name(opponent)
            start = made.start()
            player = seat_player(
                name, made, start, solved=lambda: self._solution(made, start), rng=self._rng
            )
            program = seat.other, player
        names = {seat: HUMAN, seat.other: HUMAN if program is None else check_policy_name(opponent)}
        session = Session(made, seats=(names[Side.ONE], names[Side.TWO]))
        keys = {secrets.token_urlsafe(12): seat}
        if program is None:
            keys[secrets.token_urlsafe(12)] = seat.other
        played = _PlayedGame(session, keys, program, self._asker())
        with self._lock:
            self._advance(played)
            self._make_room(played.asker)
            for key in keys:
                self._games[key] = played
            mine, *theirs = keys
            given = {"key": mine} | ({"other_key": theirs[0]} if theirs else {})
            return given | self._state(played, seat)

    def game_state(self, key: str) -> ToolAnswer:
        """The position, the moves so far, and whose turn it is, for the seat with this key."""
        with self._played(key) as (played, side):
            return self._state(played, side)

    def legal_moves(self, key: str) -> ToolAnswer:
        """What this seat can play now: moves, or numbers of a battle."""
        with self._played(key) as (played, side):
            state = self._state(played, side)
            return {name: state[name] for name in ("your_turn", "legal_moves", "numbers")}

    def play_move(self, key: str, move: str) -> ToolAnswer:
        """Play a move, such as P1-B+2 or pass; a program in the other seat answers at once."""
        with self._played(key) as (played, side):
            session = played.session
            if side not in session.asked or session.position.battle is not None:
                raise NotNow(_not_now(session, side))
            found = parse_move(move.strip())
            if isinstance(found, Numbers):
                raise NotNow("No battle is open. Play a move such as P1+1.")
            session.play(found)
            self._advance(played)
            return self._state(played, side)

    def choose_number(self, key: str, number: int) -> ToolAnswer:
        """Choose a number in an open battle; it stays secret until both sides have chosen."""
        with self._played(key) as (played, side):
            played.session.choose(side, number)
            self._advance(played)
            return self._state(played, side)

    def resign(self, key: str) -> ToolAnswer:
        """Give up the game."""
        with self._played(key) as (played, side):
            played.session.resign(side)
            return self._state(played, side)

    # Knowing

    def values(self, game: str, position: str = "") -> ToolAnswer:
        """The exact value of a position for player 1, and of every move (default: the start)."""
        solution, where = self._solved_at(game, position)
        return _plain(documents.solve_document(solution, where))

    def hint(self, game: str, position: str = "", side: Literal[1, 2] | None = None) -> ToolAnswer:
        """A best move with the reason for it; in a battle, how to choose a number."""
        solution, where = self._solved_at(game, position)
        if solution.game.outcome(where) is not None:
            raise NotNow("The game is over in this position.")
        adviser = coach.Adviser(solution.game, lambda: solution)
        seat = where.side if side is None else Side(side)
        if where.battle is None and seat is not where.side:
            raise NotNow(f"It is player {where.side}'s turn in this position.")
        stages = coach.hint_stages(adviser, where, seat, NUMBERED)
        return {"position": str(where), "side": int(seat), "hint": list(stages)}

    def review(self, key: str = "", record: str = "") -> ToolAnswer:
        """Judge a game move by move, with reasons: one played here by its key, or a record."""
        if record:
            found = read_record(record)
        else:
            with self._played(key) as (played, _):
                found = played.session.record()
        game = Game(found.rulebook)
        solution = self._solution(game, found.start)
        return _plain(documents.review_document(coach.review(found, solution), estimate=False))

    def audit(self, game: str) -> ToolAnswer:
        """Does a rulebook keep its promises? `game` is an id or the text of a TOML file."""
        return _plain(documents.audit_document(self._audit(_rulebook(game))))

    def compare(self, game: str, other: str) -> ToolAnswer:
        """Two rulebooks side by side, as lines of a table. Each is an id or TOML text."""
        audits = [self._audit(_rulebook(one)) for one in (game, other)]
        names = [one.rulebook.id for one in audits]
        if names[0] == names[1]:
            names = ["game", "other"]
        return {
            "comparison": list(lab.side_by_side(names, audits)),
            "audits": [_plain(documents.audit_document(one)) for one in audits],
        }

    # Within

    def _solved_at(self, game: str, position: str) -> tuple[Solution, Position]:
        made = Game(_rulebook(game))
        where = read_position(made, position) if position else made.start()
        start = made.start()
        solution = self._solution(made, start)
        try:
            solution.value(where)
        except LineduelError:  # it cannot come up from the start
            solution = self._solution(made, where)
        return solution, where

    def _solution(self, game: Game, start: Position) -> Solution:
        key = game.rules, start
        with self._in_turn():
            if key not in self._solved:
                self._solved[key] = self._work(_solved, game, start)
                while len(self._solved) > MOST_SOLVED:
                    self._solved.popitem(last=False)
            return self._solved[key]

    def _audit(self, rulebook: Rulebook) -> lab.Audit:
        with self._in_turn():
            found: lab.Audit = self._work(_audited, rulebook)
            return found

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        """Work, when nobody else's work is under way."""
        if not self._solving.acquire(timeout=SECONDS_TO_WAIT):
            raise NotNow("Others are being answered. Try again in a moment.")
        try:
            yield
        finally:
            self._solving.release()

    def _make_room(self, asker: str | None) -> None:
        """Drop the game that was used least recently, where one more would be too many."""
        kept = list({id(one): one for one in self._games.values()}.values())
        own = [one for one in kept if one.asker == asker]
        if asker is not None and len(own) >= MOST_GAMES_OF_ONE:
            self._drop(own[0])
        elif len(kept) >= MOST_GAMES:
            self._drop(kept[0])

    def _drop(self, played: _PlayedGame) -> None:
        for key in played.keys:
            del self._games[key]

    @contextmanager
    def _played(self, key: str) -> Iterator[tuple[_PlayedGame, Side]]:
        with self._lock:
            if key not in self._games:
                raise NotNow("There is no game with this key. Start one with start_game.")
            played = self._games[key]
            for one in played.keys:
                self._games.move_to_end(one)
            yield played, played.keys[key]

    def _advance(self, played: _PlayedGame) -> None:
        """Let the program act. Its number is drawn only when the other one is in."""
        if played.program is None:
            return
        session, (side, player) = played.session, played.program
        while side in session.asked:
            if session.position.battle is None:
                session.play(player.choose_move(session.position))
            elif side.other in session.chosen:
                session.choose(side, player.choose_number(session.position, side))
            else:
                return

    def _state(self, played: _PlayedGame, side: Side) -> ToolAnswer:
        """What a seat may see; there is no place for a secret in it."""
        session = played.session
        mine = side in session.asked
        battle = session.position.battle is not None
        return {
            "game": session.rulebook.id,
            "you_are": int(side),
            "position": str(session.position),
            "moves": [str(move) for move in session.played],
            "your_turn": mine,
            "legal_moves": [str(move) for move in session.moves] if mine and not battle else [],
            "numbers": list(session.numbers(side)) if mine else [],
            "battle": battle,
            "have_chosen": [int(one) for one in session.chosen],
            "winner": None if session.winner is None else int(session.winner),
        }


def _not_now(session: Session, side: Side) -> str:
    if session.winner is not None:
        return "The game is over."
    if session.position.battle is not None:
        return "A battle is open: choose a number with choose_number."
    return f"It is player {side.other}'s turn."


def _rulebook(text: str) -> Rulebook:
    """A rulebook by its id, or from the text of a TOML file; a path is neither."""
    if "\n" not in text:
        place = text.strip().lower()
        if place.partition(":")[0] not in SHIPPED:
            known = ", ".join(SHIPPED)
            raise RulebookError(
                "game", f"'{shown(text)}'", f"one of {known}, a variant, or the text of a TOML file"
            )
        return find_rulebook(place)
    if len(text.encode()) > LARGEST_RULEBOOK:
        raise RulebookError("game", "a longer text", f"at most {LARGEST_RULEBOOK:,} bytes")
    try:
        data = parse_toml(text)
    except ValueError as error:
        raise RulebookError("game", f"no TOML: {shown(error, 200)}", "the text of a file") from None
    return rulebook_from_data(data, "yours")


def _solved(game: Game, start: Position) -> Solution:
    _check_size(game, start)
    return solve(game, start)


def _audited(rulebook: Rulebook) -> lab.Audit:
    _check_size(Game(rulebook))
    return lab.audit(rulebook, everything=True)


def _check_size(game: Game, start: Position | None = None) -> None:
    """TooLarge for a rulebook that would keep everybody waiting for long."""
    explore_by_engine(game, start or game.start(), MOST_PLAIN)


def _plain(document: object) -> ToolAnswer:
    found = documents.plain_data(document)
    assert isinstance(found, dict)
    return found
