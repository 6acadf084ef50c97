"""What holds in every duel: in the shipped games, in all their variants, in any other rulebook.

A law takes some play of some game. All laws are tried on seeded play of every shipped game and
variant, and on play of random rulebooks.
"""

import copy
import gc
import json
import pickle
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from lineduel.engine import (
    PASS,
    BattleOpened,
    BattleSettled,
    Captured,
    Event,
    Game,
    HandFilled,
    Move,
    Moved,
    MovesAgain,
    Numbers,
    Pass,
    Passed,
    Position,
    SentHome,
    Stayed,
    Step,
    Victory,
    Won,
    check_position,
    game as engine,
)
from lineduel.errors import IllegalMove, NotNow
from lineduel.narration import read_answer
from lineduel.play import AskUndo, LiveGame, Redo, Session
from lineduel.record import Record, parse_move, read_position, read_record, write_record
from lineduel.rulebooks import find_rulebook
from lineduel.rules import (
    Meeting,
    Rulebook,
    Side,
    apply_changes,
    rulebook_data,
    rulebook_from_data,
)
from lineduel.rules.assignments import format_rules, parse_rules
from oracles.naive import Naive
from support.strategies import (
    ALL_GAMES,
    Played,
    games_under_way,
    mirrored,
    mirrored_move,
    mirrored_position,
    play_out,
    reachable,
    rulebook_data as random_rulebook_data,
    rulebooks,
)

PLAYS = 12
LENGTH = 60
MANY = 2500
TAGS = (("Player1", "human"), ("Player2", 'A "quoted" \\ name'), ("Date", "2024.02.29"))


# Undo, records and text forms


def undo_restores_every_position(played: Played) -> None:
    """Taking moves back goes through the same positions in the other direction, to the start."""
    live = LiveGame(_session(played))
    session = live.session
    while any(turn.move != PASS for turn in session.turns):
        before = session.turns
        live.perform(AskUndo(), session.people)
        kept = session.plies
        assert session.turns == before[:kept]
        assert session.position == played.positions[kept]
        assert before[kept].move != PASS
        assert all(turn.move == PASS for turn in before[kept + 1 :])
    with pytest.raises(NotNow):
        live.perform(AskUndo(), session.people)


def a_move_taken_back_can_be_played_again(played: Played) -> None:
    """After undo the same moves lead to the same end, in the same way."""
    live = LiveGame(_session(played))
    turns = live.session.turns
    if any(turn.move != PASS for turn in turns):
        live.perform(AskUndo(), live.session.people)
        assert live.can_redo
        live.perform(Redo(), live.session.people)
    assert live.session.turns == turns
    assert live.session.position == played.last


def a_record_survives_writing_and_reading(played: Played) -> None:
    """Rules, moves, tags and result come back as they were, however the game ended, or did not."""
    record = Record(
        rulebook=played.game.rulebook, start=played.start, moves=played.moves, tags=TAGS
    )
    endings: list[dict[str, Side]] = [{}]
    if record.winner is None:
        endings += [{how: side} for how in ("resigned", "forfeited") for side in Side]
    for ending in endings:
        written = replace(record, **ending)  # type: ignore[arg-type]
        read = read_record(write_record(written))
        assert replace(read, rulebook=written.rulebook) == written
        assert read.rulebook.rules == written.rulebook.rules
        assert read.rulebook.words == written.rulebook.words
        assert (read.rulebook.id, read.rulebook.title) == (
            written.rulebook.id,
            written.rulebook.title,
        )
        assert read.winner == written.winner
        assert write_record(read) == write_record(written)


