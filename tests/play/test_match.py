"""A live game: what it keeps, what it writes, and what each side may see."""

import json
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from lineduel import Game, Record, Session, find_rulebook, parse_move, read_record, write_record
from lineduel.engine import PASS
from lineduel.errors import (
    EngineError,
    InUse,
    InvalidPosition,
    LineduelError,
    RecordError,
    StorageError,
)
from lineduel.match import (
    Hold,
    Match,
    MatchSettings,
    Saves,
    game_file,
    saves,
)
from lineduel.narration import MoveLog
from lineduel.play import (
    AskUndo,
    Awaited,
    ChooseNumber,
    GameNews,
    GameView,
    Intent,
    LiveGame,
    PlayMove,
    Redo,
    Resign,
    Sides,
    SlowWork,
    Turn,
)
from lineduel.players import seat_player
from lineduel.record import parse_position
from lineduel.rules import Rulebook, Side
from lineduel.solve import Cache
from support.repetition import tried
from support.screens import HUSH
from support.strategies import battle_rulebooks, rulebooks

OPENING = ("P1+1", "P2+1", "P1+1", "P2+1")
"""Four steps of Flag Chase, and both pieces stand on cell 3."""


def flag_chase(*moves: str) -> Session:
    """A game of Flag Chase after these moves."""
    session = Session(Game(find_rulebook("flag-chase")))
    for move in moves:
        session.play(parse_move(move))
    return session


# Sessions and their records


def test_sessions_share_a_game() -> None:
    """Each has its own turns; what was worked out about positions is there for both."""
    game = Game(find_rulebook("cross-over"))
    one, two = Session(game), Session(game)
    one.play(parse_move("P1-B+2"))
    assert (len(one.turns), len(two.turns)) == (1, 0)
    assert one.game is two.game is game
    record = one.record()
    assert Session.from_record(record, game).game is game


def test_a_session_refuses_a_start_that_the_rulebook_cannot_have() -> None:
    game = Game(find_rulebook("cross-over"))
    with pytest.raises(InvalidPosition):
        Session(game, parse_position("3/3/1").unchecked())


def test_a_record_is_not_taken_for_that_of_another_game() -> None:
    record = flag_chase(*OPENING).record()
    with pytest.raises(RecordError, match="flag-chase, not by those of cross-over"):
        Session.from_record(record, Game(find_rulebook("cross-over")))


def test_writing_a_running_game_does_not_play_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The session knows its positions, and a record that was read knows them, too."""
    session = flag_chase(*OPENING)
    expected = write_record(
        Record(
            rulebook=session.rulebook,
            start=session.start,
            moves=tuple(turn.move for turn in session.turns),
            tags=session.record().tags,
        )
    )
    read = read_record(expected)

    def play(*_: object) -> None:
        raise AssertionError("played again")

    monkeypatch.setattr(Game, "play", play)
    assert write_record(session.record()) == expected
    assert write_record(read) == expected


def test_a_changed_record_forgets_what_the_old_one_knew() -> None:
    record = flag_chase(*OPENING).record()
    shorter = replace(record, moves=record.moves[:2])
    assert shorter.positions() == record.positions()[:3]
    assert record == read_record(write_record(record))


# Every verb writes the game


def noon() -> datetime:
    return datetime(2026, 1, 2, 12)


def match_of(session: Session, folder: Path) -> Match:
    return Match(session, Saves(folder), clock=noon)


def play(match: Match, move: str) -> tuple[Turn, ...]:
    return match.perform(PlayMove(parse_move(move), match.session.plies))


def choose(match: Match, side: Side, number: int) -> tuple[Turn, ...]:
    return match.perform(ChooseNumber(number, match.session.plies, side))


def on_disk(match: Match) -> list[str]:
    """The moves in the file of a game, and who has won it."""
    assert match.file.path is not None
    record = read_record(match.file.path.read_text(encoding="utf-8"))
    return [*map(str, record.moves), str(record.winner or "*")]


def test_every_verb_writes_the_game_and_gives_back_its_turn(tmp_path: Path) -> None:
    """Play, choose, undo and resign; the store and the clock are those that came in."""
    match = match_of(flag_chase(), tmp_path)
    for move in OPENING:
        assert play(match, move) == match.session.turns[-1:]
    assert match.file.path == tmp_path / "2026-01-02-120000-flag-chase.duel"
    assert on_disk(match) == [*OPENING, "*"]
    assert choose(match, Side.TWO, 4) == ()
    assert on_disk(match) == [*OPENING, "*"]
    assert choose(match, Side.ONE, 2) == match.session.turns[-1:]
    assert on_disk(match) == [*OPENING, "2:4", "*"]
    assert match.perform(AskUndo()) == ()
    assert on_disk(match) == [*OPENING, "*"]
    match.perform(Resign(Side.ONE))
    assert on_disk(match) == [*OPENING, "2"]
    match.perform(AskUndo())
    assert on_disk(match) == [*OPENING, "*"]
    assert [str(turn.move) for turn in match.perform(Redo())] == ["2:4"]
    assert on_disk(match) == [*OPENING, "2:4", "*"]
    match.forfeit(Side.TWO)
    assert on_disk(match) == [*OPENING, "2:4", "1"]
    match.close()


def test_solutions_are_kept_only_in_the_cache_that_came_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without one advice touches no file."""
    monkeypatch.setenv("LINEDUEL_CACHE", str(tmp_path / "of-the-user"))
    without = Match(flag_chase(), Saves(tmp_path / "games"))
    assert without.adviser.moves(without.session.position)
    assert list(tmp_path.iterdir()) == []
    kept = Match(
        flag_chase(), Saves(tmp_path / "games"), MatchSettings(cache=Cache(tmp_path / "kept"))
    )
    assert kept.adviser.moves(kept.session.position)
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    kinds = sorted(path.suffix for path in (tmp_path / "kept").iterdir())
    assert kinds == [".chances", ".txt"]


