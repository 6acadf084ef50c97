"""PettingZoo's own tests pass, and its games are the engine's."""

import random
import types
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pettingzoo
import pytest
from hypothesis import HealthCheck, given, settings
from PIL import Image, ImageDraw, ImageFont

from lineduel.envs.board_images import board_pixels
from lineduel.envs.pettingzoo import AGENTS, DuelAEC, DuelParallel
from lineduel.envs.regret import ExactFeedback
from lineduel.errors import NotationError, NotNow
from lineduel.rulebooks import SHIPPED, find_rulebook
from lineduel.rules import Rulebook, Side, assign
from oracles.sequential_play import SequentialPlay
from support.strategies import ALL_GAMES, Played, games_under_way, play_out, rulebooks_that_begin

with warnings.catch_warnings():
    # Where what PettingZoo's own games need is installed, its tests import one in an old way.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import (
        api_test,
        max_cycles_test,
        parallel_api_test,
        parallel_seed_test,
        render_test,
        seed_test,
        state_test,
    )

SAMPLE = ("cross-over", "flag-chase")
DICTIONARIES = pytest.mark.filterwarnings(
    # api_test says so of every environment with an action mask in its observation.
    "ignore:Observation is not a NumPy array",
    "ignore:The observation is not numpy array",
    "ignore:Observation space for each agent probably should be",
)


@DICTIONARIES
@pytest.mark.parametrize("address", SAMPLE)
def test_the_tests_of_pettingzoo_pass(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    check_by_pettingzoo(address, 60)
    assert "Passed" in capsys.readouterr().out


@pytest.mark.long
@DICTIONARIES
@pytest.mark.parametrize("address", ALL_GAMES)
def test_the_tests_of_pettingzoo_pass_for_every_rulebook(address: str) -> None:
    check_by_pettingzoo(address, 1000)


def check_by_pettingzoo(address: str, cycles: int) -> None:
    """All of its tests but bombardment_test, which fails on PettingZoo's own games."""

    def make(**options: Any) -> DuelAEC:
        return DuelAEC(address, max_cycles=100, **options)

    def make_parallel(**options: Any) -> DuelParallel:
        return DuelParallel(address, max_cycles=100, illegal="replaced", **options)

    api_test(make(), num_cycles=cycles)
    seed_test(make, num_cycles=cycles)
    seed_test(lambda: make(illegal="replaced"), num_cycles=cycles)
    render_test(make)
    parallel_api_test(make_parallel(), num_cycles=cycles)
    parallel_seed_test(make_parallel, num_cycles=cycles)
    state_test(make(), make_parallel())


def test_cycles_are_counted_as_pettingzoo_does() -> None:
    """Its test draws actions without a mask or a seed, so illegal ones have to be replaced.

    On a track this long no game ends before it is cut.
    """
    long = assign(find_rulebook("cross-over"), ["track.length=41"])

    def replacing(kind: Callable[..., Any]) -> Callable[..., Any]:
        return lambda max_cycles: kind(long, max_cycles=max_cycles, illegal="replaced")

    max_cycles_test(
        types.SimpleNamespace(env=replacing(DuelAEC), parallel_env=replacing(DuelParallel))
    )


def check_against_engine(rulebook: Rulebook, seed: int) -> None:
    """Follow a random game of each form with the engine."""
    for kind in (play_in_turn, play_in_parallel):
        kind(rulebook, random.Random(seed))


def play_in_turn(rulebook: Rulebook, rng: random.Random) -> None:
    env = DuelAEC(rulebook, max_cycles=30)
    env.reset()
    play = SequentialPlay(env.play.game, env.play.encoding, env.play.game.start())
    winner = play.game.outcome(play.position)
    if winner is not None:
        return
    for agent in env.agent_iter():
        seen, reward, over, cut, info = env.last()
        assert seen is not None
        if over or cut:
            expected = 0 if cut else 1 if AGENTS[(winner or 0) - 1] == agent else -1
            assert reward == expected
            assert not seen["action_mask"].any() or cut
            env.step(None)
            continue
        assert agent == AGENTS[play.chooser - 1]
        assert tuple(np.flatnonzero(seen["action_mask"])) == play.legal
        assert (info["action_mask"] == seen["action_mask"]).all()
        expected_view = play.encoding.observation(play.position, play.chooser)
        assert (seen["observation"] == expected_view).all()
        action = rng.choice(play.legal)
        env.step(action)
        winner = play.play(action)
        assert env.play.position == play.position


def play_in_parallel(rulebook: Rulebook, rng: random.Random) -> None:
    env = DuelParallel(rulebook, max_cycles=30)
    seen, _ = env.reset()
    play = SequentialPlay(env.play.game, env.play.encoding, env.play.game.start())
    while env.agents and play.game.outcome(play.position) is None:
        choosers = [play.position.side] if play.position.battle is None else list(Side)
        actions: dict[str, int | np.integer[Any] | None] = {}
        for agent, side in zip(AGENTS, Side, strict=True):
            legal = play.legal_for(side) if side in choosers else (play.encoding.wait,)
            assert tuple(np.flatnonzero(seen[agent]["action_mask"])) == legal
            actions[agent] = rng.choice(legal)
        seen, rewards, over, _, _ = env.step(actions)
        winner = None
        for side in choosers:
            action = actions[AGENTS[side - 1]]
            assert action is not None
            winner = play.play(int(action))
        assert env.play.position == play.position
        assert over == dict.fromkeys(AGENTS, winner is not None)
        results = {None: (0, 0), Side.ONE: (1, -1), Side.TWO: (-1, 1)}[winner]
        assert tuple(rewards.values()) == results


@pytest.mark.parametrize("address", ALL_GAMES)
def test_its_games_are_the_engines(address: str) -> None:
    check_against_engine(find_rulebook(address), 1)


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(rulebooks_that_begin())
def test_its_games_are_the_engines_for_random_rulebooks(rulebook: Rulebook) -> None:
    check_against_engine(rulebook, 2)


@pytest.mark.parametrize("address", SHIPPED)
def test_the_shipped_rulebooks_are_registered(address: str) -> None:
    made = pettingzoo.make("aec", f"lineduel/{address}-v0", max_cycles=5)
    assert isinstance(made, DuelAEC)
    assert made.max_cycles == 5
    assert isinstance(pettingzoo.make("parallel", f"lineduel/{address}-v0"), DuelParallel)


def test_an_illegal_action_loses() -> None:
    env = DuelAEC("cross-over")
    env.reset()
    env.step(0)
    assert env.terminations == dict.fromkeys(AGENTS, True)
    assert env.rewards == {"player_1": -1, "player_2": 0}
    both = DuelParallel("cross-over")
    both.reset()
    _, rewards, over, _, _ = both.step({"player_1": 3, "player_2": 3})
    assert rewards == {"player_1": 0, "player_2": -1}
    assert all(over.values())


@pytest.mark.parametrize("action", [7, -1, 1.5, "3", None])
def test_what_is_not_an_action_is_refused(action: Any) -> None:
    env = DuelAEC("cross-over")
    env.reset()
    with pytest.raises(NotationError, match="the actions are 0 to 6"):
        env.step(action)
    both = DuelParallel("cross-over")
    both.reset()
    with pytest.raises(NotationError, match="an action"):
        both.step({"player_1": 3})


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64, np.array])
def test_numbers_and_arrays_of_numpy_are_actions(kind: Callable[[int], Any]) -> None:
    """And whatever an agent's own space draws."""
    env, both = DuelAEC("cross-over"), DuelParallel("cross-over")
    env.reset()
    env.step(kind(3))
    assert str(env.play.position) == "0,3,2/10,9,8/2"
    both.reset()
    both.step({"player_1": kind(3), "player_2": kind(7)})
    assert str(both.play.position) == "0,3,2/10,9,8/2"
    env.reset()
    env.step(env.action_space("player_1").sample(env.observe("player_1")["action_mask"]))
    assert not env.terminations["player_1"]