def a_record_can_begin_anywhere(played: Played) -> None:
    """A game taken up in the middle is recorded from there, an open battle included."""
    for at in {0, len(played.moves) // 2, len(played.moves)}:
        record = Record(
            rulebook=played.game.rulebook, start=played.positions[at], moves=played.moves[at:]
        )
        text = write_record(record)
        assert read_record(text).positions() == played.positions[at:]
        assert write_record(read_record(text)) == text


def a_session_goes_on_from_its_record(played: Played) -> None:
    """A game that was left and taken up again is the same game."""
    session = _session(played)
    again = Session.from_record(read_record(write_record(session.record())))
    assert again.turns == session.turns
    assert again.winner == session.winner
    assert again.asked == session.asked
    assert again.times == session.times
    assert write_record(again.record()) == write_record(session.record())


def numbers_stay_secret_until_both_are_chosen(played: Played) -> None:
    """A battle chosen number by number is the battle played at once, and nothing shows between."""
    session = Session(played.game, played.start)
    for position, move in zip(played.positions, played.moves, strict=False):
        if not isinstance(move, Numbers):
            session.play(move)
            continue
        before = (session.turns, write_record(session.record()))
        for side, number in ((Side.TWO, move.player2), (Side.ONE, move.player1)):
            assert session.asked == tuple(Side)
            assert session.choose(side, number) is None
            assert session.asked == (side.other,)
            assert (session.turns, write_record(session.record())) == before
            with pytest.raises(NotNow):
                session.choose(side, number)
            session.take_back_to(session.plies)
            assert session.position == position
        session.choose(Side.TWO, move.player2)
        with pytest.raises(IllegalMove):
            session.choose(Side.ONE, 0)
        turn = session.choose(Side.ONE, move.player1)
        assert turn is not None
        assert turn.move == move
    assert session.position == played.last
    if session.position.battle is None:
        with pytest.raises(NotNow):
            session.choose(Side.ONE, 1)


def positions_survive_their_text(played: Played) -> None:
    """Reading what was written gives the same position."""
    for position in played.positions:
        assert read_position(played.game, str(position)) == position


def moves_survive_their_text(played: Played) -> None:
    """Reading what was written gives the same move, also at the prompt and in small letters."""
    for position in played.positions:
        for move in played.game.moves(position):
            assert parse_move(str(move)) == move
            assert read_answer(played.game, position, str(move)) == move
            assert read_answer(played.game, position, f" {str(move).lower()} \n") == move


# Moves


def only_legal_moves_are_accepted(played: Played) -> None:
    """Every legal move is played; every other is refused with the reason, and nothing changes."""
    game = played.game
    candidates = _every_move(game)
    for position in _sample(played.positions):
        legal = game.moves(position)
        assert set(legal) <= set(candidates)
        assert len(set(legal)) == len(legal)
        for move in candidates:
            before = (position, str(position), hash(position))
            if move in legal:
                assert game.play(position, move) != position
            else:
                with pytest.raises(IllegalMove) as refusal:
                    game.play(position, move)
                with pytest.raises(IllegalMove):
                    game.events(position, move)
                assert refusal.value.move == move
                assert refusal.value.position == position
                assert refusal.value.legal == legal
                assert "\n" not in str(refusal.value)
                assert "None" not in str(refusal.value)
            assert (position, str(position), hash(position)) == before
            assert game.moves(position) == legal


def moves_are_empty_exactly_when_the_game_is_over(played: Played) -> None:
    """There is a winner or there is something to do, never both and never neither."""
    for position in played.positions:
        assert bool(played.game.moves(position)) == (played.game.outcome(position) is None)


def at_most_one_player_has_won(played: Played) -> None:
    """The pieces never show two winners, and the one they show is the outcome."""
    game = played.game
    for position in played.positions:
        shown = {
            side
            for side in Side
            if sum(
                cell in game.rules.team(side).goal and cell != position.battle
                for cell in position.cells(side)
            )
            >= game.rules.team(side).goal_needs
            or not any(cell is not None for cell in position.cells(side.other))
        }
        if set(position.player1 + position.player2) == {None}:  # the side that did not attack
            shown = {position.side}
        assert len(shown) <= 1
        if shown:
            assert shown == {game.outcome(position)}
        elif game.outcome(position) is not None:
            landed = game.rules.meet.enemy is Meeting.WINS and position.shared_cells()
            assert landed or game.rules.stuck == "loses"


def a_pass_is_forced(played: Played) -> None:
    """A turn is passed only where there is nothing else to do, and then there is nothing else."""
    for position in played.positions:
        moves = played.game.moves(position)
        assert PASS not in moves or moves == (PASS,)


def turns_alternate(played: Played) -> None:
    """After each move the other side is to move, unless the same one is told to move again.

    A battle's numbers are nobody's turn.
    """
    for (before, after), move in zip(pairwise(played.positions), played.moves, strict=True):
        fought = isinstance(move, Numbers)
        events = played.game.events(before, move)
        again = any(isinstance(event, MovesAgain) for event in events)
        assert after.side is (before.side if fought or again else before.side.other)
        assert not again or after.cells(after.side.other) != before.cells(after.side.other)
        assert not again or PASS not in played.game.moves(after)
        assert fought == (before.battle is not None)


def reached_positions_are_valid(played: Played) -> None:
    """Whatever play can reach may be given as a position."""
    for position in played.positions:
        check_position(played.game.rules, position)


# Values and pure functions


def play_is_pure(played: Played) -> None:
    """The same question has the same answer: asked twice, of an equal position, of a new game."""
    game, fresh = played.game, Game(played.game.rulebook)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "MOST_REMEMBERED", 3)
        forgetful = Game(played.game.rulebook)
        for position in _sample(played.positions):
            twin = replace(position)
            assert twin is not position
            expected = _all_answers(game, position)
            for asked, where in (
                (game, position),
                (game, twin),
                (fresh, position),
                (fresh, twin),
                (forgetful, twin),
                (forgetful, position),
                (game, position),
            ):
                assert _all_answers(asked, where) == expected


