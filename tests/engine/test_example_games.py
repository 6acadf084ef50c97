"""The example games of the five rulebooks, turn by turn; the rulings on them; the variants."""

import pytest

from lineduel import (
    Game,
    Move,
    Position,
    Session,
    Side,
    Step,
    find_rulebook,
    parse_move,
    read_position,
)
from lineduel.engine import (
    PASS,
    BattleOpened,
    BattleSettled,
    Captured,
    Moved,
    Numbers,
    SentHome,
    Stayed,
    Victory,
    Won,
)
from lineduel.errors import IllegalMove, InvalidPosition, NotNow
from lineduel.play import Turn


def begun(address: str, *moves: str) -> Session:
    """A game after these moves."""
    session = Session(Game(find_rulebook(address)))
    for move in moves:
        session.play(parse_move(move))
    return session


def at(address: str, position: str) -> tuple[Game, Position]:
    """A game and a position of it."""
    game = Game(find_rulebook(address))
    return game, read_position(game, position)


def play(session: Session, move: str, leads_to: str) -> Turn:
    """Play a turn of an example; the position it states must be the one that results."""
    turn = session.play(parse_move(move))
    assert str(session.position) == leads_to
    return turn


def legal(session: Session) -> list[str]:
    return [str(move) for move in session.game.moves(session.position)]


def asked(session: Session) -> list[Side]:
    """Who has to act now."""
    return list(session.asked)


def landings(session: Session) -> list[int | None]:
    """The cells that the side to move can go to, as the rulebooks list options."""
    game, position = session.game, session.position
    return [game.landing(position, move) for move in game.moves(position) if isinstance(move, Step)]


def refused(session: Session, move: str) -> str:
    """Why a turn of an example is illegal; trying it changes nothing."""
    before = session.position
    with pytest.raises(IllegalMove) as refusal:
        session.play(parse_move(move))
    assert session.position == before
    return refusal.value.why


def reachable(address: str) -> set[Position]:
    """Every position that play from the start can lead to."""
    game = Game(find_rulebook(address))
    found = {game.start()}
    to_do = list(found)
    while to_do:
        position = to_do.pop()
        for move in game.moves(position):
            after = game.play(position, move)
            if after not in found:
                found.add(after)
                to_do.append(after)
    return found


# Capture the Flag (Soldiers)

SOLDIERS = (
    ("S1+2", "2,0/10,10/2"),
    ("S3+1", "2,0/9,10/1"),
    ("S2+1", "2,1/9,10/2"),
    ("S3+2", "2,1/7,10/1"),
    ("S1+2", "4,1/7,10/2"),
    ("S4+2", "4,1/7,8/1"),
    ("S1+2", "6,1/7,8/2"),
    ("S3+2", "6,1/5,8/1"),
)
"""Turns 1 to 8 of the example, with the position that the text of each turn states."""


def test_the_soldiers_example_runs_without_a_fight_up_to_turn_8() -> None:
    """Turns 1 to 8: each soldier goes where the text says; turn 8 lands on an empty position."""
    session = begun("ctf-soldiers")
    assert str(session.position) == "0,0/10,10/1"
    for move, leads_to in SOLDIERS:
        turn = play(session, move, leads_to)
        assert [type(event) for event in turn.events] == [Moved]


def test_turn_9_of_the_soldiers_example_sends_s4_back_to_its_flag() -> None:
    """Turn 9: S1 lands on 8, where S4 stands; S4 goes back to 10, and play goes on."""
    session = begun("ctf-soldiers", *(move for move, _ in SOLDIERS))
    turn = play(session, "S1+2", "8,1/5,10/2")
    assert turn.events == (
        Moved(Side.ONE, "S1", 2, 6, 8),
        SentHome(Side.TWO, "S4", 8, 10),
    )
    assert session.winner is None


def test_turn_10_of_the_soldiers_example_fights_nobody_and_turn_11_wins() -> None:
    """Erratum: S3 lands on 4, but S2 stands on 1, so nothing is sent home; S1 still wins on 10."""
    session = begun("ctf-soldiers", *(move for move, _ in SOLDIERS), "S1+2")
    turn = play(session, "S3+1", "8,1/4,10/1")
    assert turn.events == (Moved(Side.TWO, "S3", 1, 5, 4),)
    assert session.game.cell_of(session.position, "S2") == 1

    turn = play(session, "S1+2", "10,1/4,10/2")
    assert turn.events == (
        Moved(Side.ONE, "S1", 2, 8, 10),
        Won(Side.ONE, Victory.GOAL, "S1", 10),
    )
    assert session.winner is Side.ONE
    assert asked(session) == []
    with pytest.raises(NotNow):
        session.play(parse_move("S3+1"))


