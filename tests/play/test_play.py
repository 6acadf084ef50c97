"""A live game: what is asked for, what happens, and that what happened gives the game again."""

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given, settings, strategies as st

from lineduel.engine import PASS, Game, Move, Numbers, Step
from lineduel.errors import LineduelError, NotationError, NotNow
from lineduel.match import Match, Saves
from lineduel.play import (
    AnswerStop,
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
    OfferStop,
    PassTurn,
    PlayMove,
    React,
    Reacted,
    Reaction,
    Redo,
    RematchBegun,
    Resign,
    Row,
    SeatTaken,
    Session,
    Sides,
    TakenBack,
    TakeSeatBack,
    event_of_row,
    row_of_event,
)
from lineduel.record import read_record, write_record
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
        live.view(BOTH).reactions,
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
    undo_to = live.undo_asked.plies if live.undo_asked else None
    asked: list[Intent] = [
        *[PlayMove(chance.choice(steps), turn)] * 6,
        *[ChooseNumber(chance.randint(0, 6), turn, side)] * 6,
        PassTurn(turn),
        *[AskUndo(side)] * 3,
        AnswerUndo(chance.random() < 0.5, chance.choice([None, undo_to, undo_to, session.plies])),
        *[Redo()] * 2,
        GiveName("Ann", side),
        *[React(chance.choice(get_args(Reaction)), side)] * 3,
        TakeSeatBack(),
        ClaimGame(chance.choice(["win", "computer", "abort"])),
    ]
    if live.undo_asked:
        asked += [AnswerUndo(chance.random() < 0.7, undo_to)] * 6
    if live.is_over:
        asked += [OfferRematch(side)] * 9
    elif chance.random() < 0.2:
        asked += [Resign(side), Resign(side)]
    if chance.random() < 0.1:
        asked.append(OfferRematch(side))
    if chance.random() < 0.1:
        asked += [OfferStop(side), AnswerStop(chance.random() < 0.3)]
    return chance.choice(asked)


def may_take_back(live: LiveGame, by: Sides, has_acted: bool, acted: Sides) -> bool:
    """Whether somebody may take back, or ask for it, where these sides have acted."""
    session = live.session
    is_given_up = session.resigned is not None or session.agreed
    if session.people <= by:
        ended = is_given_up or session.forfeited in session.people
        can = ended or acted or by.intersection(session.chosen)
        return bool(can) and not live.is_aborted
    over = live.is_aborted or is_given_up or session.forfeited is not None
    return live.undo_asked is None and not over and has_acted


def may_stop(live: LiveGame, intent: OfferStop | AnswerStop, by: Sides, actor: Side) -> bool:
    """Whether somebody may offer to stop a running game, or answer such an offer."""
    offered = live.stop_offered
    if isinstance(intent, OfferStop):
        return live.is_joined and offered is not actor
    return offered is not None and not (intent.yes and by <= {offered})


def is_allowed(live: LiveGame, intent: Intent, by: Sides, away: bool, said: Counter[Side]) -> bool:
    """Who may ask for what, written a second time; `said` counts the reactions of this turn."""
    session, asked = live.session, live.undo_asked
    people, position = session.people, session.position
    is_running = not live.is_aborted and session.winner is None and not session.agreed
    actor = getattr(intent, "side", None) or (min(by) if len(by) == 1 else position.side)
    acted = {
        side
        for turn in session.turns
        for side in ([turn.before.side] if turn.before.battle is None else Side)
        if turn.move != PASS
    }
    if not by or (actor not in by and not isinstance(intent, ChooseNumber)):
        return False
    is_turn = is_running and live.is_joined and not by.isdisjoint(people)
    is_turn = is_turn and getattr(intent, "turn", None) == session.plies
    match intent:
        case PlayMove(move, _):
            return is_turn and position.side in by and move in session.moves
        case PassTurn():
            return is_turn and position.side in by and PASS in session.moves
        case ChooseNumber(number, _, side):
            free = [one for one in session.asked if one in by]
            chooser = side or (free or sorted(by))[0]
            return is_turn and chooser in free and number in session.numbers(chooser)
        case AskUndo():
            return may_take_back(live, by, actor in acted, by & acted)
        case AnswerUndo(yes, to):
            return (
                asked is not None and to in (None, asked.plies) and not (yes and by <= {asked.side})
            )
        case Redo():
            return live.can_redo and is_running and people <= by
        case Resign():
            return is_running
        case OfferStop() | AnswerStop():
            return is_running and may_stop(live, intent, by, actor)
        case OfferRematch():
            return not is_running and actor not in live.rematch_wanted
        case GiveName() | React():
            can_react = live.is_joined and people == BOTH and said[actor] < 3
            return isinstance(intent, GiveName) or can_react
        case ClaimGame(claim):
            alone = claim == "abort" and (session.stuck or not live.is_joined)
            return is_running and (alone or (len(by) == 1 and away and min(by).other in people))
        case TakeSeatBack():
            return is_running and bool(by - people)