def positions_are_values(played: Played) -> None:
    """Equal positions have one hash, whatever a game has remembered of them, and can be copied."""
    for position in _sample(played.positions):
        played.game.moves(position)
        twin = replace(position)
        twins = (
            twin,
            copy.copy(position),
            copy.deepcopy(position),
            pickle.loads(pickle.dumps(position)),
            replace(position),
        )
        for one in twins:
            assert one == position
            assert hash(one) == hash(position)
            assert repr(one) == repr(position)
            assert _all_answers(played.game, one) == _all_answers(played.game, position)
        others = {
            replace(position, side=position.side.other),
            replace(position, battle=None if position.battle is not None else 99),
            replace(position, player1=(*position.player1, 99)),
            replace(position, player2=(*position.player2, 99)),
        }
        if position.hands is not None:
            others.add(replace(position, hands=(position.hands[0], (1, 99))))
            others.add(replace(position, hands=None))
        assert position not in others
        assert len(others) == (4 if position.hands is None else 6)
        with pytest.raises(AttributeError):
            position.side = position.side.other  # type: ignore[misc]


# Events


def events_tell_all_that_changed(played: Played) -> None:
    """Each piece on another cell has one event that says so; victory is told when it is won."""
    game = played.game
    for (before, after), move in zip(pairwise(played.positions), played.moves, strict=True):
        events = game.events(before, move)
        cells = _cells_by_piece(game, before)
        changed = []
        for event in events:
            name = _changes(event, cells, game)
            if name is not None:
                changed.append(name)
        assert cells == _cells_by_piece(game, after)
        assert sorted(changed) == sorted(
            name
            for name, cell in _cells_by_piece(game, before).items()
            if cell != game.cell_of(after, name)
        )
        _check_kinds(game, before, move, after, events)


def _cells_by_piece(game: Game, position: Position) -> dict[str, int | None]:
    return {
        piece.name: game.cell_of(position, piece.name)
        for side in Side
        for piece in game.rules.team(side).pieces
    }


def _changes(event: Event, cells: dict[str, int | None], game: Game) -> str | None:
    """Carry out what an event tells; the name of the piece that it moved."""
    match event:
        case Moved(side, piece, step, start, end):
            assert game.owner(piece) is side
            assert cells[piece] == start != end == start + side.direction * step
            cells[piece] = end
        case Captured(side, piece, cell):
            assert game.owner(piece) is side
            assert cells[piece] == cell
            cells[piece] = None
        case SentHome(side, piece, start, home):
            assert game.owner(piece) is side
            assert cells[piece] == start != home
            assert home in [one.home for one in game.rules.team(side).pieces if one.name == piece]
            cells[piece] = home
        case Stayed(side, piece, _, cell):
            assert game.owner(piece) is side
            assert cells[piece] == cell
            return None
        case Passed() | MovesAgain() | BattleOpened() | BattleSettled() | HandFilled() | Won():
            return None
    return piece


