"""OpenSpiel's own tests pass, its algorithms agree with the solver, its games are the engine's."""

import pickle
import random
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from hypothesis import given, settings
from open_spiel.python.algorithms import cfr, minimax

from lineduel.engine import Game, Numbers
from lineduel.envs.openspiel import BattleDuel, DuelState, TurnDuel
from lineduel.errors import InvalidPosition, NotationError, NotNow, RulebookError
from lineduel.record import read_position
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Rulebook, Side
from lineduel.solve import solve
from support.strategies import ALL_GAMES, play_out, rulebooks_that_begin

SAMPLE = ("cross-over", "flag-chase")

ONE_BATTLE = """
title = "One Battle"
summary = "A single battle decides."
[track]
first = 1
last = 3
[player1]
pieces = { A = 1 }
goal = [3]
[player2]
pieces = { B = 2 }
goal = [1]
[turn]
first = "player1"
[move]
steps = [1]
edge = "illegal"
jump = true
[meet]
own = "blocked"
enemy = "battle"
[battle]
numbers = 3
wins = "undercut"
loser = "captured"
tie = "attacker"
"""


def load(address: str, max_plies: int = 60) -> Any:
    """The OpenSpiel game of a rulebook."""
    battles = find_rulebook(address).rules.battle is not None
    name = "lineduel_battles" if battles else "lineduel"
    return pyspiel.load_game(name, {"game": address, "max_plies": max_plies})


def check_against_engine(address: str, seed: int) -> None:
    """Play a random game by actions, and follow it with the engine."""
    spiel = load(address)
    state = spiel.new_initial_state()
    game, rng = Game(find_rulebook(address)), random.Random(seed)
    encoding, position = spiel.parts.encoding, game.start()
    while not state.is_terminal():
        moves = game.moves(position)
        move = rng.choice(moves)
        actions = encoding.actions_of(move)
        if isinstance(move, Numbers):
            assert state.is_simultaneous_node()
            assert state.legal_actions(0) == state.legal_actions(1)
            assert len(moves) == len(state.legal_actions(0)) ** 2
            state.apply_actions(list(actions))
        else:
            assert state.current_player() == position.side - 1
            assert state.legal_actions() == sorted(encoding.actions_of(one)[0] for one in moves)
            assert state.action_to_string(actions[0]) == str(move)
            if spiel.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
                assert state.legal_actions(2 - position.side) == []
            state.apply_action(actions[0])
        position = game.play(position, move)
        assert state.position == position
        seen = state.observation_tensor(1)
        assert seen[:-1] == encoding.observation(position, Side.TWO).tolist()
    winner = game.outcome(position)
    expected = {None: [0, 0], Side.ONE: [1, -1], Side.TWO: [-1, 1]}[winner]
    assert state.returns() == expected


@pytest.mark.parametrize("address", SAMPLE)
def test_the_simulation_test_of_openspiel_passes(address: str) -> None:
    """With serialisation."""
    pyspiel.random_sim_test(load(address), num_sims=2, serialize=True, verbose=False)


@pytest.mark.long
@pytest.mark.parametrize("address", ALL_GAMES)
def test_the_simulation_test_passes_for_every_rulebook(address: str) -> None:
    pyspiel.random_sim_test(load(address), num_sims=20, serialize=True, verbose=False)


@pytest.mark.parametrize("address", ALL_GAMES)
def test_its_games_are_the_engines(address: str) -> None:
    check_against_engine(address, 1)


@pytest.mark.parametrize("address", ["blockade-duel"])
def test_minimax_agrees_with_the_solver(address: str) -> None:
    """Wherever the game ends."""
    value, _ = minimax.alpha_beta_search(load(address, 20))
    solution = solve(Game(find_rulebook(address)))
    assert value == solution.value(solution.start).exact


@pytest.mark.parametrize(
    "address", ["blockade-duel", pytest.param("ctf-tokens", marks=pytest.mark.long)]
)
def test_value_iteration_agrees_with_the_solver(address: str) -> None:
    """In every position from which nobody needs more plies than the limit leaves."""
    from open_spiel.python.algorithms import value_iteration  # takes seconds, for this test alone

    spiel = load(address, 16)
    found = value_iteration.value_iteration(spiel, depth_limit=-1, threshold=0.001)
    game = Game(find_rulebook(address))
    solution = solve(game)
    checked = 0
    for text, value in found.items():
        position_text, played = text.rsplit(" ", 1)
        exact = solution.value(read_position(game, position_text))
        if exact.plies is not None and exact.plies <= 16 - int(played):
            assert value == exact.exact
            checked += 1
    assert checked > 15


