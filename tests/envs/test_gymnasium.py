"""Gymnasium's own check passes, and its games are the engine's."""

from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from hypothesis import HealthCheck, given, settings, strategies as st

from lineduel.engine import Game, Position
from lineduel.envs.encoding import Encoding
from lineduel.envs.gymnasium import DuelEnv, DuelVectorEnv, Seat, environment_id
from lineduel.envs.pettingzoo import DuelAEC, DuelParallel
from lineduel.envs.regret import ExactFeedback
from lineduel.errors import InvalidPosition, NotationError, NotNow, TooLarge, UnknownPlayer
from lineduel.players import Policy
from lineduel.rulebooks import SHIPPED, find_rulebook
from lineduel.rules import Rulebook, Side, rulebook_from_data
from lineduel.solve import is_mistake
from oracles.sequential_play import SequentialPlay
from support.strategies import ALL_GAMES, play_out, rulebooks_that_begin

SAMPLE = ("cross-over", "flag-chase")
SEATS: tuple[Seat, ...] = ("player1", "player2", "either")


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
    """Gymnasium's check passes, and single and vector games are the engine's."""
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
                sides[at] = Side.TWO if seen[at][-2] else Side.ONE
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


def test_the_agent_sits_where_it_asked_to_or_by_lot() -> None:
    check_vector("flag-chase", "random", 10, "player2")
    env = DuelVectorEnv("ctf-tokens", 64)
    seen, _ = env.reset(seed=0)
    assert 10 < seen[:, -2].sum() < 54
    with pytest.raises(ValueError, match="seat has to be 'player1', 'player2' or 'either'"):
        DuelEnv(seat="middle")  # type: ignore[arg-type]


def seats_of(seen: np.ndarray[Any, Any]) -> list[int]:
    """Which player the agent is in each game, by what it sees."""
    return [1 + int(one) for one in seen[:, -2]]


def test_the_seat_is_drawn_for_each_game() -> None:
    """Also when games begin by themselves; so each seat comes up about half of the time."""
    env = DuelVectorEnv("ctf-tokens", 16)
    seen, info = env.reset(seed=0)
    seats = seats_of(seen)
    drawn: list[int] = []
    over = np.zeros(16, np.bool_)
    for _ in range(300):
        before, was_over = seats, over
        seen, _, over, _, info = env.step(info["action_mask"].argmax(axis=1))
        seats = seats_of(seen)
        for game in range(16):
            if was_over[game]:
                drawn.append(seats[game])
            else:
                assert seats[game] == before[game]
    assert len(drawn) > 200
    assert 0.4 < drawn.count(1) / len(drawn) < 0.6
    alone = DuelVectorEnv("ctf-tokens", 1)
    assert {seats_of(alone.reset(seed=seed)[0])[0] for seed in range(10)} == {1, 2}


class Steady:
    """A policy that always takes the same of its choices, counted from the first."""

    name = description = "steady"

    def __init__(self, game: Game, choice: int) -> None:
        self._game, self._choice = game, choice

    def chances(self, position: Position, side: Side) -> tuple[float, ...]:
        size = len(Encoding(self._game.rules).legal(self._game, position, side))
        return tuple(float(one == self._choice % size) for one in range(size))


class Told(NamedTuple):
    """What a step or a reset tells of one game."""

    seen: list[int]
    reward: float
    terminated: bool
    truncated: bool
    mask: list[int]
    regret: float | None


def told_of_many(
    env: DuelVectorEnv, steps: int, options: Any
) -> tuple[list[Any], list[list[Told]]]:
    """Random actions, some of them illegal, and what they told of each game."""
    rng = np.random.default_rng(5)
    size = env.num_envs
    seen, info = env.reset(seed=3, options=options)
    reward, over, cut = np.zeros(size), np.zeros(size, np.bool_), np.zeros(size, np.bool_)
    taken: list[Any] = [None]
    told = []
    for _ in range(steps):
        known = info.get("_regret", np.zeros(size, np.bool_))
        told.append(
            [
                Told(
                    seen[at].tolist(),
                    reward[at],
                    over[at],
                    cut[at],
                    info["action_mask"][at].tolist(),
                    info["regret"][at] if known[at] else None,
                )
                for at in range(size)
            ]
        )
        anything = rng.integers(0, env.encoding.actions, size)
        legal = [rng.choice(np.flatnonzero(row)) if row.any() else 0 for row in info["action_mask"]]
        taken.append(np.where(rng.random(size) < 0.05, anything, legal))
        seen, reward, over, cut, info = env.step(taken[-1])
    return taken, told