def _check_kinds(
    game: Game, before: Position, move: Move, after: Position, events: tuple[Event, ...]
) -> None:
    """What is told first fits the move, a battle is told as it opens, and victory comes last."""
    first = events[0]
    match move:
        case Pass():
            assert isinstance(first, Passed)
            assert events == (Passed(before.side),)
        case Numbers(one, two):
            assert isinstance(first, BattleSettled)
            assert (first.cell, first.number1, first.number2) == (before.battle, one, two)
        case Step(piece, step):
            assert isinstance(first, Moved | Stayed)
            assert (first.side, first.piece, first.step) == (before.side, piece, step)
            assert isinstance(first, Moved) or after.cells(before.side) == before.cells(before.side)
    filled = [event.side for event in events if isinstance(event, HandFilled)]
    assert filled == [
        side
        for side in Side
        if before.hands and isinstance(move, Numbers) and len(before.hands[side - 1]) == 1
    ]
    opened = [event.cell for event in events if isinstance(event, BattleOpened)]
    assert opened == ([] if after.battle is None else [after.battle])
    won = [event for event in events if isinstance(event, Won)]
    assert [event.side for event in won] == [side for side in Side if side is game.outcome(after)]
    for event in won:
        assert event is events[-1]
        if event.victory is Victory.CAPTURED_ALL:
            assert set(after.cells(event.side.other)) == {None} != set(after.cells(event.side))
        elif event.victory is Victory.STUCK:
            assert after.side is event.side.other
        elif event.victory is Victory.BOTH_GONE:
            assert set(after.player1 + after.player2) == {None}
        else:
            assert event.piece is not None
            assert game.owner(event.piece) is event.side
            assert game.cell_of(after, event.piece) == event.cell
        if event.victory is Victory.GOAL:
            assert event.cell in game.rules.team(event.side).goal
        if event.victory is Victory.LANDED:
            assert event.cell in after.cells(event.side.other)


# Symmetry, and a second opinion


def the_mirrored_game_mirrors_every_move(played: Played) -> None:
    """With players swapped and the track turned round, everything happens the other way round."""
    game, mirror = played.game, Game(mirrored(played.game.rulebook))
    assert mirror.start(played.start.side.other) == mirrored_position(played.start)
    for position in _sample(played.positions):
        other = mirrored_position(position)
        winner = game.outcome(position)
        assert mirror.outcome(other) == (winner and winner.other)
        moves, opposite = game.moves(position), mirror.moves(other)
        assert sorted(opposite) == sorted(mirrored_move(move) for move in moves)
        for move in moves:
            after = mirror.play(other, mirrored_move(move))
            assert after == mirrored_position(game.play(position, move))


def the_plain_reading_of_the_rules_agrees(played: Played) -> None:
    """A second, naive implementation has the same moves, positions and outcome all the way."""
    naive = Naive(rulebook_data(played.game.rulebook))
    board = naive.start(played.start.side)
    for position, move in zip(played.positions, (*played.moves, None), strict=True):
        assert str(board) == str(position)
        assert board.won == played.game.outcome(position)
        moves = naive.moves(board)
        assert moves == [str(one) for one in played.game.moves(position)]
        for one, text in zip(played.game.moves(position), moves, strict=True):
            after = naive.play(board, text)
            assert str(after) == str(played.game.play(position, one))
            assert after.won == played.game.outcome(played.game.play(position, one))
        if move is not None:
            board = naive.play(board, str(move))


LAWS: tuple[Callable[[Played], None], ...] = (
    undo_restores_every_position,
    a_move_taken_back_can_be_played_again,
    a_record_survives_writing_and_reading,
    a_record_can_begin_anywhere,
    a_session_goes_on_from_its_record,
    numbers_stay_secret_until_both_are_chosen,
    positions_survive_their_text,
    moves_survive_their_text,
    only_legal_moves_are_accepted,
    moves_are_empty_exactly_when_the_game_is_over,
    at_most_one_player_has_won,
    a_pass_is_forced,
    turns_alternate,
    reached_positions_are_valid,
    play_is_pure,
    positions_are_values,
    events_tell_all_that_changed,
    the_mirrored_game_mirrors_every_move,
    the_plain_reading_of_the_rules_agrees,
)
every_law = pytest.mark.parametrize("law", LAWS, ids=[law.__name__ for law in LAWS])
every_game = pytest.mark.parametrize("address", ALL_GAMES)


@every_game
@every_law
def test_shipped_games_keep_the_law(law: Callable[[Played], None], address: str) -> None:
    """Seeded play of every shipped game and variant, from either side where that is open."""
    for played in _plays(address):
        law(played)


@given(played=games_under_way())
@settings(max_examples=200)
def test_random_rulebooks_keep_every_law(played: Played) -> None:
    """Any rulebook that the vocabulary can say; a law that fails is named in the traceback."""
    for law in LAWS:
        law(played)