def test_the_soldiers_sample_lists_what_stands_where_after_s1_2() -> None:
    """The interaction: S1 2 leaves S2 at the flag and S1 on 2, and player 2 has S3 and S4."""
    session = begun("ctf-soldiers", "S1+2")
    assert str(session.position) == "2,0/10,10/2"
    assert legal(session) == ["S3+1", "S3+2", "S4+1", "S4+2"]


def test_landing_on_two_enemy_soldiers_sends_both_back() -> None:
    """Ruling: all enemy soldiers on the cell go to their own flag."""
    game, position = at("ctf-soldiers", "4,0/6,6/1")
    move = parse_move("S1+2")
    assert str(game.play(position, move)) == "6,0/10,10/2"
    assert game.events(position, move)[1:] == (
        SentHome(Side.TWO, "S3", 6, 10),
        SentHome(Side.TWO, "S4", 6, 10),
    )


def test_arriving_on_the_flag_wins_whoever_stands_there() -> None:
    """Ruling: soldiers at home do not guard their flag."""
    game, position = at("ctf-soldiers", "9,0/10,10/1")
    assert game.outcome(game.play(position, parse_move("S1+1"))) is Side.ONE


def test_a_soldier_never_moves_past_the_enemy_flag() -> None:
    """Boundaries: from 9 there is only the 1 position to 10."""
    game, position = at("ctf-soldiers", "9,9/10,10/1")
    assert game.moves(position) == (Step("S1", 1), Step("S2", 1))


def test_either_player_may_begin_with_soldiers() -> None:
    """Who takes the first turn is agreed or drawn; player 1 if nothing is said."""
    game = Game(find_rulebook("ctf-soldiers"))
    assert game.start().side is Side.ONE
    assert game.moves(game.start(Side.TWO))[0] == Step("S3", 1)


# Flag Chase

CHASE: tuple[tuple[str, str], ...] = (
    ("P1+1", "2/5/2"),  # turn 1
    ("P2+1", "2/4/1"),
    ("P1+1", "3/4/2"),
    ("P2+1", "3/3/1*"),  # turn 4, called 'backward'
    ("4:2", "3/5/1"),
    ("P1+1", "4/5/2"),
    ("P2+1", "4/4/1*"),  # turn 6, called 'backward'
    ("3:5", "1/4/1"),
    ("P1+1", "2/4/2"),
    ("P2+1", "2/3/1"),
    ("P1-1", "1/3/2"),  # turn 9
    ("P2+1", "1/2/1"),  # turn 10, with a battle that there is not
    ("P1-1", "1/2/2"),  # turn 11, 'stay'
    ("P2+1", "1/1/1*"),
    ("5:3", "1/5/1"),
    ("P1+1", "2/5/2"),  # turn 13
    ("P2+1", "2/4/1"),
    ("P1+1", "3/4/2"),
    ("P2+1", "3/3/1*"),  # turn 16, called 'backward'
    ("2:1", "3/5/1"),
    ("P1+1", "4/5/2"),
    ("P2+1", "4/4/1*"),  # turn 18
    ("1:5", "1/4/1"),
    ("P1+1", "2/4/2"),
    ("P2+1", "2/3/1"),
    ("P1-1", "1/3/2"),  # turn 21
    ("P2+1", "1/2/1"),  # turn 22, with a battle that there is not
    ("P1-1", "1/2/2"),  # turn 23, 'stays'
    ("P2+1", "1/1/1*"),  # turn 24
)
"""All of the example but its last battle, as the ruling has it."""

CHASE_MOVES = tuple(move for move, _ in CHASE)


def test_the_chase_example_reaches_every_grid_it_shows() -> None:
    """Turns 1 to 24: with the rulings every grid of the example comes up, in its order."""
    session = begun("flag-chase")
    assert str(session.position) == "1/5/1"
    for move, leads_to in CHASE:
        play(session, move, leads_to)
        assert session.winner is None