def check_replay(
    rulebook: Rulebook,
    opponent: Policy,
    seat: Seat,
    max_plies: int | None,
    positions: list[Position] | None = None,
    *,
    regret: bool = False,
) -> list[Told]:
    """Many games at once go on as single ones do, with the same seats and actions."""
    options: dict[str, Any] = {"max_plies": max_plies} | ({"regret": True} if regret else {})
    size = len(positions or "123")
    asked = {"position": positions} if positions else None
    many = DuelVectorEnv(rulebook, size, opponent, seat=seat, **options)
    taken, told = told_of_many(many, 25, asked)
    singles = [DuelEnv(rulebook, opponent, seat=one, **options) for one in SEATS[:2]]
    for at in range(size):
        over = True
        for step, many_told in enumerate(told):
            expected = many_told[at]
            env = singles[expected.seen[-2]]
            if over:
                first = {"position": positions[at]} if positions and step == 0 else None
                seen, info = env.reset(options=first)
                reward, ended, cut = 0.0, False, False
            else:
                seen, reward, ended, cut, info = env.step(taken[step][at])
            found = (seen.tolist(), reward, ended, cut, info["action_mask"].tolist())
            assert Told(*found, info.get("regret")) == expected
            over = ended or cut
    return [one for row in told for one in row]


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(
    rulebooks_that_begin(),
    st.sampled_from(SEATS),
    st.integers(0, 3),
    st.sampled_from([None, 1, 2, 3, 9]),
)
def test_many_games_go_on_as_single_ones_do(
    rulebook: Rulebook, seat: Seat, choice: int, max_plies: int | None
) -> None:
    """Whatever the rules, with an opponent that leaves nothing to chance."""
    check_replay(rulebook, Steady(Game(rulebook), choice), seat, max_plies)


@pytest.mark.parametrize("address", SHIPPED)
def test_many_games_of_the_shipped_rulebooks_go_on_as_single_ones_do(address: str) -> None:
    rulebook = find_rulebook(address)
    told = check_replay(rulebook, Steady(Game(rulebook), 1), "either", 40)
    assert any(one.terminated for one in told)


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(rulebooks_that_begin(), st.sampled_from(SEATS), st.integers(0, 3))
def test_many_games_begin_anywhere_and_tell_regret_as_single_ones_do(
    rulebook: Rulebook, seat: Seat, choice: int
) -> None:
    game = Game(rulebook)
    played = play_out(rulebook, None, 12, Random(choice)).positions
    positions = [one for one in played if game.outcome(one) is None][-3:]
    if positions:
        check_replay(rulebook, Steady(game, choice), seat, 9, positions, regret=True)


AT_ONCE = rulebook_from_data(
    {
        "title": "At Once",
        "summary": "",
        "track": {"first": 1, "last": 3},
        "player1": {"pieces": {"A": 1}, "goal": [3]},
        "player2": {"pieces": {"B": 2}, "goal": [1]},
        "turn": {"first": "player1"},
        "move": {"steps": [2], "edge": "illegal", "jump": True},
        "meet": {"own": "blocked", "enemy": "captured"},
    },
    "at-once",
)
"""Player 1 wins by its first move."""


def test_a_game_lost_before_the_first_move_is_lost() -> None:
    """The first step says so, after a reset and after every game that begins by itself."""
    one = DuelEnv(AT_ONCE, seat="player2")
    for seed in range(2):
        _, info = one.reset(seed=seed)
        assert not info["action_mask"].any()
        _, reward, over, cut, info = one.step(0)
        assert (reward, over, cut, "illegal" in info) == (-1, True, False, False)
    many = DuelVectorEnv(AT_ONCE, 2, seat="player2")
    _, info = many.reset(seed=1)
    for _ in range(2):
        assert not info["action_mask"].any()
        _, rewards, ended, _, info = many.step([0, 0])
        assert (rewards.tolist(), ended.tolist()) == ([-1, -1], [True, True])
        _, rewards, ended, _, info = many.step([0, 0])
        assert (rewards.tolist(), ended.tolist()) == ([0, 0], [False, False])


def test_a_game_cut_before_the_first_move_is_cut() -> None:
    one = DuelEnv("cross-over", seat="player2", max_plies=1)
    before, _ = one.reset(seed=1)
    seen, *rest, _ = one.step(3)
    assert rest == [0, False, True]
    assert (seen == before).all()
    many = DuelVectorEnv("cross-over", 2, seat="player2", max_plies=1)
    many.reset(seed=1)
    _, rewards, ended, truncated, _ = many.step([3, 3])
    assert rewards.tolist() == [0, 0]
    assert (ended.tolist(), truncated.tolist()) == ([False] * 2, [True] * 2)