@every_game
def test_the_plain_reading_of_the_rules_agrees_everywhere(address: str) -> None:
    """Position by position, over all that can be reached in a shipped game, or thousands of it."""
    rulebook = find_rulebook(address)
    assert _compared(rulebook, MANY) == len(reachable(Game(rulebook), MANY))


@given(rulebook=rulebooks())
def test_the_plain_reading_agrees_on_random_rulebooks(rulebook: Rulebook) -> None:
    """The same over the nearest positions of any rulebook."""
    _compared(rulebook, 60)


@every_game
def test_every_reachable_position_is_valid_and_has_a_text(address: str) -> None:
    """All that play can reach in a shipped game may be written down and given back."""
    game = Game(find_rulebook(address))
    positions = reachable(game, MANY)
    for position in positions:
        assert read_position(game, str(position)) == position
    assert len({str(position) for position in positions}) == len(positions)


# Rulebooks as data


@given(data=random_rulebook_data())
def test_a_rulebook_survives_as_data_and_as_one_line(data: dict[str, Any]) -> None:
    """What is read from a rulebook's data is all that is in it, also as assignments in a line."""
    rulebook = rulebook_from_data(data, "random")
    written = rulebook_data(rulebook)
    assert {key: written[key] for key in data} == data
    assert rulebook_from_data(written, "random") == rulebook
    assert rulebook_from_data(json.loads(json.dumps(written)), "random") == rulebook
    assert parse_rules(format_rules(rulebook.rules)) == rulebook.rules


@every_game
def test_a_shipped_rulebook_survives_as_data(address: str) -> None:
    """The data of a shipped rulebook, read again, is the same rulebook."""
    rulebook = find_rulebook(address)
    again = rulebook_from_data(rulebook_data(rulebook), rulebook.id)
    assert replace(again, variant=rulebook.variant) == rulebook
    assert parse_rules(format_rules(rulebook.rules)) == rulebook.rules
    assert apply_changes(rulebook, {}) == rulebook


@pytest.mark.parametrize("step", [*range(-63, 64)])
def test_every_step_has_a_text_of_its_own(step: int) -> None:
    """From the longest backward to the longest forward, for names that end in digits too."""
    for name in ("A", "P1", "P1-B", "S_12", "P1-1"):
        assert parse_move(str(Step(name, step))) == Step(name, step)
        assert str(Step(name, step)) == (f"{name}+{step}" if step >= 0 else f"{name}{step}")


def test_a_game_forgets_positions_before_they_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However long it is asked, and what it says afterwards is the same."""
    monkeypatch.setattr(engine, "MOST_REMEMBERED", 100)

    def alive() -> int:
        return sum(isinstance(one, Position) for one in gc.get_objects())

    before, seen = alive(), set()
    game, other = (Game(find_rulebook("ctf-soldiers")) for _ in range(2))
    rng, position = Random(3), game.start()
    for _ in range(3000):
        seen.add(str(position))
        if game.outcome(position) is not None:
            position = game.start()
        assert game.moves(position) == other.moves(read_position(other, str(position)))
        position = game.play(position, rng.choice(game.moves(position)))
    gc.collect()
    assert len(seen) > 500
    assert alive() - before < 400


def test_a_record_looks_like_this() -> None:
    """Tags, an empty line, numbered moves, the result: a battle follows the move it is due to."""
    rulebook = find_rulebook("flag-chase")
    game = Game(rulebook)
    texts = ["P2+1", "P1+1", "P2-1", "P1+1", "P2+1", "P1+1", "4:2", "P2-1", "P1+1"]
    record = Record(
        rulebook=rulebook,
        start=read_position(game, "1/5/2"),
        moves=tuple(parse_move(text) for text in texts),
        resigned=Side.ONE,
        tags=(("Player1", "human"),),
    )
    assert write_record(record) == LOOKS


LOOKS = """\
[Game "flag-chase"]
[Title "Flag Chase"]
[Rules "track.first=1; track.last=5; player1.pieces=P1:1; player1.goal=5; \
player2.pieces=P2:5; player2.goal=1; turn.first=player1; move.steps=1,-1; move.edge=stay; \
move.jump=true; meet.own=blocked; meet.enemy=battle; battle.numbers=5; battle.wins=higher"]
[Player1 "human"]
[Position "1/5/2"]
[Result "2"]
[Termination "resignation"]