def test_what_is_asked_before_the_start_is_refused() -> None:
    env = DuelAEC("cross-over")
    with pytest.raises(NotNow, match=r"Call reset\(\) before last\(\)"):
        env.last()
    with pytest.raises(NotNow, match=r"Call reset\(\) before observe\(\)"):
        env.observe("player_1")
    env.reset()
    seen = env.last()[0]
    assert seen is not None
    assert (seen["observation"] == env.observe("player_1")["observation"]).all()
    assert env.last(observe=False)[0] is None


@pytest.mark.parametrize("address", SAMPLE)
def test_a_game_begins_at_a_position(address: str) -> None:
    """As a Position or as text; a game under way is left behind."""
    rulebook = find_rulebook(address)
    for position in play_out(rulebook, None, 8, random.Random(4)).positions:
        for asked in (position, str(position)):
            for env in (DuelAEC(rulebook), DuelParallel(rulebook)):
                env.reset(options={"position": asked})
                assert env.play.position == position
                assert (env.state() == env.play.encoding.observation(position, Side.ONE)).all()
                env.reset()
                assert env.play.position == env.play.game.start()


@pytest.mark.parametrize("address", ["cross-over:no-jump", "flag-chase"])
def test_both_forms_tell_the_regret_of_each_agents_last_action(address: str) -> None:
    feedback = ExactFeedback(address)
    table, lost = feedback.states, feedback.action_regrets
    env, both = DuelAEC(address, regret=True), DuelParallel(address, regret=True)
    rng = random.Random(1)
    seen_mistake = False
    for _ in range(30):
        env.reset()
        _, infos = both.reset()
        state, last = table.start, dict[str, float]()
        assert all("regret" not in one for one in (*env.infos.values(), *infos.values()))
        for _ in range(40):
            chosen = dict.fromkeys(AGENTS, both.play.encoding.wait)
            for _ in range(2 if both.play.position.battle else 1):
                agent = env.agent_selection
                chosen[agent] = rng.choice(env.play.view.legal)
                last[agent] = lost[state, chosen[agent]]
                state = int(table.next[state, chosen[agent]])
                env.step(chosen[agent])
                assert env.infos[agent]["regret"] == last[agent]
                assert {name: one.get("regret") for name, one in env.infos.items()} == {
                    name: last.get(name) for name in AGENTS
                }
                seen_mistake |= last[agent] > 0
            _, _, over, _, infos = both.step({**chosen})
            for agent in AGENTS:
                chose = chosen[agent] != both.play.encoding.wait
                assert infos[agent].get("regret") == (last[agent] if chose else None)
            if any(over.values()):
                break
    assert seen_mistake