@pytest.mark.parametrize(
    ("before", "numbers", "winner", "loser", "cell", "home"),
    [
        pytest.param(4, "4:2", Side.ONE, "P2", 3, 5, id="turn 4"),
        pytest.param(7, "3:5", Side.TWO, "P1", 4, 1, id="turn 6"),
        pytest.param(14, "5:3", Side.ONE, "P2", 1, 5, id="turn 12"),
        pytest.param(19, "2:1", Side.ONE, "P2", 3, 5, id="turn 16"),
        pytest.param(22, "1:5", Side.TWO, "P1", 4, 1, id="turn 18"),
    ],
)
def test_a_battle_of_the_chase_example_sends_its_loser_home(
    before: int, numbers: str, winner: Side, loser: str, cell: int, home: int
) -> None:
    """The higher number wins and stays; the loser goes to its base."""
    session = begun("flag-chase", *CHASE_MOVES[:before])
    assert session.turns[-1].events[-1] == BattleOpened(cell)
    assert asked(session) == [Side.ONE, Side.TWO]
    chosen = parse_move(numbers)
    assert isinstance(chosen, Numbers)
    assert session.choose(Side.ONE, chosen.player1) is None
    assert asked(session) == [Side.TWO]
    turn = session.choose(Side.TWO, chosen.player2)
    assert turn is not None
    assert turn.events == (
        BattleSettled(cell, chosen.player1, chosen.player2, winner),
        SentHome(winner.other, loser, cell, home),
    )
    assert session.position.cells(winner) == (cell,)
    assert asked(session) == [Side.ONE], "player 2 made the last move, so player 1 follows"


def test_the_chase_example_ends_with_the_flag_captured_in_battle() -> None:
    """Turn 24: player 2 wins the battle on player 1's base, and with it the game."""
    session = begun("flag-chase", *CHASE_MOVES)
    turn = play(session, "2:5", "1/1/1")
    assert turn.events == (
        BattleSettled(1, 2, 5, Side.TWO),
        Won(Side.TWO, Victory.GOAL, "P2", 1),
    ), "player 1's piece is at home already, so it is not sent there"
    assert session.winner is Side.TWO


@pytest.mark.parametrize(("turn", "before"), [(4, 3), (6, 6), (16, 18)])
def test_what_the_chase_example_calls_backward_is_forward(turn: int, before: int) -> None:
    """Erratum of turns 4, 6 and 16: player 2's way to cell 1 is forward; backward leads away."""
    session = begun("flag-chase", *CHASE_MOVES[:before])
    game, position = session.game, session.position
    (cell,) = position.player2
    assert cell is not None
    assert game.landing(position, Step("P2", 1)) == cell - 1
    assert game.landing(position, Step("P2", -1)) == min(cell + 1, 5)
    assert game.events(position, Step("P2", 1))[-1] == BattleOpened(cell - 1), f"turn {turn}"


@pytest.mark.parametrize("before", [10, 25], ids=["turn 9", "turn 21"])
def test_an_occupied_cell_may_be_entered(before: int) -> None:
    """Erratum of turns 9 and 21: cell 3 is not closed to player 1; entering it is a battle."""
    session = begun("flag-chase", *CHASE_MOVES[:before])
    assert legal(session) == ["P1+1", "P1-1"]
    turn = play(session, "P1+1", "3/3/2*")
    assert turn.events == (Moved(Side.ONE, "P1", 1, 2, 3), BattleOpened(3))


@pytest.mark.parametrize("before", [11, 26], ids=["turn 10", "turn 22"])
def test_neighbouring_pieces_fight_no_battle(before: int) -> None:
    """Erratum of turns 10 and 22: on cells 1 and 2 nobody chooses a number."""
    session = begun("flag-chase", *CHASE_MOVES[:before])
    turn = play(session, "P2+1", "1/2/1")
    assert turn.events == (Moved(Side.TWO, "P2", 1, 3, 2),)
    assert asked(session) == [Side.ONE]
    with pytest.raises(NotNow):
        session.choose(Side.ONE, 2)
    assert "No battle is open" in refused(session, "2:4")


