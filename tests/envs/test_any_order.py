"""Whatever is called in whatever order, an environment is as a fresh one that played the same."""

import copy
import pickle
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pyspiel
import pytest

from lineduel.envs.batch import GameBatch
from lineduel.envs.gymnasium import DuelEnv, DuelVectorEnv
from lineduel.envs.openspiel import BattleDuel
from lineduel.envs.pettingzoo import DuelAEC, DuelParallel
from lineduel.errors import LineduelError
from support.repetition import tried

GAME = "flag-chase"
POSITIONS = ("1/5/1", "3/3/1*", "2/4/2", "2/2/2*", "1/3/1")
"""Where games begin: at the start, in a battle, and one step before one."""
BOTH = ("player_1", "player_2")


def plain(found: Any) -> Any:
    """Something that was returned, to be compared and kept."""
    match found:
        case np.ndarray():
            return found.tolist()
        case dict():
            return {key: plain(one) for key, one in found.items()}
        case list() | tuple():
            return [plain(one) for one in found]
        case _:
            return found


def wished(wish: float, legal: Any) -> int:
    """One of the legal actions; now and then one that may be illegal."""
    actions = list(legal)
    return (
        int(actions[int(wish * len(actions))]) if actions and wish < 0.97 else int(wish * 1000) % 8
    )


class Single:
    """One game of Gymnasium's."""

    def __init__(self) -> None:
        self.env = DuelEnv(GAME, "level:2", max_plies=9, regret=True)

    def begin(self, seed: int | None, position: str | None) -> Any:
        return self.env.reset(seed=seed, options=position and {"position": position})  # type: ignore[arg-type]

    def step(self, wish: float) -> Any:
        return self.env.step(wished(wish, np.flatnonzero(self.env.action_masks())))

    def look(self) -> Any:
        play = self.env.play
        return self.env.side, play.position, play.number, self.env.action_masks(), play.view.seen(1)


class Many:
    """Many games of Gymnasium's."""

    def __init__(self) -> None:
        self.env = DuelVectorEnv(GAME, 5, "level:2", max_plies=9, regret=True)
        self.masks = np.zeros((5, 1))

    def begin(self, seed: int | None, position: str | None) -> Any:
        options = None if position is None else {"position": position}
        seen, info = self.env.reset(seed=seed, options=options)
        self.masks = info["action_mask"]
        return seen, info

    def step(self, wish: float) -> Any:
        actions = [
            wished(wish * part % 1, np.flatnonzero(mask)) for part, mask in enumerate(self.masks)
        ]
        told = self.env.step(np.array(actions))
        self.masks = told[-1]["action_mask"]
        return told

    def look(self) -> Any:
        return self.masks


class InTurn:
    """PettingZoo's agents, one after the other."""

    def __init__(self) -> None:
        self.env = DuelAEC(GAME, max_cycles=6, illegal="replaced", regret=True)

    def begin(self, seed: int | None, position: str | None) -> Any:
        self.env.reset(seed=seed, options=position and {"position": position})  # type: ignore[arg-type]
        return self.look()

    def step(self, wish: float) -> Any:
        if not self.env.agents:
            self.env.step(0)
        seen, *told = self.env.last()
        assert seen is not None
        self.env.step(None if any(told[1:3]) else wished(wish, np.flatnonzero(seen["action_mask"])))
        return self.look()

    def look(self) -> Any:
        env = self.env
        told = env.last() if env.agents else ()
        return told, env.rewards, env.infos, env.state(), [env.observe(one) for one in BOTH]


class AtOnce:
    """PettingZoo's agents, both at once."""

    def __init__(self) -> None:
        self.env = DuelParallel(GAME, max_cycles=6, illegal="replaced", regret=True)
        self.told: Any = None

    def begin(self, seed: int | None, position: str | None) -> Any:
        self.told = self.env.reset(seed=seed, options=position and {"position": position})  # type: ignore[arg-type]
        return self.told

    def step(self, wish: float) -> Any:
        actions: dict[str, Any] = {
            agent: wished(wish * part % 1, np.flatnonzero(seen["action_mask"]))
            for part, (agent, seen) in enumerate(self.told[0].items(), start=1)
        }
        self.told = self.env.step(actions)
        return self.told

    def look(self) -> Any:
        return self.told, self.env.state(), self.env.agents