def test_the_regret_of_an_illegal_action_is_all_there_was() -> None:
    """What is played in its place is judged where it is replaced."""
    value = ExactFeedback("cross-over").values[0]
    env, both = DuelAEC("cross-over", regret=True), DuelParallel("cross-over", regret=True)
    env.reset()
    env.step(0)
    assert env.infos["player_1"]["regret"] == value + 1
    both.reset()
    *_, infos = both.step({"player_1": 3, "player_2": 3})
    assert infos["player_2"]["regret"] == 1 - value
    assert "regret" not in infos["player_1"]
    lucky = DuelAEC("cross-over", regret=True, illegal="replaced")
    lucky.reset(seed=1)
    lucky.step(0)
    assert lucky.infos["player_1"]["regret"] == 0


def test_steps_before_the_start_and_after_the_end_are_refused() -> None:
    env = DuelAEC("cross-over")
    with pytest.raises(NotNow, match="Call reset"):
        env.step(3)
    env.reset()
    env.step(0)
    with pytest.raises(ValueError, match="only valid action is None"):
        env.step(3)
    env.step(None)
    env.step(None)
    with pytest.raises(NotNow, match="The game is over"):
        env.step(None)
    with pytest.raises(NotNow, match="Call reset"):
        DuelParallel().step({})


def test_a_number_is_hidden_until_both_have_chosen() -> None:
    """Player 2 sees the same whatever player 1 has chosen."""
    seen = []
    for number in (3, 7):
        env = DuelAEC("flag-chase")
        env.reset()
        for action in (0, 0, 0, 0):  # 1-2, 5-4, 2-3, 4-3: a battle
            env.step(action)
        assert env.play.position.battle == 3
        assert env.agent_selection == "player_1"
        env.step(number)
        assert env.agent_selection == "player_2"
        seen.append([env.observe(agent)["observation"].tolist() for agent in AGENTS])
    assert seen[0] == seen[1]


def is_written(text: str, image: Any, ink: tuple[int, int, int], ground: Any) -> bool:
    """Whether a text stands somewhere in an image, large enough to be read."""
    font = ImageFont.load_default(18)
    for shift in (0, 0.5):  # letters in the middle of a cell may begin between two pixels
        stamp = Image.new("RGB", (round(font.getlength(text)) + 2, 30), ground)
        ImageDraw.Draw(stamp).text((shift + 1, 15), text, ink, font, anchor="lm")
        drawn = np.array(stamp)
        rows, columns = np.nonzero((drawn != ground).any(axis=2))
        wanted = drawn[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
        if wanted.shape[0] > image.shape[0] or wanted.shape[1] > image.shape[1]:
            continue
        windows = np.lib.stride_tricks.sliding_window_view(image, wanted.shape)[:, :, 0]
        if (windows == wanted).all(axis=(2, 3, 4)).any():
            return True
    return False


def test_an_image_shows_the_pieces_by_name_and_whose_turn_it_is() -> None:
    env = DuelAEC("flag-chase", render_mode="rgb_array")
    blue, orange, red, white = (37, 99, 168), (176, 88, 0), (200, 30, 30), (255, 255, 255)
    sizes = set()
    for position, title, ink in [
        ("1/5/1", "Player 1 to move", blue),
        ("2/5/2", "Player 2 to move", orange),
        ("3/3/1*", "Battle on 3: both choose a number", red),
    ]:
        env.reset(options={"position": position})
        image: Any = env.render()
        sizes.add(image.shape)
        assert is_written(title, image, ink, white)
        assert not is_written("Player 3 to move", image, ink, white)
        assert is_written("P1", image, white, blue)
        assert is_written("P2", image, white, orange)
    assert len(sizes) == 1, "images make a video"


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(games_under_way(12))
def test_every_position_has_an_image_of_the_same_size(played: Played) -> None:
    sizes = {board_pixels(played.game, position).shape for position in played.positions}
    assert len(sizes) == 1


def test_render_modes_and_cycles_are_checked() -> None:
    with pytest.raises(ValueError, match="render_mode has to be 'ansi'"):
        DuelAEC(render_mode="video")
    with pytest.raises(ValueError, match="max_cycles has to be a whole number of at least 1"):
        DuelParallel(max_cycles=0)
    assert DuelAEC("cross-over").render() is None
    text = DuelAEC("cross-over", render_mode="ansi").render()
    assert isinstance(text, str)
    assert text.endswith("0,1,2/10,9,8/1")