@pytest.mark.parametrize("before", [12, 27], ids=["turn 11", "turn 23"])
def test_staying_is_the_backward_step_at_the_base(before: int) -> None:
    """Erratum of turns 11 and 23: a step off the track leaves the piece where it is."""
    session = begun("flag-chase", *CHASE_MOVES[:before])
    assert "cannot go" in refused(session, "P1+0")
    turn = play(session, "P1-1", "1/2/2")
    assert turn.events == (Stayed(Side.ONE, "P1", -1, 1),)


def test_a_tie_sends_both_to_their_bases() -> None:
    """The battle rule: on a tie nobody stays."""
    session = begun("flag-chase", *CHASE_MOVES[:4])
    turn = play(session, "3:3", "1/5/1")
    assert turn.events == (
        BattleSettled(3, 3, 3, None),
        SentHome(Side.ONE, "P1", 3, 1),
        SentHome(Side.TWO, "P2", 3, 5),
    )


@pytest.mark.parametrize("numbers", ["5:1", "4:4"], ids=["defeat", "tie"])
def test_an_attack_on_the_base_that_is_not_won_ends_at_home(numbers: str) -> None:
    """Ruling: the attacker's defeat or a tie on the enemy base sends him home."""
    session = begun("flag-chase", *CHASE_MOVES)
    turn = play(session, numbers, "1/5/1")
    assert turn.events[1:] == (SentHome(Side.TWO, "P2", 1, 5),)


def test_an_empty_base_is_captured_without_a_battle() -> None:
    """Ruling: entering the enemy base wins if the enemy is not on it."""
    game, position = at("flag-chase", "4/2/1")
    move = parse_move("P1+1")
    assert game.events(position, move)[-1] == Won(Side.ONE, Victory.GOAL, "P1", 5)
    assert game.outcome(game.play(position, move)) is Side.ONE


@pytest.mark.parametrize("number", [0, 6, 9, -1])
def test_a_number_outside_1_to_5_is_not_a_choice(number: int) -> None:
    """Each player selects a number between 1 and 5; another one is refused and can be mended."""
    session = begun("flag-chase", *CHASE_MOVES[:4])
    with pytest.raises(IllegalMove):
        session.choose(Side.ONE, number)
    assert asked(session) == [Side.ONE, Side.TWO]
    session.choose(Side.ONE, 4)
    session.choose(Side.TWO, 2)
    assert str(session.position) == "3/5/1"


# Blockade Duel


def test_the_first_blockade_example_up_to_turn_3() -> None:
    """Turns 1 to 3: the options and the positions are those of the text."""
    session = begun("blockade-duel")
    assert str(session.position) == "5/5/1"
    assert landings(session) == [6, 7]
    play(session, "P1+1", "6/5/2")
    assert landings(session) == [4, 3]
    play(session, "P2+2", "6/3/1")
    assert landings(session) == [7, 8]
    play(session, "P1+2", "8/3/2")


def test_turn_4_of_the_blockade_example_goes_the_wrong_way() -> None:
    """Erratum: player 2 cannot go from 3 up to 5; it has 2 and 1, and turn 5 wins all the same."""
    session = begun("blockade-duel", "P1+1", "P2+2", "P1+2")
    assert landings(session) == [2, 1]
    for step in ("P2-1", "P2-2"):
        assert "cannot go" in refused(session, step)
    for move in ("P2+1", "P2+2"):
        other = begun("blockade-duel", "P1+1", "P2+2", "P1+2", move)
        assert landings(other) == [9, 10]
        assert other.play(parse_move("P1+2")).events[-1] == Won(Side.ONE, Victory.GOAL, "P1", 10)


def test_the_second_blockade_example() -> None:
    """The interaction: 1, 2, 2, 2, 2 takes player 1 to 10 while player 2 stands on 1."""
    session = begun("blockade-duel")
    play(session, "P1+1", "6/5/2")
    play(session, "P2+2", "6/3/1")
    play(session, "P1+2", "8/3/2")
    play(session, "P2+2", "8/1/1")
    turn = play(session, "P1+2", "10/1/2")
    assert turn.events == (
        Moved(Side.ONE, "P1", 2, 8, 10),
        Won(Side.ONE, Victory.GOAL, "P1", 10),
    )
    assert session.winner is Side.ONE


