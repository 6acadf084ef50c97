"""Gymnasium's own check passes, and its games are the engine's."""

from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from lineduel.envs.gymnasium import DuelEnv, DuelVectorEnv, Seat, environment_id
from lineduel.errors import NotationError, NotNow, UnknownPlayer
from lineduel.rulebooks import SHIPPED
from lineduel.rules import Side
from sequential_play import SequentialPlay
from strategies import ALL_GAMES

SAMPLE = ("cross-over", "flag-chase")


@pytest.mark.parametrize("address", SAMPLE)
def test_the_check_of_gymnasium_passes(address: str) -> None:
    check_env(DuelEnv(address, max_plies=60), skip_render_check=True)
    for mode in DuelEnv.metadata["render_modes"]:
        env = DuelEnv(address, render_mode=mode)
        env.reset(seed=1)
        shown = env.render()
        kinds: dict[str, type] = {"ansi": str, "human": type(None), "rgb_array": np.ndarray}
        assert isinstance(shown, kinds[mode])


@pytest.mark.long
@pytest.mark.parametrize("address", ALL_GAMES)
@pytest.mark.parametrize("opponent", ["random", "level:5", "perfect"])
def test_every_rulebook_and_opponent(address: str, opponent: str) -> None:
    check_env(DuelEnv(address, opponent, max_plies=60), skip_render_check=True)
    check_single(address, opponent)
    check_vector(address, opponent, steps=200)


def check_single(address: str, opponent: str) -> None:
    """Play random games, and find each observation among those that the engine allows."""
    env = DuelEnv(address, opponent, max_plies=50)
    rng = np.random.default_rng(1)
    for seed in range(5):
        seen, info = env.reset(seed=seed)
        over = False
        while not over:
            assert (seen == env.play.encoding.observation(env.play.position, env.side)).all()
            legal = np.flatnonzero(info["action_mask"])
            assert tuple(legal) == env.play.view.legal
            seen, reward, ended, cut, info = env.step(rng.choice(legal))
            over = ended or cut
            assert ended == (env.play.winner is not None)
            assert reward == (0 if not ended else 1 if env.play.winner is env.side else -1)


@pytest.mark.parametrize("opponent", ["random", "level:2", "perfect"])
def test_single_games_are_the_engines(opponent: str) -> None:
    check_single("flag-chase", opponent)


def replies(play: SequentialPlay, side: Side) -> list[SequentialPlay]:
    """Where the opponent's legal actions can lead, until `side` chooses or the game is over."""
    if play.game.outcome(play.position) is not None or play.chooser is side:
        return [play]
    found = []
    for action in play.legal:
        after = replace(play)
        after.play(action)
        found += replies(after, side)
    return found


def check_vector(address: str, opponent: str, steps: int, seat: Seat = "either") -> None:
    """Each game goes on as some legal reply of the opponent makes it."""
    env = DuelVectorEnv(address, 4, opponent, seat=seat)
    rng = np.random.default_rng(2)
    seen, info = env.reset(seed=4)
    game = DuelEnv(address).play.game

    def begun(at: int) -> list[SequentialPlay]:
        start = SequentialPlay(game, env.encoding, game.start())
        return replies(start, sides[at])

    def matching(at: int, plays: list[SequentialPlay]) -> list[SequentialPlay]:
        """Those that look like this and, in a battle, may have any hidden number."""
        each_once = {(play.position, play.number): play for play in plays}.values()
        fitting = [
            play
            for play in each_once
            if (env.encoding.observation(play.position, sides[at]) == seen[at]).all()
        ]
        assert fitting
        return fitting

    sides = [Side.TWO if one[-2] else Side.ONE for one in seen]
    games = [matching(at, begun(at)) for at in range(4)]
    over = np.zeros(4, np.bool_)
    for _ in range(steps):
        masks = info["action_mask"]
        for at, plays in enumerate(games):
            if not over[at]:
                assert tuple(np.flatnonzero(masks[at])) == plays[0].legal
        actions = np.array([rng.choice(np.flatnonzero(row)) if row.any() else 0 for row in masks])
        was_over = over
        seen, rewards, over, cut, info = env.step(actions)
        assert not cut.any()
        for at in range(4):
            if was_over[at]:
                games[at] = matching(at, begun(at))
                assert rewards[at] == 0
                continue
            reached = []
            for play in games[at]:
                after = replace(play)
                after.play(int(actions[at]))
                reached += replies(after, sides[at])
            games[at] = matching(at, reached)
            winner = game.outcome(games[at][0].position)
            assert over[at] == (winner is not None)
            assert rewards[at] == (0 if winner is None else 1 if winner is sides[at] else -1)