class Batch:
    """Many games at once as arrays."""

    def __init__(self, form: Any) -> None:
        self.env = GameBatch(GAME, 6, form=form, max_plies=7)
        self.drawn: list[int] | None = None

    def begin(self, seed: int | None, position: str | None) -> Any:
        if position not in (None, POSITIONS[0]):
            raise LineduelError("a batch has one start")
        self.env.reset(seed)
        assert self.drawn in (None, plain(self.env.last_actions))
        return self.look()

    def step(self, wish: float) -> Any:
        observe, env = wish < 0.5, self.env
        if wish % 0.2 < 0.1:
            self.drawn = plain(copy.deepcopy(env).random_actions())
            return plain(env.step_randomly(observe=observe))
        actions = env.masks().argmax(axis=1)
        if wish < 0.7:
            actions, self.drawn = env.random_actions().copy(), plain(env.last_actions)
        if wish > 0.9:
            actions[3] = 200
        return plain(env.step(actions, observe=observe))

    def look(self) -> Any:
        env = self.env
        positions = [env.position(game) for game in range(env.size)]
        return positions, plain(env.masks()), plain(env.observations()), plain(env.plies)


class Spiel:
    """A state of OpenSpiel's; begun again, it is a new state of the same game."""

    def __init__(self) -> None:
        self.env: Any = BattleDuel({"game": GAME, "max_plies": 8})
        self.state = self.env.new_initial_state()

    def begin(self, seed: int | None, position: str | None) -> Any:
        self.state = self.env.new_initial_state(position)
        return self.look()

    def step(self, wish: float) -> Any:
        state = self.state
        if state.is_simultaneous_node():
            mine, theirs = (state.legal_actions(player) for player in (0, 1))
            state.apply_actions([mine[int(wish * len(mine))], theirs[int(wish * 7) % len(theirs)]])
        else:
            state.apply_action(state.legal_actions()[int(wish * len(state.legal_actions()))])
        return self.look()

    def look(self) -> Any:
        state = self.state
        again = self.env.new_initial_state(state.serialize())
        clone = state.clone()
        seen = [state.observation_tensor(player) for player in (0, 1)]
        names = str(state), str(clone), str(again)
        return names, state.serialize(), clone.serialize(), state.returns(), seen


SUBJECTS: dict[str, Callable[[], Any]] = {
    "single": Single,
    "many": Many,
    "in turn": InTurn,
    "at once": AtOnce,
    "table": lambda: Batch("table"),
    "cells": lambda: Batch("cells"),
    "openspiel": Spiel,
}
REFUSED = (LineduelError, ValueError, IndexError, gymnasium.error.Error, pyspiel.SpielError)
Call = tuple[str, Any]


def called(subject: Any, call: Call) -> Any:
    """What a call gives back, or how it is refused."""
    name, argument = call
    try:
        found = subject.begin(*argument) if name == "begin" else subject.step(argument)
    except REFUSED as error:
        return str(error)
    return plain(found)


def calls(chance: Random) -> Iterator[Call]:
    """Seeds, positions, wrong ones of either, and steps, in any order."""
    yield "begin", (chance.randrange(9), None)
    while True:
        if chance.random() < 0.8:
            yield "step", chance.random()
        else:
            seed = chance.choice((None, None, chance.randrange(9), -1))
            yield "begin", (seed, chance.choice((None, *POSITIONS, "9/9/1", "nonsense")))


@tried(6, 150)
@pytest.mark.parametrize("make", SUBJECTS.values(), ids=SUBJECTS)
def test_in_any_order_it_is_as_a_fresh_one(make: Callable[[], Any], times: int) -> None:
    """A seed makes all that follows repeatable, games without a seed of their own included.

    To look changes nothing, what is refused changes nothing, and a copy goes on where it was made.
    """
    copies = (copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one)))
    for seed in range(times):
        chance, subject = Random(seed), make()
        script: list[tuple[Call, Any]] = []
        for call, _ in zip(calls(chance), range(40), strict=False):
            before = plain(subject.look()) if script else None
            told = called(subject, call)
            if isinstance(told, str):
                assert plain(subject.look()) == before, (seed, call, told)
                continue
            if call[0] == "begin" and call[1][0] is not None:
                script.clear()
            script.append((call, told))
            if chance.random() < 0.3:
                assert plain(subject.look()) == plain(subject.look())
            if chance.random() < 0.1 and not isinstance(subject, Spiel):
                subject = chance.choice(copies)(subject)
            if chance.random() < 0.1:
                fresh = make()
                assert [called(fresh, one) for one, _ in script] == [told for _, told in script], (
                    seed
                )
                assert plain(fresh.look()) == plain(subject.look()), seed