1... P2+1 2. P1+1 P2-1 3. P1+1 P2+1 4. P1+1 4:2 P2-1 5. P1+1 2
"""


NAMES_OF_TAGS = st.from_regex(r"[A-Za-z][A-Za-z0-9]{0,9}", fullmatch=True).filter(
    lambda name: name not in ("Game", "Title", "Rules", "Words", "Position", "Result")
)


@given(tags=st.dictionaries(NAMES_OF_TAGS, st.text(max_size=20), max_size=3))
def test_a_record_keeps_whatever_its_tags_say(tags: dict[str, str]) -> None:
    """Quotes, backslashes, line ends of every kind: a tag comes back as it was."""
    tags.pop("Termination", None)
    record = _record_with(find_rulebook("cross-over"), tuple(tags.items()))
    assert read_record(write_record(record)).tags == tuple(tags.items())


PRINTABLE = st.text(st.characters(exclude_categories=("Cc", "Cs")) | st.just("\n"), max_size=20)


@given(title=PRINTABLE, prompt=PRINTABLE)
def test_a_record_keeps_its_rulebooks_title_and_words(title: str, prompt: str) -> None:
    """A user's rulebook is kept in the record whatever characters its words are made of."""
    data = rulebook_data(find_rulebook("cross-over"))
    data["title"] = title
    data["words"]["prompt"] = prompt.replace("{", "{{").replace("}", "}}")
    rulebook = rulebook_from_data(data, "mine")
    read = read_record(write_record(_record_with(rulebook, ())))
    assert read.rulebook.title == title
    assert read.rulebook.words == rulebook.words


def _record_with(rulebook: Rulebook, tags: tuple[tuple[str, str], ...]) -> Record:
    return Record(rulebook=rulebook, start=Game(rulebook).start(), moves=(), tags=tags)


@cache
def _plays(address: str) -> list[Played]:
    """Some plays of a game, always the same."""
    rulebook = find_rulebook(address)
    sides = list(Side) if rulebook.rules.first is None else [rulebook.rules.first]
    return [
        play_out(rulebook, sides[number % len(sides)], LENGTH, Random(number))
        for number in range(PLAYS)
    ]


def _session(played: Played) -> Session:
    session = Session(played.game, played.start)
    for move in played.moves:
        session.play(move)
    assert session.position == played.last
    return session


def _sample(positions: tuple[Position, ...]) -> list[Position]:
    """The start, the end, and some on the way: for laws that ask much of each position."""
    return [*dict.fromkeys((*positions[:: max(len(positions) // 6, 1)], positions[-1]))]


def _every_move(game: Game) -> list[Move]:
    """All moves that could be tried: of anybody's pieces and of nobody's, and all numbers."""
    names = [piece.name for side in Side for piece in game.rules.team(side).pieces]
    steps = sorted({*range(-4, 5), *game.rules.all_steps, -63, 63, 64})
    most = game.rules.battle.numbers + 1 if game.rules.battle else 2
    return [
        *(Step(name, step) for name in (*names, "Nobody") for step in steps),
        PASS,
        *(Numbers(one, two) for one in range(most + 1) for two in range(most + 1)),
    ]


def _all_answers(game: Game, position: Position) -> tuple[object, ...]:
    """Everything a game can say about a position."""
    moves = game.moves(position)
    return (
        moves,
        game.outcome(position),
        [game.play(position, move) for move in moves],
        [game.events(position, move) for move in moves],
    )


def _compared(rulebook: Rulebook, most: int) -> int:
    """How many positions the engine and the naive rules were found to agree on."""
    game, naive = Game(rulebook), Naive(rulebook_data(rulebook))
    chance = Random(7)
    pairs = [(game.start(Side(side)), naive.start(side)) for side in naive.beginners]
    seen = {str(board) for _, board in pairs}
    for count in range(most):
        if not pairs:
            return count
        at = chance.randrange(len(pairs))
        pairs[at], pairs[-1] = pairs[-1], pairs[at]
        position, board = pairs.pop()
        assert str(position) == str(board)
        assert game.outcome(position) == board.won
        assert [str(move) for move in game.moves(position)] == naive.moves(board)
        for move in game.moves(position):
            text = str(naive.play(board, str(move)))
            assert str(game.play(position, move)) == text
            if text not in seen:
                seen.add(text)
                pairs.append((game.play(position, move), naive.play(board, str(move))))
    return most