def test_anything_can_be_asked_for() -> None:
    """No kind of intent is missing in the law below."""
    live, chance = LiveGame(Session(Game(find_rulebook("flag-chase")))), Random(1)
    drawn = {type(any_intent(live, chance)) for _ in range(2000)}
    assert drawn == set(get_args(Intent))


@settings(max_examples=80)
@given(rulebook=rulebooks(), seed=st.integers(0, 1000), people=st.sampled_from([ONE, BOTH]))
def test_what_happened_gives_the_same_game_again(rulebook: Any, seed: int, people: Sides) -> None:
    """Whatever is asked for by whomever; what is not allowed is refused, and changes nothing."""
    chance, game = Random(seed), Game(rulebook)
    seats = ("human", "human" if people == BOTH else "level:1")
    is_joined = chance.random() < 0.9
    live = LiveGame(Session(game, seats=seats), is_joined=is_joined)
    rows: list[Row] = []
    undone: list[list[Move]] = []
    """What can be played again, the latest last."""
    said: Counter[Side] = Counter()
    for _ in range(40):
        played = live.session.played
        by = chance.choice([ONE, TWO, BOTH, BOTH, frozenset()])
        before, away, intent = state(live), chance.random() < 0.2, any_intent(live, chance)
        expected = is_allowed(live, intent, by, away, said)
        try:
            happened = live.perform(intent, by, away=away)
        except LineduelError:
            assert not expected, intent
            assert state(live) == before
            continue
        assert expected, intent
        if live.wants_rematch:
            happened += live.happens(RematchBegun("again"))
            assert not live.wants_rematch
        for event in happened:
            match event:
                case TakenBack(_, plies):
                    undone += [list(played[plies:])] if played[plies:] else []
                    played = played[:plies]
                case Reacted(side, _):
                    said[side] += 1
                case MovePlayed(_, move):
                    said.clear()
                    played = (*played, move)
                    if undone and undone[-1].pop(0) != move:
                        undone.clear()
                    undone = [one for one in undone if one]
        assert (live.session.played, live.can_redo) == (played, bool(undone))
        stood = [live.session.start, *(turn.after for turn in live.session.turns)]
        assert live.session.times == stood.count(live.session.position)
        rows += map(row_of_event, happened)
        secrets = live.session.secret_numbers
        again = LiveGame(
            Session(game, seats=seats),
            is_joined=is_joined,
            events=map(event_of_row, rows),
            numbers=secrets,
        )
        assert state(again) == state(live)
        if chance.random() < 0.3:  # as after a restart: what limits there are go on, too
            live = again


def test_each_side_says_three_things_in_a_turn() -> None:
    """Read again from what is stored, and after taking back, it has said as much."""
    game = Game(find_rulebook("cross-over"))
    live, rows = LiveGame(Session(game)), list[Row]()

    def happens(intent: Intent, by: Sides) -> None:
        rows.extend(map(row_of_event, live.perform(intent, by)))

    def both_say(times: int) -> None:
        for side in (ONE, TWO):
            for _ in range(times):
                happens(React("wow"), side)
        again = LiveGame(Session(game), events=map(event_of_row, rows))
        for one in (live, again):
            for side in (ONE, TWO):
                with pytest.raises(NotNow, match="enough for this turn"):
                    one.perform(React("wow"), side)

    both_say(3)
    happens(PlayMove(live.session.moves[0], 0), ONE)
    both_say(3)
    happens(AskUndo(), ONE)
    happens(AnswerUndo(yes=True), TWO)
    both_say(0)
    assert [one.number for one in live.view(BOTH).reactions] == [6, 6]