def test_from_the_shared_start_nobody_is_ever_blocked() -> None:
    """Erratum: the tokens only move apart, so no turn is forfeited and no cell is refused."""
    game = Game(find_rulebook("blockade-duel"))
    for position in reachable("blockade-duel"):
        if game.outcome(position) is None:
            (cell1,), (cell2,) = position.player1, position.player2
            assert cell1 is not None
            assert cell2 is not None
            assert cell1 >= 5 >= cell2
            left = 10 - cell1 if position.side is Side.ONE else cell2
            assert len(game.moves(position)) == min(left, 2)


def test_a_move_past_the_end_of_the_line_is_illegal() -> None:
    """The limits: from 9 player 1 has only 1 step."""
    game, position = at("blockade-duel", "9/4/1")
    assert game.moves(position) == (Step("P1", 1),)


# Capture the Flag (Tokens)


def test_the_tokens_example_up_to_turn_5() -> None:
    """Turns 1 to 5: the board states of the text; tokens pass each other."""
    session = begun("ctf-tokens")
    assert str(session.position) == "-5/5/1"
    assert landings(session) == [-4, -3, -2], "the text: 'they can move to -4, -3, or -2'"
    play(session, "P1+3", "-2/5/2")
    play(session, "P2+3", "-2/2/1")
    play(session, "P1+2", "0/2/2")
    play(session, "P2+3", "0/-1/1")
    play(session, "P1+2", "2/-1/2")


def test_turn_6_of_the_tokens_example_corrects_itself() -> None:
    """Turn 6: 4 positions are refused, -2, -3 and -4 are the options; turn 7 takes the flag."""
    session = begun("ctf-tokens", "P1+3", "P2+3", "P1+2", "P2+3", "P1+2")
    assert "P2 cannot go 4 cells; it goes 1, 2 or 3" in refused(session, "P2+4")
    assert landings(session) == [-2, -3, -4]
    play(session, "P2+3", "2/-4/1")
    turn = play(session, "P1+3", "5/-4/2")
    assert turn.events == (
        Moved(Side.ONE, "P1", 3, 2, 5),
        Won(Side.ONE, Victory.GOAL, "P1", 5),
    )
    assert session.winner is Side.ONE


def test_the_tokens_interaction() -> None:
    """The interaction: 3, 3, 2, 3, 3, 1, 2; on +3 the choice is 1 or 2."""
    session = begun("ctf-tokens")
    play(session, "P1+3", "-2/5/2")
    play(session, "P2+3", "-2/2/1")
    play(session, "P1+2", "0/2/2")
    play(session, "P2+3", "0/-1/1")
    play(session, "P1+3", "3/-1/2")
    play(session, "P2+1", "3/-2/1")
    assert legal(session) == ["P1+1", "P1+2"]
    turn = play(session, "P1+2", "5/-2/2")
    assert turn.events[-1] == Won(Side.ONE, Victory.GOAL, "P1", 5)


def test_landing_on_the_enemy_token_wins() -> None:
    """Encountering the opponent: whoever was the last to move there has won."""
    session = begun("ctf-tokens", "P1+3", "P2+3", "P1+2")
    turn = play(session, "P2+2", "0/0/1")
    assert turn.events == (
        Moved(Side.TWO, "P2", 2, 2, 0),
        Won(Side.TWO, Victory.LANDED, "P2", 0),
    )


def test_both_tokens_on_0_is_a_game_that_is_over() -> None:
    """Erratum: on 0 with player 1 to move, player 2 arrived second and has won."""
    game, position = at("ctf-tokens", "0/0/1")
    assert game.outcome(position) is Side.TWO
    assert game.moves(position) == ()
    with pytest.raises(IllegalMove, match="The game is over"):
        game.play(position, parse_move("P1+1"))


def test_tokens_that_still_play_never_share_a_cell_and_never_pass() -> None:
    """Errata: a shared cell is the end of the game, and short of the flag there is a step."""
    game = Game(find_rulebook("ctf-tokens"))
    for position in reachable("ctf-tokens"):
        if game.outcome(position) is None:
            assert position.shared_cells() == ()
            assert PASS not in game.moves(position)


# Cross Over

