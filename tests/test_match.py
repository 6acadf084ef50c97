"""A live game: what it keeps, what it writes, and what each side may see."""

from dataclasses import replace

import pytest

from lineduel import Game, Record, Session, find_rulebook, parse_move, read_record, write_record
from lineduel.errors import InvalidPosition, RecordError
from lineduel.record import parse_position

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
        Session(game, parse_position("3/3/1"))


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