def test_cfr_approaches_the_solvers_mixture(tmp_path: Path) -> None:
    """After `convert_to_turn_based`; the battle hides player 1's number from player 2."""
    path = tmp_path / "one-battle.toml"
    path.write_text(ONE_BATTLE, encoding="utf-8")
    turns = pyspiel.convert_to_turn_based(load(str(path), 6))
    solver = cfr.CFRPlusSolver(turns)
    for _ in range(300):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    state = turns.new_initial_state()
    state.apply_action(0)
    game = Game(find_rulebook(str(path)))
    solution = solve(game)
    battle = game.play(game.start(), game.moves(game.start())[0])
    for side in Side:
        if side is Side.TWO:
            state.apply_action(state.legal_actions()[0])
        chances = list(policy.action_probabilities(state).values())
        exact = [float(chance) for chance in solution.mixture(battle, side).values()]
        assert np.abs(np.array(chances) - exact).max() < 0.03


def test_a_game_that_could_go_on_is_cut_with_nothing_won() -> None:
    """OpenSpiel's games end, so it says 0 where a longer game would still be won."""
    state = load("flag-chase", 4).new_initial_state()
    while not state.is_terminal():
        state.apply_action(1)  # stay at home
    assert state.returns() == [0, 0]
    short, long = load("cross-over", 3), solve(Game(find_rulebook("cross-over")))
    value, _ = minimax.alpha_beta_search(short)
    assert value == 0
    assert long.value(long.start).exact == -1


def test_information_states_tell_the_moves_and_states_can_be_copied() -> None:
    state = load("cross-over").new_initial_state()
    state.apply_action(3)
    assert state.information_state_string(0) == "P1-B+2"
    assert state.observation_string(0) == "0,3,2/10,9,8/2 1"
    copy = state.clone()
    copy.apply_action(copy.legal_actions()[0])
    assert str(state) == "0,3,2/10,9,8/2 1"
    assert str(copy) != str(state)


@pytest.mark.parametrize("address", SAMPLE)
def test_a_state_begins_at_a_position(address: str) -> None:
    """And can be written down, copied and played on like any other."""
    spiel = load(address)
    for position in play_out(find_rulebook(address), None, 8, random.Random(4)).positions:
        state = spiel.new_initial_state(str(position))
        assert str(state) == f"{position} 0"
        while not state.is_terminal():
            actions = [rows[-1] if (rows := state.legal_actions(one)) else 0 for one in (0, 1)]
            if state.is_simultaneous_node():
                state.apply_actions(actions)
            else:
                state.apply_action(actions[state.current_player()])
        again = spiel.new_initial_state(state.serialize())
        assert (str(again), again.returns()) == (str(state), state.returns())
        text = pyspiel.serialize_game_and_state(spiel, state)
        assert str(pyspiel.deserialize_game_and_state(text)[1]) == str(state)


def test_a_state_begins_at_no_position_that_is_wrong_or_over() -> None:
    spiel = load("cross-over")
    with pytest.raises(NotationError, match="is not a valid position"):
        spiel.new_initial_state("0,1/")
    with pytest.raises(InvalidPosition, match="off the track"):
        spiel.new_initial_state("0,1,99/10,9,8/1")
    with pytest.raises(NotNow, match="The game is over in 0,1,8/10,9,7/2"):
        spiel.new_initial_state("0,1,8/10,9,7/2")


def test_each_kind_of_rulebook_has_its_own_game() -> None:
    with pytest.raises(RulebookError, match="use lineduel_battles"):
        pyspiel.load_game("lineduel", {"game": "flag-chase"})
    with pytest.raises(RulebookError, match="use lineduel"):
        pyspiel.load_game("lineduel_battles", {"game": "cross-over"})
    assert isinstance(load("cross-over").new_initial_state(), DuelState)


@settings(max_examples=15)
@given(rulebooks_that_begin())
def test_a_rulebook_that_is_in_no_file_is_a_game_like_any_other(rulebook: Rulebook) -> None:
    """It can be played, stored and loaded again: its parameters hold the whole rulebook."""
    duel = (BattleDuel if rulebook.rules.battle else TurnDuel)({"game": rulebook, "max_plies": 12})
    pyspiel.random_sim_test(duel, num_sims=1, serialize=True, verbose=False)
    for again in (pickle.loads(pickle.dumps(duel)), pyspiel.load_game(str(duel))):
        assert again.parts.rulebook.rules == rulebook.rules
        assert again.get_parameters()["game"] == duel.get_parameters()["game"]
        assert again.max_game_length() == 12
