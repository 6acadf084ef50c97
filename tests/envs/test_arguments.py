"""A wrong argument of an environment is refused at once, with what is allowed."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from lineduel.engine import Game, Position
from lineduel.envs import Encoding, random_rulebooks
from lineduel.envs.batch import GameBatch
from lineduel.envs.gymnasium import DuelEnv, DuelVectorEnv
from lineduel.envs.jax import make_jax_env
from lineduel.envs.openspiel import BattleDuel, DuelParts
from lineduel.envs.pettingzoo import DuelAEC, DuelParallel
from lineduel.envs.regret import ExactFeedback
from lineduel.envs.state_table import MOST_STATES, state_table
from lineduel.errors import LineduelError, NotationError, TooLarge, UnknownPlayer
from lineduel.graph import PolicyTable
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Side, assign, write_rulebook

WITH_RULEBOOK: list[Callable[..., Any]] = [
    lambda rulebook, **options: GameBatch(rulebook, 4, **options),
    DuelEnv,
    DuelVectorEnv,
    DuelAEC,
    DuelParallel,
    make_jax_env,
    ExactFeedback,
]


@pytest.mark.parametrize("make", [*WITH_RULEBOOK, lambda rulebook: BattleDuel({"game": rulebook})])
def test_every_environment_takes_a_rulebook_in_any_form(
    make: Callable[..., Any], tmp_path: Path
) -> None:
    """A name, a path as text or as a `Path`, a `Rulebook` or a `Game`."""
    rulebook, path = find_rulebook("flag-chase"), tmp_path / "flag-chase.toml"
    path.write_text(write_rulebook(rulebook), encoding="utf-8")
    for given in ("flag-chase", str(path), path, rulebook, Game(rulebook)):
        make(given)
    wanted = "rulebook has to be a name, a path, a Rulebook or a Game, not"
    for wrong in (None, 5, rulebook.rules):
        with pytest.raises(ValueError, match=wanted):
            make(wrong)


@pytest.mark.parametrize("make", WITH_RULEBOOK)
@pytest.mark.parametrize("first", ["x", 3, 0, []])
def test_whoever_begins_is_one_of_the_sides(make: Callable[..., Any], first: object) -> None:
    with pytest.raises(NotationError, match=r"There is no side .*; the sides are 1 and 2\."):
        make("flag-chase", first=first)


REFUSED: dict[str, tuple[Callable[..., Any], dict[str, object], str]] = {
    "the form of a batch": (
        GameBatch,
        {"rulebook": "flag-chase", "size": 4, "form": "bogus"},
        "form has to be 'table', 'cells' or None, not 'bogus'.",
    ),
    "the form in JAX": (
        make_jax_env,
        {"rulebook": "flag-chase", "form": "bogus"},
        "form has to be 'table', 'cells' or None, not 'bogus'.",
    ),
    "the limit in JAX": (
        make_jax_env,
        {"rulebook": "flag-chase", "max_steps": 0},
        "max_steps has to be a whole number of at least 1, not 0.",
    ),
    "threads": (
        GameBatch,
        {"rulebook": "flag-chase", "size": 4, "threads": -1},
        "threads has to be a whole number of at least 1, not -1.",
    ),
    "a limit below 1": (
        DuelEnv,
        {"max_plies": -5},
        "max_plies has to be a whole number of at least 1, not -5.",
    ),
    "a limit of many games": (
        DuelVectorEnv,
        {"max_plies": 2.5},
        "max_plies has to be a whole number of at least 1, not 2.5.",
    ),
    "no game": (
        DuelVectorEnv,
        {"num_envs": None},
        "num_envs has to be a whole number of at least 1, not None.",
    ),
    "Gymnasium's render mode": (
        DuelEnv,
        {"render_mode": "bogus"},
        "render_mode has to be 'ansi', 'human', 'rgb_array' or None, not 'bogus'.",
    ),
    "the render mode of many games": (
        DuelVectorEnv,
        {"render_mode": "human"},
        "render_mode has to be None, not 'human'.",
    ),
    "the seat": (
        DuelVectorEnv,
        {"seat": "middle"},
        "seat has to be 'player1', 'player2' or 'either', not 'middle'.",
    ),
    "the opponent": (
        DuelEnv,
        {"opponent": 5},
        "5 is not a player's name, a policy or a function.",
    ),
    "the opponent of many games": (
        DuelVectorEnv,
        {"opponent": max},
        "<built-in function max> is not a player's name or a policy.",
    ),
    "PettingZoo's render mode": (
        DuelAEC,
        {"render_mode": "video"},
        "render_mode has to be 'ansi', 'human', 'rgb_array' or None, not 'video'.",
    ),
    "illegal actions": (
        DuelParallel,
        {"illegal": "bogus"},
        "illegal has to be 'lose' or 'replaced', not 'bogus'.",
    ),
    "OpenSpiel's limit": (
        DuelParts,
        {"rulebook": find_rulebook("flag-chase"), "max_plies": 0, "first": 0},
        "max_plies has to be a whole number of at least 1, not 0.",
    ),
    "OpenSpiel's first side": (
        DuelParts,
        {"rulebook": find_rulebook("flag-chase"), "max_plies": 9, "first": 3},
        "first has to be 0, 1 or 2, not 3.",
    ),
    "battles of random rulebooks": (
        random_rulebooks,
        {"seed": 1, "battles": "yes"},
        "battles has to be True, False or None, not 'yes'.",
    ),
    "the split": (
        random_rulebooks,
        {"seed": 1, "split": "dev"},
        "split has to be 'train', 'test' or None, not 'dev'.",
    ),
    "few cells": (
        random_rulebooks,
        {"seed": 1, "max_cells": 2},
        "max_cells has to be a whole number of at least 3, not 2.",
    ),
    "no pieces": (
        random_rulebooks,
        {"seed": 1, "max_pieces": 0},
        "max_pieces has to be a whole number of at least 1, not 0.",
    ),
    "a negative count": (
        random_rulebooks,
        {"seed": 1, "count": -1},
        "count has to be a whole number of at least 0, not -1.",
    ),
}


@pytest.mark.parametrize(("make", "options", "why"), REFUSED.values(), ids=REFUSED)
def test_a_wrong_argument_is_refused_with_what_is_allowed(
    make: Callable[..., Any], options: dict[str, object], why: str
) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(why)}$"):
        make(**options)


@pytest.mark.parametrize("ask", ["observe", "observation_space", "action_space"])
def test_there_are_no_agents_but_the_two(ask: str) -> None:
    env = DuelAEC()
    env.reset()
    with pytest.raises(ValueError, match="agent has to be 'player_1' or 'player_2', not 'zz'"):
        getattr(env, ask)("zz")


@pytest.mark.parametrize("form", ["table", "cells"])
@pytest.mark.parametrize("side", [5, -1, 0, "x"])
def test_only_the_two_sides_see_a_batch(form: Any, side: Any) -> None:
    batch = GameBatch("flag-chase", 4, form=form)
    with pytest.raises(ValueError, match="side has to be 1, 2 or None, not"):
        batch.observations(side)
    assert batch.observations(Side.TWO)[:, -2].all()


@pytest.mark.parametrize("action", [99, -1, 8])
def test_a_mask_has_places_for_actions_alone(action: int) -> None:
    encoding = Encoding(find_rulebook("flag-chase").rules)
    with pytest.raises(NotationError, match=f"There is no action {action}; the actions are 0 to 7"):
        encoding.mask([0, action])
    assert encoding.mask([0, 8], wait=True).tolist() == [1, 0, 0, 0, 0, 0, 0, 0, 1]


class _Undecided:
    """A policy of somebody's who gives no move a chance."""

    name = description = "undecided"

    def chances(self, position: Position, side: Side) -> tuple[float, ...]:
        game = Game(find_rulebook("ctf-tokens"))
        return (0.0,) * len(game.moves(position))