@pytest.mark.parametrize(
    ("address", "opponent"),
    [("cross-over", "random"), ("flag-chase", "level:3"), ("ctf-tokens", "perfect")],
)
def test_vector_games_are_the_engines(address: str, opponent: str) -> None:
    check_vector(address, opponent, steps=60)


def test_seats() -> None:
    check_vector("flag-chase", "random", 10, "player2")
    env = DuelVectorEnv("ctf-tokens", 64)
    seen, _ = env.reset(seed=0)
    assert 10 < seen[:, -2].sum() < 54
    with pytest.raises(ValueError, match="seat has to be 'player1', 'player2' or 'either'"):
        DuelEnv(seat="middle")  # type: ignore[arg-type]


def test_the_same_seed_gives_the_same_games() -> None:
    env = DuelVectorEnv("cross-over", 8, "level:2", max_plies=30)
    told = []
    for _ in range(2):
        seen, info = env.reset(seed=9)
        run = [seen]
        for _ in range(40):
            seen, *_, info = env.step(info["action_mask"].argmax(axis=1))
            run.append(seen)
        told.append(np.array(run))
    assert (told[0] == told[1]).all()


@pytest.mark.parametrize("address", SHIPPED)
def test_the_shipped_rulebooks_are_registered(address: str) -> None:
    env = gymnasium.make(environment_id(address), opponent="level:1")
    env.reset(seed=1)
    many = gymnasium.make_vec(environment_id(address), num_envs=3, opponent="level:1")
    assert isinstance(many, DuelVectorEnv)
    assert many.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert environment_id("cross-over") == "lineduel/CrossOver-v0"


def test_a_function_can_be_the_opponent() -> None:
    """It sees its own side, and chooses the first legal action."""
    lookers: set[int] = set()

    def first_legal(seen: Any, mask: Any) -> int:
        lookers.add(int(seen[-2]))
        return int(mask.argmax())

    env = DuelEnv("cross-over", first_legal, seat="player1")
    _, info = env.reset(seed=1)
    for _ in range(5):
        *_, info = env.step(int(info["action_mask"].argmax()))
    assert lookers == {1}
    assert env.action_masks().dtype == np.bool_


def test_illegal_actions_lose_and_wrong_ones_are_refused() -> None:
    env = DuelEnv("cross-over", seat="player1")
    with pytest.raises(NotNow, match="Call reset"):
        env.step(3)
    env.reset(seed=1)
    with pytest.raises(NotationError, match="the actions are 0 to 6"):
        env.step(1.5)  # type: ignore[arg-type]
    _, reward, over, cut, info = env.step(0)
    assert (reward, over, cut, info["illegal"]) == (-1, True, False, True)
    with pytest.raises(NotNow, match="after the end"):
        env.step(3)
    many = DuelVectorEnv("cross-over", 2, seat="player1")
    with pytest.raises(NotNow, match="Call reset"):
        many.step([3, 3])
    many.reset(seed=1)
    for wrong in ([3], [3.5, 3.5], [[3, 3]]):
        with pytest.raises(ValueError, match="step takes 2 whole numbers"):
            many.step(wrong)
    _, rewards, terminated, _, _ = many.step([0, 3])
    assert rewards.tolist() == [-1, 0]
    assert terminated.tolist() == [True, False]
    with pytest.raises(ValueError, match="A seed is one whole number"):
        many.reset(seed=[1, 2])
    with pytest.raises(UnknownPlayer):
        DuelEnv("cross-over", "nobody")


@pytest.mark.parametrize("kind", ["u8", ">u8", "i8"])
def test_numbers_of_any_type_that_are_no_actions_lose(kind: str) -> None:
    many = DuelVectorEnv("cross-over", 2, seat="player1")
    many.reset(seed=1)
    wrong = np.array([2**63, 2**64 - 1], "u8").astype(kind)
    _, rewards, terminated, _, _ = many.step(wrong)
    assert rewards.tolist() == [-1, -1]
    assert terminated.all()


def test_long_games_are_cut() -> None:
    env = DuelEnv("flag-chase", max_plies=3)
    env.reset(seed=1)
    cut = False
    for _ in range(3):
        _, _, over, cut, info = env.step(1)
        if cut or over:
            break
    assert cut
    many = DuelVectorEnv("flag-chase", 2, max_plies=3)
    _, info = many.reset(seed=1)
    for _ in range(3):
        _, rewards, ended, truncated, info = many.step(info["action_mask"].argmax(axis=1))
        if truncated.any():
            break
    assert truncated.any()
    assert not ended.any()
    assert not rewards.any()