def test_a_new_player_does_not_take_over_the_name_of_the_one_before(tmp_path: Path) -> None:
    """Unless one is given; who stays keeps the name."""
    session = Session(Game(find_rulebook("cross-over")), names=("Ann", "Bob"))
    match = match_of(session, tmp_path)
    match.perform(PlayMove(session.moves[0], 0))
    match.close()
    path = match.file.path
    assert path is not None
    for names, expected in (({}, ("Ann", None)), ({Side.TWO: "Cleo"}, ("Ann", "Cleo"))):
        again = Match.resume(
            path, Saves(tmp_path), copy=True, seats={Side.TWO: "level:1"}, names=names
        )
        assert again.session.names == expected
        again.close()


def test_a_forced_pass_is_a_verb_too(tmp_path: Path) -> None:
    game = Game(find_rulebook("blockade-duel:from-bases-no-jump"))
    match = match_of(Session(game, parse_position("5/6/2").unchecked()), tmp_path)
    assert match.session.awaits is Awaited.PASS
    assert [turn.move for turn in match.act(Side.TWO, PASS)] == [PASS]
    assert on_disk(match)[0] == "pass"
    match.close()


def test_what_a_game_waits_for(tmp_path: Path) -> None:
    """A move, then the numbers that are still missing, then nothing."""
    match = match_of(flag_chase(), tmp_path)
    for move in OPENING:
        assert (match.session.awaits, len(match.session.people_asked)) == (Awaited.MOVE, 1)
        play(match, move)
    assert (match.session.awaits, match.session.people_asked) == (
        Awaited.NUMBER,
        (Side.ONE, Side.TWO),
    )
    choose(match, Side.ONE, 5)
    assert (match.session.awaits, match.session.people_asked) == (Awaited.NUMBER, (Side.TWO,))
    match.perform(Resign(Side.TWO))
    assert (match.session.awaits, match.session.people_asked) == (Awaited.NOTHING, ())
    match.close()
    programs = Session(Game(find_rulebook("flag-chase")), seats=("level:1", "level:1"))
    assert match_of(programs, tmp_path).session.awaits is Awaited.PROGRAM


def test_news_about_saving_is_told_once(tmp_path: Path) -> None:
    """When it fails, and when it works again; a number is tried again with everything else."""
    blocked = tmp_path / "games"
    blocked.touch()
    match = match_of(flag_chase(), blocked)
    for move in OPENING:
        play(match, move)
    assert (match.file.news() or "").startswith("The game is not saved: ")
    assert match.file.news() is None
    blocked.unlink()
    choose(match, Side.ONE, 5)
    assert match.file.news() == "The game is saved again."
    assert on_disk(match) == [*OPENING, "*"]
    match.close()
    assert match.file.path is not None
    assert Match.resume(match.file.path, Saves(blocked)).session.chosen == (Side.ONE,)


def test_a_game_without_moves_leaves_nothing_behind(tmp_path: Path) -> None:
    """Undone to its start, it is removed, and what was kept beside it."""
    match = match_of(flag_chase(), tmp_path)
    for move in OPENING:
        play(match, move)
    choose(match, Side.TWO, 4)
    for _ in range(5):
        match.perform(AskUndo())
    assert not list(tmp_path.iterdir())
    match.close()