def test_an_opponent_without_any_chances_is_refused() -> None:
    with pytest.raises(ValueError, match="Each state needs chances of 0 or more"):
        DuelVectorEnv("ctf-tokens", 2, _Undecided())


def test_feedback_is_about_policies_over_its_own_graph() -> None:
    feedback = ExactFeedback("flag-chase")
    with pytest.raises(ValueError, match=r"arrays of the shapes .*, not \(3,\) and \(2, 0, 5\)"):
        feedback.measure(PolicyTable(np.ones(3), np.ones((2, 0, 5))))
    with pytest.raises(ValueError, match="5 is not a player's name, a policy, a table, an array"):
        feedback.measure(5)  # type: ignore[arg-type]
    with pytest.raises(LineduelError, match="There is no player called 'nobody'"):
        feedback.measure("nobody")


WITH_OPPONENT: list[Callable[[str], Any]] = [
    lambda name: DuelEnv("blockade-duel", name),
    lambda name: DuelVectorEnv("blockade-duel", 2, name),
    lambda name: ExactFeedback("blockade-duel").measure(name),
]


@pytest.mark.parametrize("make", WITH_OPPONENT)
@pytest.mark.parametrize("name", ["nobody", "human", "search", "engine:cat", "serach"])
def test_the_opponents_in_an_error_are_those_that_can_be_had(
    make: Callable[[str], Any], name: str
) -> None:
    with pytest.raises(UnknownPlayer) as refused:
        make(name)
    said, listed = str(refused.value).split("\nThere are ")
    assert said == f"There is no player called '{name}' whose chances are known."
    assert listed == (
        "levels 1 to 8 (1 random, 2 beginner, 3 easy, 4 casual, 5 medium, 6 hard, 7 expert, "
        "8 master), fallible and perfect."
    )
    for one in re.findall(r"\b[13]\b|random|easy|fallible|perfect", listed):
        make(one)


