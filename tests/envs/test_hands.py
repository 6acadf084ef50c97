"""Environments of rulebooks in which numbers are spent: hands are seen, and limit what is legal."""

from dataclasses import replace
from functools import partial
from random import Random

import numpy as np
import pytest

from envs import test_batch, test_jax, test_pettingzoo, test_regret
from lineduel.agents import AgentQuestion
from lineduel.engine import Game, Numbers
from lineduel.envs import ExactFeedback
from lineduel.envs.encoding import Encoding
from lineduel.record import read_position
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Rulebook, Side, Words, parse_rules
from lineduel.solve import solve
from support.strategies import play_out

RULES = (
    "track.first=1; track.last=4; player1.pieces=A:1; player1.goal=4; player2.pieces=X:4,Y:3; "
    "player2.goal=1; turn.first=player1; move.steps=1,3; move.edge=illegal; move.jump=true; "
    "meet.own=blocked; meet.enemy=battle; battle.numbers=3; battle.wins=higher; battle.hand=spent"
)
SPENT = Rulebook(id="spent", title="Spent", summary="", rules=parse_rules(RULES), words=Words())
NINE = replace(
    SPENT, rules=parse_rules(RULES.replace("battle.numbers=3", "battle.numbers=9")), id="nine"
)
"""With more numbers than one item of a row holds."""


def test_an_observation_shows_both_hands_own_first() -> None:
    game = Game(NINE)
    encoding = Encoding(game.rules)
    position = read_position(game, "3/4,3/1*;189/2")
    for side, hands in ((Side.ONE, ((1, 8, 9), (2,))), (Side.TWO, ((2,), (1, 8, 9)))):
        seen = encoding.observation(position, side)
        shown = seen[-2 - 18 : -2].reshape(2, 9)
        assert [tuple((np.flatnonzero(one) + 1).tolist()) for one in shown] == [*hands]
        assert encoding.position(seen) == position
        legal = encoding.legal(game, position, side)
        assert [encoding.move(side, action) for action in legal] == [*hands[0]]


@pytest.mark.parametrize("seed", range(6))
def test_every_position_can_be_told_from_what_a_side_sees(seed: int) -> None:
    encoding = Encoding(NINE.rules)
    played = play_out(NINE, None, 25, Random(seed))
    assert any(isinstance(move, Numbers) for move in played.moves) or seed
    for position in played.positions:
        for side in Side:
            assert encoding.position(encoding.observation(position, side)) == position


@pytest.mark.parametrize("form", ["table", "cells"])
def test_a_batch_plays_the_engines_games(form: str) -> None:
    test_batch.check_against_engine(SPENT, form, size=6, steps=60, max_plies=30)
    if form == "cells":
        test_batch.check_against_engine(NINE, form, size=6, steps=60, max_plies=30)


@pytest.mark.parametrize("form", ["table", "cells"])
def test_jax_plays_the_engines_games(form: str) -> None:
    test_jax.check_against_engine(SPENT, form, 4, 30)


def test_pettingzoo_plays_the_engines_games() -> None:
    for seed in range(4):
        test_pettingzoo.check_against_engine(SPENT, seed)


def test_regret_is_exact() -> None:
    test_regret.check_actions(SPENT)
    test_regret.check_action_regrets(ExactFeedback(SPENT))
    for side in Side:
        test_regret.check_best_response(SPENT, side)


@pytest.mark.parametrize("rulebook", [find_rulebook("flag-chase"), SPENT], ids=["kept", "spent"])
def test_the_learner_answers_in_battles_too(
    rulebook: Rulebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a number in its own hand; its training is left out here."""
    game = Game(rulebook)
    alphazero = test_regret.example("alphazero")
    monkeypatch.setattr(alphazero, "LEARNER_ROUNDS", 0)
    monkeypatch.setattr(alphazero, "LEARNER_SIMULATIONS", 2)
    walk, chance, asked = game.start(), Random(1), 0
    while asked < 4:
        moves = game.moves(walk)
        if walk.battle is not None:
            for side in Side:
                question = AgentQuestion(
                    text="",
                    game=game,
                    position=walk,
                    side=side,
                    seed=5,
                    exam_seed=1,
                    solution=partial(solve, game, walk),
                )
                answer = alphazero.Learner().answer(question, 60.0).text
                assert int(answer.removeprefix("ANSWER: ")) in game.hand(walk, side)
                asked += 1
        walk = game.play(walk, chance.choice(moves)) if moves else game.start()