def test_every_event_is_stored_and_read_again() -> None:
    examples: list[LiveEvent] = []
    for kind in get_args(LiveEvent):
        fields = {
            "side": Side.TWO,
            "move": PASS,
            "plies": 3,
            "reaction": "wow",
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


@pytest.mark.parametrize("answer", ["yes", "no", "withdrawn", "played on"])
def test_a_question_about_taking_back_is_open_until_it_is_answered(answer: str) -> None:
    """Playing on is an answer, too; after it, whichever it is, either side may ask again."""
    live = LiveGame(Session(Game(find_rulebook("cross-over"))))
    one, two = frozenset({Side.ONE}), frozenset({Side.TWO})
    # A move of the one who asked leaves the question open.
    askers = [(two, one)] if answer == "played on" else [(one, two), (two, one)]
    for asker, other in askers:
        for side in (one, two):
            live.perform(PlayMove(live.session.moves[0], live.session.plies), side)
        plies = live.session.plies
        live.perform(AskUndo(), asker)
        asked = live.undo_asked
        assert asked is not None
        assert live.session.plies == plies
        assert not live.can_undo(one)
        assert not live.can_undo(two)
        for side in (one, two):
            with pytest.raises(NotNow):
                live.perform(AskUndo(), side)
        if answer == "played on":
            live.perform(PlayMove(live.session.moves[0], plies), one)
        else:
            live.perform(AnswerUndo(yes=answer == "yes"), asker if answer == "withdrawn" else other)
        assert live.undo_asked is None
        left = {"yes": asked.plies, "played on": plies + 1}
        assert live.session.plies == left.get(answer, plies)
        with pytest.raises(NotNow, match="Nobody asks"):
            live.perform(AnswerUndo(yes=True), other)
        if live.session.position.side is Side.TWO:
            live.perform(PlayMove(live.session.moves[0], live.session.plies), two)


def test_a_program_does_not_play_under_the_name_of_the_person_it_stands_in_for() -> None:
    """Who takes the seat back has the name again."""
    live = LiveGame(Session(Game(find_rulebook("cross-over")), names=("Ann", "Bob")))
    live.perform(GiveName("Cleo", Side.TWO), frozenset(Side))
    assert live.names == ("Ann", "Cleo")
    live.happens(SeatTaken(Side.TWO, "level:5"))
    assert live.names == ("Ann", "Bob")
    live.happens(SeatTaken(Side.TWO, "human"))
    assert live.names == ("Ann", "Cleo")


@pytest.mark.parametrize("ends", ["resign", "forfeit", "stop", "take back", "play"])
def test_a_secret_number_ends_with_its_battle(ends: str) -> None:
    """However that ends: nothing of it is left to be stored or revealed."""
    session = Session(Game(find_rulebook("flag-chase")))
    for _ in range(4):
        session.play(session.moves[0])
    session.choose(Side.TWO, 4)
    assert dict(session.secret_numbers) == {Side.TWO: 4}
    match ends:
        case "resign":
            session.resign(Side.ONE)
        case "forfeit":
            session.forfeit(Side.TWO)
        case "stop":
            session.stop()
        case "take back":
            session.take_back_to(session.plies)
        case "play":
            session.play(session.moves[0])
    assert (dict(session.secret_numbers), session.chosen) == ({}, ())


def test_both_have_to_agree_to_stop() -> None:
    """The other side is asked; whoever moves instead plays on; an agreed end has no winner."""
    game = Game(find_rulebook("cross-over"))
    live = LiveGame(Session(game))
    one, two = frozenset({Side.ONE}), frozenset({Side.TWO})
    live.perform(OfferStop(), one)
    assert live.view(two).stop_offered_by is Side.ONE
    with pytest.raises(NotNow, match="The other player has to agree"):
        live.perform(AnswerStop(yes=True), one)
    live.perform(AnswerStop(yes=False), two)
    assert live.view(one).stop_refused_by is Side.TWO
    live.perform(PlayMove(live.session.moves[0], 0), one)
    assert live.view(one).stop_refused_by is None
    live.perform(OfferStop(), one)
    live.perform(PlayMove(live.session.moves[0], 1), two)
    assert live.view(two).stop_offered_by is None
    live.perform(OfferStop(), one)
    live.perform(OfferStop(), two)
    assert live.is_over
    assert live.session.winner is None
    written = write_record(live.session.record())
    assert '[Result "*"]' in written
    assert '[Termination "agreement"]' in written
    again = Session.from_record(read_record(written))
    assert again.is_over
    assert write_record(again.record()) == written
    with pytest.raises(NotNow, match="The game is over"):
        live.perform(PlayMove(live.session.moves[0], 2), one)


def test_a_game_that_both_have_stopped_goes_on_if_that_is_taken_back() -> None:
    """At one screen; the last turn stays."""
    live = LiveGame(Session(Game(find_rulebook("cross-over"))))
    live.perform(PlayMove(live.session.moves[0], 0), BOTH)
    live.perform(OfferStop(), BOTH)
    assert live.is_over
    live.perform(AskUndo(), BOTH)
    assert (live.is_over, live.session.plies, live.session.asked) == (False, 1, (Side.TWO,))
    assert "Termination" not in write_record(live.session.record())
    live.perform(PlayMove(live.session.moves[0], 1), BOTH)


@pytest.mark.parametrize("refuses", [False, True])
def test_taking_back_ends_what_was_said_about_stopping(refuses: bool) -> None:
    """The offer, and the wish to play on: both were about a position that is gone."""
    live = LiveGame(Session(Game(find_rulebook("cross-over"))))
    live.perform(PlayMove(live.session.moves[0], 0), ONE)
    live.perform(OfferStop(), ONE)
    if refuses:
        live.perform(AnswerStop(yes=False), TWO)
    live.perform(AskUndo(), ONE)
    live.perform(AnswerUndo(yes=True), TWO)
    for sides in (ONE, TWO, frozenset[Side]()):
        view = live.view(sides)
        assert (view.undo_asked_by, view.stop_offered_by, view.stop_refused_by) == (None,) * 3


@pytest.mark.parametrize("last", Side)
@pytest.mark.parametrize("asks", [OfferStop, AskUndo])
def test_a_battle_leaves_no_question_open(asks: type[OfferStop | AskUndo], last: Side) -> None:
    """Both have played on by it, whoever asked and whoever chose last."""
    for asker in (ONE, TWO):
        live = LiveGame(Session(Game(find_rulebook("flag-chase"))))
        for turn in range(4):
            live.perform(PlayMove(live.session.moves[0], turn), BOTH)
        live.perform(asks(), asker)
        for chooser in (last.other, last):
            assert live.stop_offered or live.undo_asked
            live.perform(ChooseNumber(3, 4), frozenset({chooser}))
        assert (live.stop_offered, live.undo_asked) == (None, None)


def test_yes_and_no_answer_the_question_that_is_shown() -> None:
    """Where one player asks for two things, that is to take back; then the offer to stop."""
    live = LiveGame(Session(Game(find_rulebook("cross-over"))))
    live.perform(PlayMove(live.session.moves[0], 0), ONE)
    live.perform(OfferStop(), ONE)
    assert live.view(TWO).answer(yes=True) == AnswerStop(yes=True)
    live.perform(AskUndo(), ONE)
    assert live.view(TWO).answer(yes=False) == AnswerUndo(yes=False, to=0)
    live.perform(live.view(TWO).answer(yes=False), TWO)
    assert live.view(TWO).answer(yes=False) == AnswerStop(yes=False)
    live.perform(live.view(TWO).answer(yes=False), TWO)
    assert live.view(ONE).stop_refused_by is Side.TWO


def test_the_computer_stops_only_in_circles_that_are_not_good_for_it(tmp_path: Path) -> None:
    """The position has come up three times, and is no better than even for the computer."""
    session = Session(Game(find_rulebook("flag-chase")), seats=("human", "level:3"))
    match = Match(session, Saves(tmp_path))
    match.perform(OfferStop())
    assert not match.live.is_over
    assert match.live.stop_refused is Side.TWO
    stay = {Side.ONE: Step("P1", -1), Side.TWO: Step("P2", -1)}
    while session.times < 3:
        match.act(session.position.side, stay[session.position.side])
    value = match.adviser.solution.value(session.position)
    assert value.sure(Side.TWO) <= 0
    match.perform(OfferStop())
    assert match.live.is_over
    assert session.winner is None


def test_another_move_makes_all_that_was_taken_back_void() -> None:
    """Not only what was taken back last: the rest belongs to a game that was not played."""
    game = Game(find_rulebook("cross-over"))
    live = LiveGame(Session(game))
    for _ in range(4):
        live.perform(PlayMove(live.session.moves[0], live.session.plies), BOTH)
    for _ in range(3):
        live.perform(AskUndo(), BOTH)
    assert live.can_redo
    live.perform(PlayMove(live.session.moves[-1], live.session.plies), BOTH)
    assert not live.can_redo
    with pytest.raises(NotNow, match="nothing to redo"):
        live.perform(Redo(), BOTH)