CROSSING = (
    ("P1-A+2", "2,1,2/10,9,8/2"),
    ("P2-A+1", "2,1,2/9,9,8/1"),
    ("P1-A+1", "3,1,2/9,9,8/2"),
    ("P2-C+2", "3,1,2/9,9,6/1"),
    ("P1-A+2", "5,1,2/9,9,6/2"),
    ("P2-C+1", "x,1,2/9,9,5/1"),
)
"""Turns 1 to 6 of the example, which only own pieces that may share a cell can play."""


def test_turn_1_of_the_crossing_example_lands_on_an_own_piece() -> None:
    """Erratum: P1-A cannot go from 0 to 2, where P1-C stands."""
    session = begun("cross-over")
    assert str(session.position) == "0,1,2/10,9,8/1"
    assert "own piece is on 2" in refused(session, "P1-A+2")
    assert legal(session) == ["P1-B+2", "P1-C+1", "P1-C+2"]


@pytest.mark.parametrize("first", ["P1-B+2", "P1-C+1", "P1-C+2"])
def test_turn_2_of_the_crossing_example_lands_on_an_own_piece(first: str) -> None:
    """Erratum: whatever player 1 does, P2-A cannot go from 10 to 9, where P2-B stands."""
    session = begun("cross-over", first)
    assert "own piece is on 9" in refused(session, "P2-A+1")
    assert legal(session) == ["P2-B+2", "P2-C+1", "P2-C+2"]


def test_the_crossing_example_is_legal_where_own_pieces_may_share() -> None:
    """Variant own-may-share: turns 1 to 6 as the text has them, and P1-A is captured."""
    session = begun("cross-over:own-may-share")
    for move, leads_to in CROSSING:
        turn = play(session, move, leads_to)
    assert turn.events == (
        Moved(Side.TWO, "P2-C", 1, 6, 5),
        Captured(Side.ONE, "P1-A", 5),
    )
    assert session.winner is None


def test_turns_3_to_6_of_the_crossing_example_hold_under_the_ruling() -> None:
    """From the nearest lawful position (P2-A still on 10, P1-A on 3) they go as the text says."""
    game, position = at("cross-over", "3,1,2/10,9,8/2")
    session = Session(game, position)
    play(session, "P2-C+2", "3,1,2/10,9,6/1")
    play(session, "P1-A+2", "5,1,2/10,9,6/2")
    turn = play(session, "P2-C+1", "x,1,2/10,9,5/1")
    assert turn.events == (
        Moved(Side.TWO, "P2-C", 1, 6, 5),
        Captured(Side.ONE, "P1-A", 5),
    )


def test_the_position_of_the_crossing_sample_needs_pieces_that_share() -> None:
    """Erratum: P2-A and P2-B both on 9 is no position under the ruling."""
    game = Game(find_rulebook("cross-over"))
    with pytest.raises(InvalidPosition, match="pieces of one player may not share a cell"):
        read_position(game, "x,1,2/9,9,5/1")


def test_the_crossing_sample_offers_four_moves_where_own_pieces_may_share() -> None:
    """The interaction, player 1: exactly the listed moves, and move 2 takes P1-B to 3."""
    game, position = at("cross-over:own-may-share", "x,1,2/9,9,5/1")
    moves = game.moves(position)
    assert [str(move) for move in moves] == ["P1-B+1", "P1-B+2", "P1-C+1", "P1-C+2"]
    assert game.events(position, moves[1]) == (Moved(Side.ONE, "P1-B", 2, 1, 3),)
    assert str(game.play(position, moves[1])) == "x,3,2/9,9,5/2"


def test_the_crossing_sample_does_not_offer_the_occupied_cell_under_the_ruling() -> None:
    """Erratum: with P2-A where it can stand, P1-B's step onto P1-C's cell is not in the list."""
    game, position = at("cross-over", "x,1,2/10,9,5/1")
    assert [str(move) for move in game.moves(position)] == ["P1-B+2", "P1-C+1", "P1-C+2"]


@pytest.mark.parametrize("address", ["cross-over", "cross-over:own-may-share"])
def test_the_capture_of_the_crossing_sample_is_on_3_not_on_4(address: str) -> None:
    """The interaction, player 2: P1-B stands on 3, so P2-C takes it there and nothing on 4."""
    game, position = at(address, "x,3,2/10,9,5/2")
    onto_4, onto_3 = Step("P2-C", 1), Step("P2-C", 2)
    assert game.events(position, onto_4) == (Moved(Side.TWO, "P2-C", 1, 5, 4),)
    assert game.events(position, onto_3) == (
        Moved(Side.TWO, "P2-C", 2, 5, 3),
        Captured(Side.ONE, "P1-B", 3),
    )