# What each side may see


AUDIENCES = (frozenset[Side](), *(frozenset({side}) for side in Side), frozenset(Side))


def as_json(view: GameView) -> str:
    """The whole view as text, positions and moves in notation."""
    return json.dumps(view._asdict(), default=str, ensure_ascii=False)


@given(playing=battle_rulebooks() | rulebooks(), seed=st.integers(0, 2**32))
@settings(max_examples=40)
def test_a_view_tells_nothing_of_a_number_that_is_still_secret(
    playing: Rulebook, seed: int
) -> None:
    """It is the same whatever the other has chosen, and differs from before only in who has."""
    game, rng = Game(playing), Random(seed)
    session = Session(game)
    for _ in range(30):
        moves = game.moves(session.position)
        if not moves:
            break
        if session.position.battle is not None:
            check_views_in_battle(session)
        session.play(rng.choice(moves))
        for sides in AUDIENCES:
            check_view(session, sides)


def check_view(session: Session, sides: Sides) -> None:
    """What somebody may do is what they are asked for, and nothing when they are not."""
    view = LiveGame(session).view(sides)
    assert bool(view.moves or view.numbers) == (not sides.isdisjoint(session.asked))
    if view.moves:
        assert view.moves == session.game.moves(session.position)
    assert view.is_over == (session.winner is not None)


def check_views_in_battle(session: Session) -> None:
    live = LiveGame(session)
    for chooser in Side:
        for sides in AUDIENCES:
            before = live.view(sides)
            seen = set()
            for number in session.numbers(chooser):
                session.choose(chooser, number)
                after = live.view(sides)
                seen.add((repr(after), as_json(after)))
                session.take_back_to(session.plies)
                numbers = session.numbers(chooser.other) if chooser.other in sides else ()
                expected = before._replace(
                    asked=(chooser.other,),
                    chosen=(chooser,),
                    numbers=numbers,
                    can_undo=after.can_undo,
                )
                assert after == expected
            assert len(seen) == 1


HUSH_SECRET = 9


@pytest.mark.parametrize("chooser", Side)
@pytest.mark.parametrize("seed", range(20))
def test_a_secret_is_nowhere_in_any_view(tmp_path: Path, seed: int, chooser: Side) -> None:
    """In random games of a rulebook in which no 9 is seen but in a battle, log and all."""
    path = tmp_path / "hush.toml"
    path.write_text(HUSH, encoding="utf-8")
    game, rng = Game(find_rulebook(str(path))), Random(seed)
    match = match_of(Session(game), tmp_path)
    for _ in range(8):  # the log numbers the moves
        position = match.session.position
        if position.battle is not None:
            choose(match, chooser, HUSH_SECRET)
            for sides in AUDIENCES:
                view = match.live.view(sides)._replace(numbers=())
                assert str(HUSH_SECRET) not in repr(view).replace(str(path), "")
                assert str(HUSH_SECRET) not in as_json(view).replace(str(path), "")
            assert str(HUSH_SECRET) not in repr(MoveLog(match.narrator).entries(match.session))
            match.perform(AskUndo())
        quiet = [one for one in game.moves(position) if str(HUSH_SECRET) not in str(one)]
        if not quiet:
            break
        match.session.play(rng.choice(quiet))
    match.close()


def logged_moves(match: Match) -> list[str]:
    return [entry.move for entry in MoveLog(match.narrator).entries(match.session)]


def test_a_view_has_what_can_be_done_and_the_outcome(tmp_path: Path) -> None:
    match = match_of(flag_chase(), tmp_path)
    for move in OPENING:
        play(match, move)
    choose(match, Side.ONE, 5)
    view = match.live.view(frozenset({Side.TWO}))
    assert (view.asked, view.chosen) == ((Side.TWO,), (Side.ONE,))
    assert (view.moves, view.numbers) == ((), (1, 2, 3, 4, 5))
    for sides in (frozenset[Side](), frozenset({Side.ONE})):
        assert not match.live.view(sides).numbers
    choose(match, Side.TWO, 2)
    assert logged_moves(match) == [
        *OPENING,
        "5:2",
    ]
    assert match.session.chosen == ()
    match.perform(Resign(Side.ONE))
    assert (match.session.winner, match.live.is_over) == (Side.TWO, True)
    match.perform(AskUndo())
    assert match.session.winner is None
    match.perform(AskUndo())
    assert logged_moves(match) == list(OPENING)
    match.close()