def test_an_unknown_opponent_is_refused_before_the_game_is_solved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr("lineduel.envs.opponents.solve")
    with pytest.raises(UnknownPlayer, match="Did you mean perfect"):
        DuelEnv("cross-over", "perfekt")


def test_too_many_positions_are_refused_with_what_to_use_instead() -> None:
    large = assign(find_rulebook("cross-over"), ["track.length=17"])
    limit = f"There are more than {MOST_STATES:,} positions with pieces told apart, too many for "
    with pytest.raises(TooLarge) as refused:
        DuelVectorEnv(large, 2)
    first, second = str(refused.value).splitlines()
    assert first == f"{limit}DuelVectorEnv."
    assert 'vectorization_mode="sync"' in second
    assert "lineduel.envs.batch" in second
    singles = gymnasium.make_vec(
        "lineduel/CrossOver-v0", num_envs=2, vectorization_mode="sync", rulebook=large
    )
    assert singles.reset(seed=1)[0].shape == (2, Encoding(large.rules).size)
    with pytest.raises(TooLarge, match="too many for a table of states") as refused:
        state_table(Game(find_rulebook("cross-over")), most=1000)
    assert 'form="cells"' in str(refused.value)


SMALL = "cross-over:no-jump"
WITH_POSITION: dict[str, Callable[[Any], Any]] = {
    "one game": lambda position: DuelEnv(SMALL).reset(options={"position": position}),
    "many games": lambda position: DuelVectorEnv(SMALL).reset(options={"position": position}),
    "a position for each of many": lambda position: DuelVectorEnv(SMALL, 2).reset(
        options={"position": ["0,1,2/10,9,8/1", position]}
    ),
    "one agent after the other": lambda position: DuelAEC(SMALL).reset(
        options={"position": position}
    ),
    "both agents at once": lambda position: DuelParallel(SMALL).reset(
        options={"position": position}
    ),
    "a batch": lambda position: GameBatch(SMALL, 2, position=position),
    "JAX": lambda position: make_jax_env(SMALL, position=position),
}


@pytest.mark.parametrize("begin", WITH_POSITION.values(), ids=WITH_POSITION)
def test_a_wrong_position_is_refused(begin: Callable[[Any], Any]) -> None:
    over = "0,1,8/10,9,7/2"
    begin("0,1,2/10,9,8/1")
    for wrong, why in {
        "0,1,2": "'0,1,2' is not a valid position. Write player 1's cells",
        "0,1,99/10,9,8/1": "off the track",
        "0,1/10,9,8/1": "player 1 has 3 pieces",
        over: f"The game is over in {over}; choose a position where it still goes on.",
    }.items():
        with pytest.raises(LineduelError, match=re.escape(why)):
            begin(wrong)
    with pytest.raises(LineduelError, match="player 1 has 3 pieces"):
        begin(Position((1,), (5,), Side.ONE))
    with pytest.raises(ValueError, match="position has to be a position or its text form, not 5"):
        begin(5)


@pytest.mark.parametrize("make", [lambda **to: GameBatch("cross-over", 2, **to), make_jax_env])
def test_a_position_says_who_moves_first(make: Callable[..., Any]) -> None:
    options = {} if make is not make_jax_env else {"rulebook": "cross-over"}
    with pytest.raises(ValueError, match="Give first or position; a position says who moves"):
        make(first=Side.ONE, position="0,1,2/10,9,8/1", **options)


def test_a_batch_begins_at_a_position_each_time() -> None:
    for form in ("table", "cells"):
        batch = GameBatch("flag-chase", 3, position="3/3/2*", form=form, max_plies=2)
        assert str(batch.position(0)) == "3/3/2*"
        for _ in range(2):
            ended = batch.step(batch.random_actions())
        assert ended.truncated.all()
        assert str(batch.position(2)) == "3/3/2*"