def test_the_capture_the_crossing_sample_means() -> None:
    """With P1-B on 4 the sample's move 5 is what it says: P2-C to 4, capturing P1-B."""
    game, position = at("cross-over:own-may-share", "x,4,2/9,9,5/2")
    move = game.moves(position)[4]
    assert str(move) == "P2-C+1"
    assert game.events(position, move) == (
        Moved(Side.TWO, "P2-C", 1, 5, 4),
        Captured(Side.ONE, "P1-B", 4),
    )
    assert str(game.play(position, move)) == "x,x,2/9,9,4/1"


@pytest.mark.parametrize(
    ("start", "move", "piece", "cell"),
    [
        ("0,1,7/10,9,6/1", "P1-C+1", "P1-C", 8),
        ("0,1,7/10,9,8/1", "P1-C+2", "P1-C", 9),
        ("0,4,5/3,9,8/2", "P2-A+1", "P2-A", 2),
        ("0,4,5/3,9,8/2", "P2-A+2", "P2-A", 1),
    ],
)
def test_crossing_into_the_enemy_camp_wins(start: str, move: str, piece: str, cell: int) -> None:
    """Crossing over: player 1 on 8, 9 or 10, player 2 on 0, 1 or 2, occupied or not."""
    game, position = at("cross-over", start)
    event = game.events(position, parse_move(move))[-1]
    assert event == Won(position.side, Victory.GOAL, piece, cell)


def test_taking_the_last_enemy_piece_wins() -> None:
    """The alternate victory: all three are captured."""
    game, position = at("cross-over", "x,3,x/x,x,4/1")
    assert game.events(position, parse_move("P1-B+1")) == (
        Moved(Side.ONE, "P1-B", 1, 3, 4),
        Captured(Side.TWO, "P2-C", 4),
        Won(Side.ONE, Victory.CAPTURED_ALL),
    )


# The variants: what each changes


def moves_at(address: str, position: str) -> tuple[Move, ...]:
    game, there = at(address, position)
    return game.moves(there)


def test_closed_cells_makes_turn_9_of_the_chase_example_right() -> None:
    """flag-chase:closed-cells: the enemy's cell cannot be entered, so there is never a battle."""
    assert moves_at("flag-chase", "2/3/1") == (Step("P1", 1), Step("P1", -1))
    assert moves_at("flag-chase:closed-cells", "2/3/1") == (Step("P1", -1),)
    assert all(position.battle is None for position in reachable("flag-chase:closed-cells"))
    assert any(position.battle is not None for position in reachable("flag-chase"))


def test_may_stay_makes_turn_11_of_the_chase_example_a_choice_anywhere() -> None:
    """flag-chase:may-stay: staying is a third choice on any cell, and meets nobody."""
    assert moves_at("flag-chase:may-stay", "3/4/1") == (
        Step("P1", 1),
        Step("P1", -1),
        Step("P1", 0),
    )
    game, position = at("flag-chase:may-stay", "3/4/1")
    stay = parse_move("P1+0")
    assert game.events(position, stay) == (Stayed(Side.ONE, "P1", 0, 3),)
    assert str(game.play(position, stay)) == "3/4/2"


def test_from_bases_lets_the_tokens_meet_and_block() -> None:
    """blockade-duel:from-bases: the start is 0 and 10; the enemy's cell is refused, or jumped."""
    session = begun("blockade-duel:from-bases")
    assert str(session.position) == "0/10/1"
    for move in ("P1+2", "P2+2", "P1+2", "P2+2"):
        session.play(parse_move(move))
    play(session, "P1+1", "5/6/2")
    assert "enemy is on 5" in refused(session, "P2+1")
    assert landings(session) == [4]
    play(session, "P2+2", "5/4/1")
    assert PASS not in session.game.moves(session.position)