@pytest.mark.parametrize("limit", [1, 2, 3, 4])
def test_only_what_is_chosen_before_a_cut_has_a_regret(limit: int) -> None:
    """The opponent begins, so that with one ply the agent never chooses."""
    many = DuelVectorEnv("ctf-tokens", 2, seat="player2", max_plies=limit, regret=True)
    _, info = many.reset(seed=1)
    _, _, _, truncated, info = many.step(info["action_mask"].argmax(axis=1))
    assert info["_regret"].tolist() == [limit > 1] * 2
    assert truncated.tolist() == [limit < 4] * 2


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


def test_a_game_begins_at_a_position() -> None:
    """A position or its text form; in many games at once one for all, or one for each."""
    small = "cross-over:no-jump"
    game = Game(find_rulebook(small))
    played = play_out(game.rulebook, None, 6, Random(1)).positions[4:6]
    encoding = DuelEnv(small).play.encoding
    for position, seat in zip(played, SEATS[:2], strict=True):
        expected = encoding.observation(position, position.side)
        for asked in (position, str(position)):
            one = DuelEnv(small, "level:3", seat=seat)
            many = DuelVectorEnv(small, 2, "level:3", seat=seat)
            options = {"position": asked}
            assert (one.reset(seed=1, options=options)[0] == expected).all()
            assert one.play.position == position
            assert (many.reset(seed=1, options=options)[0] == expected).all()
    many = DuelVectorEnv(small, 2, seat="player1")
    seen, _ = many.reset(options={"position": [str(played[0]), game.start()]})
    for row, position in zip(seen, (played[0], game.start()), strict=True):
        assert (row == encoding.observation(position, Side.ONE)).all()
    with pytest.raises(ValueError, match="position has to be one position or one for each of 2"):
        many.reset(options={"position": [game.start()] * 3})


@pytest.mark.parametrize("opponent", ["random", "level:5", "fallible", "perfect"])
def test_every_opponent_plays_from_positions_that_cannot_come_up(opponent: str) -> None:
    """In a single game; many games at once say what to use instead."""
    elsewhere = "0,1,2/10,9,8/2"  # player 1 begins
    env = DuelEnv("cross-over", opponent, seat="player1")
    for options in ({"position": elsewhere}, None, {"position": elsewhere}):
        _, info = env.reset(seed=1, options=options)
        over = False
        while not over:
            _, _, over, _, info = env.step(int(info["action_mask"].argmax()))
    many = DuelVectorEnv("cross-over", 2, "random")
    with pytest.raises(InvalidPosition, match=r"cannot come up from .*\nUse DuelEnv"):
        many.reset(options={"position": elsewhere})


def test_regret_is_told_of_every_action() -> None:
    """Nothing for what keeps the value, all of a won game for what loses it."""
    feedback = ExactFeedback("cross-over:no-jump")
    env = DuelEnv("cross-over:no-jump", "random", regret=True)
    mistakes = 0
    for seed in range(8):
        _, info = env.reset(seed=seed)
        assert "regret" not in info
        over = False
        while not over:
            before = env.play.position
            action = int(np.flatnonzero(info["action_mask"])[-1])
            move = env.play.encoding.move(env.side, action)
            mistake = is_mistake(feedback.solution, before, move)  # type: ignore[arg-type]
            _, _, over, _, info = env.step(action)
            assert (info["regret"] > 0) == mistake
            mistakes += mistake
    assert mistakes
    assert "regret" not in DuelEnv("cross-over:no-jump").reset()[1]


def test_regret_of_an_illegal_action_is_all_there_was() -> None:
    won = DuelEnv(AT_ONCE, seat="player1", regret=True)
    won.reset(seed=1)
    assert won.step(1)[4]["regret"] == 2
    won.reset(seed=1)
    assert won.step(0)[4]["regret"] == 0
    many = DuelVectorEnv(AT_ONCE, 3, seat="player1", regret=True)
    many.reset(seed=1)
    info = many.step([1, 0, 99])[4]
    assert info["regret"].tolist() == [2, 0, 2]
    assert info["_regret"].tolist() == [True] * 3
    info = many.step([0, 0, 0])[4]
    assert not info["_regret"].any()


@pytest.mark.parametrize("make", [DuelEnv, DuelVectorEnv, DuelAEC, DuelParallel])
def test_rulebooks_too_large_for_regret_are_refused_at_once(
    make: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lineduel.envs.regret.MOST_STATES", 1000)
    with pytest.raises(TooLarge, match=r"more than 1,000 positions.*\nLeave regret out"):
        make("cross-over:no-jump", regret=True)


def test_regret_is_known_only_of_what_can_come_up() -> None:
    env = DuelEnv("cross-over:no-jump", regret=True)
    with pytest.raises(InvalidPosition, match=r"cannot come up from .*\nLeave regret out"):
        env.reset(options={"position": "0,1,2/10,9,8/2"})


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
