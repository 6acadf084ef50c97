"""A live game: what is asked for, what happens, and that what happened gives the game again."""

from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given, settings, strategies as st

from lineduel.engine import PASS, Game, Numbers
from lineduel.errors import LineduelError, NotationError, NotNow
from lineduel.play import (
    AnswerUndo,
    AskUndo,
    ChooseNumber,
    ClaimGame,
    Forfeited,
    GiveName,
    Intent,
    LiveEvent,
    LiveGame,
    MovePlayed,
    NumberChosen,
    OfferRematch,
    PassTurn,
    PlayMove,
    Redo,
    Resign,
    Row,
    Session,
    Sides,
    TakeSeatBack,
    event_of_row,
    row_of_event,
)
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Side
from support.strategies import rulebooks

ONE, TWO, BOTH = frozenset({Side.ONE}), frozenset({Side.TWO}), frozenset(Side)


def state(live: LiveGame) -> tuple[Any, ...]:
    """All that can be seen or asked of a game."""
    session = live.session
    return (
        live.version,
        session.record(),
        dict(session.secret_numbers),
        session.winner,
        session.asked,
        session.seats,
        live.undo_asked,
        live.rematch_wanted,
        live.rematch_id,
        live.names,
        live.can_redo,
        live.is_joined,
        live.is_aborted,
        live.program_asked,
        [live.can_undo(sides) for sides in (frozenset(), ONE, TWO, BOTH)],
    )


def any_intent(live: LiveGame, chance: Random) -> Intent:
    """Something that somebody might ask for, sensible or not."""
    session = live.session
    moves = live.session.game.moves(session.position)
    steps = [one for one in moves if not isinstance(one, Numbers)] or [PASS]
    turn = session.plies - (chance.random() < 0.1)
    side = chance.choice([None, None, *Side])
    asked: list[Intent] = [
        *[PlayMove(chance.choice(steps), turn)] * 6,
        *[ChooseNumber(chance.randint(0, 6), turn, side)] * 6,
        PassTurn(turn),
        AskUndo(side),
        AnswerUndo(chance.random() < 0.5),
        *[Redo()] * 2,
        GiveName("Ann", side),
        TakeSeatBack(),
        ClaimGame(chance.choice(["win", "computer", "abort"])),
    ]
    if chance.random() < 0.1:
        asked += [Resign(side), OfferRematch(side)]
    return chance.choice(asked)


def test_anything_can_be_asked_for() -> None:
    """No kind of intent is missing in the law below."""
    live, chance = LiveGame(Session(Game(find_rulebook("flag-chase")))), Random(1)
    drawn = {type(any_intent(live, chance)) for _ in range(2000)}
    assert drawn == set(get_args(Intent))


@settings(max_examples=80)
@given(rulebook=rulebooks(), seed=st.integers(0, 1000), people=st.sampled_from([ONE, BOTH]))
def test_what_happened_gives_the_same_game_again(rulebook: Any, seed: int, people: Sides) -> None:
    """Whatever is asked for by whomever; and what is refused changes nothing."""
    chance, game = Random(seed), Game(rulebook)
    seats = ("human", "human" if people == BOTH else "level:1")
    live = LiveGame(Session(game, seats=seats))
    rows: list[Row] = []
    for _ in range(40):
        by = chance.choice([ONE, TWO, BOTH, BOTH, frozenset()])
        before = state(live)
        try:
            happened = live.perform(any_intent(live, chance), by, away=chance.random() < 0.2)
        except LineduelError:
            assert state(live) == before
            continue
        rows += map(row_of_event, happened)
        secrets = live.session.secret_numbers
        again = LiveGame(
            Session(game, seats=seats), events=map(event_of_row, rows), numbers=secrets
        )
        assert state(again) == state(live)


def test_every_event_is_stored_and_read_again() -> None:
    examples: list[LiveEvent] = []
    for kind in get_args(LiveEvent):
        fields = {
            "side": Side.TWO,
            "move": PASS,
            "plies": 3,
            "player": "level:5",
            "name": "Bob",
            "id": "xyz",
        }
        examples.append(kind(**{name: fields[name] for name in kind._fields}))
    examples.append(MovePlayed(None, Numbers(4, 2)))
    rows = list(map(row_of_event, examples))
    assert list(map(event_of_row, rows)) == examples
    assert len({kind for kind, _, _ in rows}) == len(get_args(LiveEvent))
    with pytest.raises(NotationError, match="'explode' cannot happen in a live game"):
        event_of_row(Row("explode", 1, ""))


def test_a_secret_number_is_in_no_event_until_both_have_chosen() -> None:
    game = Game(find_rulebook("flag-chase"))
    live = LiveGame(Session(game))
    live.session.play(game.moves(game.start())[0])
    for side in (Side.TWO, Side.ONE, Side.TWO):
        position = live.session.position
        if position.battle is None:
            live.perform(PlayMove(game.moves(position)[0], live.session.plies),
                         frozenset({side}))  # fmt: skip
    assert live.session.position.battle is not None
    turn = live.session.plies
    first = live.perform(ChooseNumber(4, turn), ONE)
    assert first == [NumberChosen(Side.ONE)]
    with pytest.raises(NotNow, match="Player 1 has chosen already"):
        live.perform(ChooseNumber(5, turn), ONE)
    assert live.perform(ChooseNumber(2, turn), TWO)[0] == MovePlayed(None, Numbers(4, 2))


def test_after_a_program_failed_taking_back_leads_to_ones_own_turn() -> None:
    """Not to the program's turn, where it would only fail again."""
    game = Game(find_rulebook("cross-over"))
    live = LiveGame(Session(game, seats=("human", "level:1")))
    live.perform(PlayMove(live.session.moves[0], 0), ONE)
    live.happens(Forfeited(Side.TWO))
    assert live.session.winner is Side.ONE
    live.perform(AskUndo(), ONE)
    assert (live.session.plies, live.session.asked, live.is_over) == (0, (Side.ONE,), False)