def test_no_jump_from_bases_makes_the_blockade_complete() -> None:
    """blockade-duel:from-bases-no-jump: face to face nobody can move, and the turn is forfeited."""
    assert moves_at("blockade-duel:from-bases", "5/6/2") == (Step("P2", 2),)
    assert moves_at("blockade-duel:from-bases-no-jump", "5/6/2") == (PASS,)
    assert moves_at("blockade-duel:from-bases-no-jump", "5/6/1") == (PASS,)
    start = Game(find_rulebook("blockade-duel:from-bases-no-jump")).start()
    assert str(start) == "0/10/1"


def test_may_share_makes_an_encounter_of_tokens_mean_nothing() -> None:
    """ctf-tokens:may-share: both stand on 0, it is player 1's turn, and the flag still decides."""
    session = begun("ctf-tokens:may-share", "P1+3", "P2+3", "P1+2")
    turn = play(session, "P2+2", "0/0/1")
    assert turn.events == (Moved(Side.TWO, "P2", 2, 2, 0),)
    assert session.winner is None
    assert legal(session) == ["P1+1", "P1+2", "P1+3"]


def test_own_may_share_opens_cells_that_own_pieces_hold() -> None:
    """cross-over:own-may-share: from the start every piece has both its steps."""
    assert len(moves_at("cross-over", "0,1,2/10,9,8/1")) == 3
    assert len(moves_at("cross-over:own-may-share", "0,1,2/10,9,8/1")) == 6


def test_one_landing_takes_all_that_share_a_cell() -> None:
    """cross-over:own-may-share: P2-A and P2-B on one cell are captured together."""
    game, position = at("cross-over:own-may-share", "5,1,2/7,7,8/1")
    assert game.events(position, parse_move("P1-A+2"))[1:] == (
        Captured(Side.TWO, "P2-A", 7),
        Captured(Side.TWO, "P2-B", 7),
    )


def test_no_jump_keeps_pieces_behind_each_other() -> None:
    """cross-over:no-jump: the sample's P1-B from 1 to 3 over P1-C on 2 is refused."""
    assert Step("P1-B", 2) in moves_at("cross-over", "0,1,2/10,9,8/1")
    session = begun("cross-over:no-jump")
    assert "would jump over the piece on 2" in refused(session, "P1-B+2")
    assert legal(session) == ["P1-C+1", "P1-C+2"]


def test_no_jump_keeps_enemies_from_being_passed() -> None:
    """cross-over:no-jump: an enemy in the way can be captured, not jumped."""
    assert moves_at("cross-over:no-jump", "x,x,4/x,x,5/1") == (Step("P1-C", 1),)
    assert moves_at("cross-over", "x,x,4/x,x,5/1") == (Step("P1-C", 1), Step("P1-C", 2))


@pytest.mark.parametrize(
    ("address", "variants"),
    [
        ("ctf-soldiers", ()),
        ("flag-chase", ("closed-cells", "may-stay")),
        ("blockade-duel", ("from-bases", "from-bases-no-jump")),
        ("ctf-tokens", ("may-share",)),
        ("cross-over", ("own-may-share", "no-jump")),
    ],
)
def test_the_rulings_name_exactly_these_variants(address: str, variants: tuple[str, ...]) -> None:
    """Each other way to take a rulebook is a rulebook of its own, addressed as id:variant."""
    rulebook = find_rulebook(address)
    assert tuple(one.name for one in rulebook.variants) == variants
    for name in variants:
        assert find_rulebook(f"{address}:{name}").rules != rulebook.rules


@pytest.mark.parametrize(
    ("address", "places"),
    [
        ("ctf-soldiers", ("Example turn 10", "Board pictures")),
        (
            "flag-chase",
            ("Turns 4, 6 and 16", "Turns 9 and 21", "Turns 10 and 22", "Turns 11 and 23"),
        ),
        ("blockade-duel", ("Example turn 4", "Setup and blocking")),
        ("ctf-tokens", ("Example of an encounter", "Forfeiting a turn")),
        ("cross-over", ("Example turns 1 and 2", "Interaction sample", "Interaction sample")),
    ],
)
def test_every_contradiction_stays_visible_as_an_erratum(
    address: str, places: tuple[str, ...]
) -> None:
    """What the tests above call an erratum, the rulebook itself names as one, in its order."""
    errata = find_rulebook(address).errata
    assert len(errata) >= len(places)
    for erratum, place in zip(errata, places, strict=False):
        assert erratum.where.startswith(place)
        assert erratum.ruling