# Its file, whatever happens


def state_of(session: Session) -> tuple[object, ...]:
    return session.played, dict(session.secret_numbers), session.resigned, session.winner


@tried(8, 400)
def test_a_game_goes_on_from_its_file_whatever_happened_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    """Moves, numbers, undos and failed writes in any order; then it is closed, and is as last kept.

    Meanwhile nobody else can open it. Who takes over a seat does not get the number chosen there.
    """
    failing: set[str] = set()

    def may_fail(name: str, original: Any) -> Any:
        def do(*given: Any, **named: Any) -> Any:
            if name in failing:
                raise StorageError("The disk is full.")
            return original(*given, **named)

        return do

    for module, name in ((game_file, "save"), (saves, "save"), (game_file, "keep_numbers")):
        monkeypatch.setattr(module, name, may_fail(name, getattr(module, name)))
    for seed in range(times):
        chance, folder = Random(seed), tmp_path / str(seed)
        match = match_of(flag_chase("P1+1", "P2+1", "P1+1"), folder)
        for _ in range(40):
            session, number = match.session, chance.randint(1, 5)
            before = state_of(session)
            what: list[Intent] = [AskUndo(), Redo(), ChooseNumber(number, session.plies)]
            if session.moves and session.position.battle is None:
                what += [PlayMove(chance.choice(session.moves), session.plies)] * 2
            what += [Resign()] if chance.random() < 0.1 else []
            failing.update(chance.sample(["save", "keep_numbers"], chance.choice((0, 0, 0, 1, 2))))
            with suppress(LineduelError):
                match.perform(chance.choice(what))
            was_full = bool(failing)
            failing.clear()
            path, kept = match.file.path, state_of(session)
            if was_full or kept == before or path is None or not path.exists():
                continue
            assert match.file.is_kept
            with pytest.raises(InUse):
                Hold(path)
            if chance.random() < 0.3:
                match.close()
                changed = chance.choice([{}, {Side.ONE: "level:1"}, {Side.TWO: "level:1"}])
                match = Match.resume(path, Saves(folder), seats=changed)
                moves, numbers, *rest = kept
                assert isinstance(numbers, dict)
                left = {side: one for side, one in numbers.items() if side not in changed}
                assert state_of(match.session) == (moves, left, *rest), seed
                for side in changed:
                    match.session.hand_over(side, "human")
                match.file.keep()
        match.close()


class Later(SlowWork):
    """Work that is done when a test says so."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Any, Any, Any]] = []

    def ask(self, work: Any, then: Any, failed: Any) -> None:
        self.waiting.append((work, then, failed))


@pytest.mark.parametrize("fails", [False, True])
def test_what_a_program_says_to_a_question_that_was_taken_back_does_not_count(
    tmp_path: Path, fails: bool
) -> None:
    """Neither its move nor that it failed, which would lose it the game."""
    session = Session(Game(find_rulebook("flag-chase")), seats=("human", "level:1"))
    match, later, news = match_of(session, tmp_path), Later(), list[GameNews]()
    match.listen(news.append, later)
    later.waiting.clear()
    match.ask(PlayMove(parse_move("P1+1"), 0))
    match.go_on()
    [(_, then, failed)] = later.waiting
    match.ask(AskUndo())
    heard = len(news)
    if fails:
        failed(EngineError("The engine ended."))
    else:
        then(parse_move("P2+1"))
    assert (session.plies, session.forfeited, len(news)) == (0, None, heard)
    match.ask(PlayMove(parse_move("P1+1"), 0))
    match.go_on()
    _, then, failed = later.waiting[-1]
    if fails:
        failed(EngineError("The engine ended."))
    else:
        then(parse_move("P2+1"))
    assert (session.plies, session.forfeited) == ((1, Side.TWO) if fails else (2, None))
    match.close()


def test_a_program_takes_its_seat_once_however_often_somebody_listens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An engine that was started twice would never be closed."""
    seated: list[str] = []

    def note(name: str, *given: Any, **named: Any) -> Any:
        seated.append(name)
        return seat_player(name, *given, **named)

    monkeypatch.setattr("lineduel.match.match.seat_player", note)
    session = Session(Game(find_rulebook("flag-chase")), seats=("level:1", "level:2"))
    match = match_of(session, tmp_path)
    for _ in range(2):
        match.listen(lambda news: None)
        match.think(Side.ONE)
    assert seated == ["level:1", "level:2"]
    match.close()
