"""What is said about a policy is exact: best responses, regret, mistakes, and the curve."""

import importlib.util
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from documents.test_json_documents import printed
from lineduel.engine import Game, Numbers, Position
from lineduel.envs.best_response import best_response
from lineduel.envs.encoding import Encoding
from lineduel.envs.opponents import cumulative_chances
from lineduel.envs.regret import (
    CurveCallback,
    ExactFeedback,
    MoveRegret,
    move_regrets,
    record_regrets,
)
from lineduel.envs.state_table import MOST_STATES, table_of_rows
from lineduel.errors import IllegalMove, TooLarge
from lineduel.graph import result_of, rows_told_apart
from lineduel.record import Record
from lineduel.rulebooks import SHIPPED, find_rulebook
from lineduel.rules import Rulebook, Side, assign, rulebook_from_data
from lineduel.solve import PlainSolution, Value, keeping_moves, keeping_numbers, solve
from lineduel.solve.table import solve_table
from oracles.best_reply import best_reply
from support.program import Program
from support.strategies import battle_rulebooks, play_out, rulebooks_that_begin

SMALL = ("blockade-duel", "flag-chase", "ctf-tokens")
THREE_A_SIDE = {
    "title": "Three a Side",
    "summary": "Battles, and a race.",
    "track": {"first": 1, "last": 11},
    "player1": {"pieces": {"A": 1, "B": 2, "C": 3}, "goal": [11]},
    "player2": {"pieces": {"D": 11, "E": 10, "F": 9}, "goal": [1]},
    "turn": {"first": "player1"},
    "move": {"steps": [1, 2]},
    "meet": {"own": "shared", "enemy": "battle"},
    "battle": {"numbers": 5, "loser": "captured", "wins": "undercut"},
}
"""113,527 positions, and more than a million if like pieces are told apart."""


@pytest.mark.parametrize("address", SMALL)
@pytest.mark.parametrize("side", Side)
def test_the_best_response_agrees_with_exact_fractions(address: str, side: Side) -> None:
    check_best_response(find_rulebook(address), side)


@pytest.mark.long
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(rulebooks_that_begin())
def test_the_best_response_agrees_for_random_rulebooks(rulebook: Rulebook) -> None:
    for side in () if spends_in_many_states(rulebook) else Side:
        check_best_response(rulebook, side)


def spends_in_many_states(rulebook: Rulebook) -> bool:
    """Whether numbers are spent, and solving and looking at every state would take long."""
    battle = rulebook.rules.battle
    if battle is None or not battle.hand.is_spent:
        return False
    try:
        rows_told_apart(rulebook.rules, Game(rulebook).start(), 500)
    except TooLarge:
        return True
    return False


def check_best_response(rulebook: Rulebook, side: Side) -> None:
    """Against a player for whom all moves are alike."""
    feedback = ExactFeedback(rulebook)
    game, solution = feedback.game, feedback.solution
    if not isinstance(solution, PlainSolution) or len(feedback.graph) > 400:
        return

    def evenly(position: Position, side: Side) -> tuple[Fraction, ...]:
        size = len(Encoding(game.rules).legal(game, position, side))
        return (Fraction(1, size),) * size

    exact = best_reply(solution, side, evenly)
    found = best_response(feedback.graph, feedback.table("random"), side.other)
    sign = 1 if side is Side.ONE else -1
    for at, position in enumerate(feedback.graph.positions):
        expected = float(exact[solution.likeness.standing_for(position)])
        assert sign * found[at] == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("address", SMALL)
def test_perfect_play_gives_nothing_away(address: str) -> None:
    feedback = ExactFeedback(find_rulebook(address))
    strength = feedback.measure("perfect", levels=(1,))
    assert strength.exploitability == pytest.approx(0, abs=1e-6)
    assert strength.regret == pytest.approx(0, abs=1e-6)
    assert all(share == 0 for share in strength.mistakes.values())
    assert feedback.regrets("perfect").max() == pytest.approx(0, abs=1e-6)


def test_levels_are_paired_as_the_graph_does_it() -> None:
    feedback = ExactFeedback(find_rulebook("ctf-tokens"))
    one, two = feedback.table("level:2"), feedback.table("level:4")
    expected = result_of(feedback.graph, one, two).value
    assert feedback.measure("level:2", levels=(4,)).against[4][0] == expected


@pytest.mark.parametrize("address", SMALL)
def test_all_forms_of_a_policy_say_the_same(address: str) -> None:
    """A name, an array and a function."""
    feedback = ExactFeedback(find_rulebook(address))
    expected = feedback.measure("random")
    assert feedback.measure(feedback.masks.astype(np.float64)) == expected
    assert feedback.measure(lambda seen, mask: 2.0 * mask) == expected
    observations = feedback.observations
    for state in range(0, len(observations), 7):
        position = feedback.graph.positions[int(feedback.states.position[state])]
        side = Side.ONE if state < feedback.states.second else Side.TWO
        assert (observations[state] == feedback.encoding.observation(position, side)).all()


def test_policies_of_a_wrong_shape_are_refused() -> None:
    feedback = ExactFeedback(find_rulebook("blockade-duel"))
    with pytest.raises(ValueError, match="a row for each of"):
        feedback.measure(np.ones((3, 3)))
    with pytest.raises(ValueError, match="a legal action above 0"):
        feedback.measure(np.zeros(feedback.masks.shape))


def test_chances_of_opponents_add_up() -> None:
    for name in ("random", "level:4", "perfect"):
        game = Game(find_rulebook("flag-chase"))
        found = rows_told_apart(game.rules, game.start(), 1000)
        table = table_of_rows(game, found)
        summed = cumulative_chances(name, game, game.start(), found, table)
        assert (summed[:, -1] == 1 << 32).all()
        chances = np.diff(summed.astype(np.float64), axis=1, prepend=0)
        assert (chances[table.next < 0] == 0).all()


def test_each_move_of_a_record_is_judged() -> None:
    rulebook = find_rulebook("cross-over")
    feedback = ExactFeedback(rulebook)
    played = play_out(rulebook, None, 30, Random(3))
    record = Record(rulebook=rulebook, start=played.start, moves=played.moves)
    judged = record_regrets(feedback.solution, record)
    assert [one.move for one in judged] == list(played.moves)
    for one in judged:
        before = feedback.solution.value(played.positions[one.ply])
        after = feedback.solution.value(played.positions[one.ply + 1])
        assert one.side is played.positions[one.ply].side
        gave_away = before.winner is one.side and after.winner is not one.side
        assert (one.regret > 0) == (gave_away or before.sure(one.side) > after.sure(one.side))
    assert any(one.regret for one in judged)


def test_each_number_of_a_recorded_battle_is_judged() -> None:
    judged = check_record(assign(find_rulebook("flag-chase"), ["battle.wins=undercut"]))
    in_battles = [one for one in judged if isinstance(one.move, Numbers)]
    assert {one.side for one in in_battles if one.regret > 0} == {*Side}


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(battle_rulebooks())
def test_records_of_random_rulebooks_are_judged_as_actions_are(rulebook: Rulebook) -> None:
    if spends_in_many_states(rulebook):
        return
    if len(rows_told_apart(rulebook.rules, Game(rulebook).start(), MOST_STATES).side) <= 1000:
        check_record(rulebook)


def check_record(rulebook: Rulebook) -> list[MoveRegret]:
    """What is said about a record: an entry for each move, and in a battle one for each side."""
    feedback = ExactFeedback(rulebook)
    played = play_out(rulebook, None, 60, Random(3))
    record = Record(rulebook=rulebook, start=played.start, moves=played.moves)
    judged = record_regrets(feedback.solution, record)
    assert [(one.ply, one.side) for one in judged] == [
        (ply, side)
        for ply, move in enumerate(played.moves)
        for side in (Side if isinstance(move, Numbers) else (played.positions[ply].side,))
    ]
    regrets = feedback.action_regrets
    for one in judged:
        assert one.move == played.moves[one.ply]
        state = state_of(feedback, played.positions[one.ply], one.side)
        action = feedback.encoding.actions_of(one.move)[-1 if one.side is Side.TWO else 0]
        assert one.regret == pytest.approx(regrets[state, action], abs=1e-9)
        value = feedback.solution.value(played.positions[one.ply])
        assert one.plies == (value.plies if value.winner is one.side else None)
    return judged


def state_of(feedback: ExactFeedback, position: Position, side: Side) -> int:
    """A state of that position in which a side chooses."""
    states = feedback.states
    number = list(feedback.graph.positions).index(position)
    found = np.flatnonzero(states.position[: states.over] == number)
    return int(next(state for state in found if (state >= states.second) == (side is Side.TWO)))


@pytest.mark.parametrize("address", SHIPPED)
def test_every_action_has_its_exact_value(address: str) -> None:
    check_actions(find_rulebook(address))


@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
@given(rulebooks_that_begin() | battle_rulebooks())
def test_every_action_has_its_exact_value_in_random_rulebooks(rulebook: Rulebook) -> None:
    if spends_in_many_states(rulebook):
        return
    if len(rows_told_apart(rulebook.rules, Game(rulebook).start(), MOST_STATES).side) <= 2000:
        check_actions(rulebook)


def check_actions(rulebook: Rulebook) -> None:
    """Values and regrets of actions stand beside the masks, and follow from the solution."""
    feedback = ExactFeedback(rulebook)
    values, regrets = feedback.action_values, feedback.action_regrets
    illegal = feedback.masks == 0
    assert values.shape == regrets.shape == feedback.masks.shape
    assert (np.isnan(values) == illegal).all()
    assert (np.isnan(regrets) == illegal).all()
    if not len(values):  # the game is over before it begins
        return
    assert (np.nanmin(regrets, axis=1) == 0).all()
    best = np.nanmax(values, axis=1)
    game, solution, states = feedback.game, feedback.solution, feedback.states
    rng = Random(1)
    for state in rng.sample(range(len(values)), min(len(values), 60)):
        position = feedback.graph.positions[int(states.position[state])]
        side = Side.ONE if state < states.second else Side.TWO
        value = solution.value(position)
        assert value.sure(side) - 1e-9 <= best[state] <= value.hoped(side) + 1e-9
        assert value.sure(side) - 1e-9 <= feedback.state_values[state] <= value.hoped(side) + 1e-9
        for action in np.flatnonzero(~illegal[state]).tolist():
            move: Any = feedback.encoding.move(side, action)
            if position.battle is None:
                worth = after(solution.value(game.play(position, move)), side)
            else:
                worth = sum(
                    float(chance)
                    * after(solution.value(game.play(position, pair(side, move, other))), side)
                    for other, chance in solution.mixture(position, side.other).items()
                )
            assert values[state, action] == pytest.approx(worth, abs=1e-9)


def after(value: Value, side: Side) -> float:
    """What a side can expect; the middle where only bounds are known."""
    return float(value.sure(side) + value.hoped(side)) / 2


def pair(side: Side, own: Any, other: int) -> Numbers:
    """Both sides' numbers."""
    return Numbers(own, other) if side is Side.ONE else Numbers(other, own)


@settings(max_examples=15)
@given(rulebooks_that_begin().filter(lambda rulebook: rulebook.rules.battle is None))
def test_a_table_judges_moves_as_any_other_solution(rulebook: Rulebook) -> None:
    game = Game(rulebook)
    solution, table = solve(game), solve_table(game, game.start())
    played = play_out(rulebook, None, 20, Random(1))
    record = Record(rulebook=rulebook, start=played.start, moves=played.moves)
    if played.start == game.start():
        assert record_regrets(table, record) == record_regrets(solution, record)


@pytest.fixture(scope="module")
def large() -> Rulebook:
    """Cross Over on a track so long that there are too many positions for tables of states."""
    return assign(find_rulebook("cross-over"), ["track.length=17"])


def test_games_too_large_for_feedback_have_exact_regrets(large: Rulebook) -> None:
    """By the solver's tables; the error says so."""
    with pytest.raises(TooLarge, match="too many for ExactFeedback") as refused:
        ExactFeedback(large)
    assert f"more than {MOST_STATES:,} positions" in str(refused.value)
    assert "record_regrets(solve(game), record)" in str(refused.value)
    assert str(refused.value).count("\n") == 1
    game = Game(large)
    solution = solve_table(game, game.start())
    played = play_out(large, None, 40, Random(3))
    judged = record_regrets(
        solution, Record(rulebook=large, start=played.start, moves=played.moves)
    )
    assert [one.move for one in judged] == list(played.moves)
    assert {one.regret for one in judged} <= {0.0, 1.0, 2.0}
    assert any(one.regret for one in judged)
    for one in judged:
        best = solution.best(played.positions[one.ply])[0]
        assert move_regrets(solution, played.positions[one.ply], best) == {one.side: 0.0}


def test_games_with_battles_too_large_for_feedback_have_regrets_too() -> None:
    """As the error says: pieces told apart there are too many positions, but it can be solved."""
    large = rulebook_from_data(THREE_A_SIDE, "three-a-side")
    with pytest.raises(TooLarge, match="with pieces told apart, too many for") as refused:
        ExactFeedback(large)
    assert str(refused.value).splitlines()[1].startswith("lineduel.envs.regret.record_regrets")
    played = play_out(large, None, 40, Random(3))
    record = Record(rulebook=large, start=played.start, moves=played.moves)
    judged = record_regrets(solve(Game(large)), record)
    assert {one.move for one in judged} == set(played.moves)
    assert any(isinstance(one.move, Numbers) for one in judged)
    assert max(one.regret for one in judged) > 0.1


def test_the_regret_of_an_illegal_move_is_not_asked_for() -> None:
    game = Game(find_rulebook("flag-chase"))
    with pytest.raises(IllegalMove):
        move_regrets(solve(game), game.start(), Numbers(1, 2))


@pytest.mark.parametrize("wrong", [9, 0, "level:3"])
def test_only_levels_that_exist_are_measured_against(wrong: Any, tmp_path: Path) -> None:
    feedback = ExactFeedback("blockade-duel")
    why = f"^level has to be 1, 2, 3, 4, 5, 6, 7 or 8, not {wrong!r}\\.$"
    with pytest.raises(ValueError, match=why):
        feedback.measure("random", levels=(1, wrong))
    with pytest.raises(ValueError, match=why):
        CurveCallback(feedback, tmp_path / "run", levels=(wrong,))


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(rulebooks_that_begin())
def test_an_action_costs_something_exactly_if_it_is_a_mistake(rulebook: Rulebook) -> None:
    """In every state: moves, numbers in battles, and illegal actions, which lose."""
    if not spends_in_many_states(rulebook):
        check_action_regrets(ExactFeedback(rulebook))


@pytest.mark.parametrize("address", SMALL)
def test_actions_of_the_shipped_rulebooks_cost_what_they_give_away(address: str) -> None:
    check_action_regrets(ExactFeedback(find_rulebook(address)))


def check_action_regrets(feedback: ExactFeedback) -> None:
    game, encoding, solution = feedback.game, feedback.encoding, feedback.solution
    states, lost = feedback.states, feedback.action_regrets
    assert lost.shape == states.next.shape
    assert (lost[feedback.masks == 1] >= 0).all()
    for state in range(states.over):
        position = feedback.graph.positions[int(states.position[state])]
        side = Side.ONE if state < states.second else Side.TWO
        value, legal = solution.value(position), encoding.legal(game, position, side)
        keeping = (
            keeping_moves(solution, position)
            if position.battle is None
            else keeping_numbers(solution, position, side)
        )
        good = {encoding.action(move) for move in keeping}
        for action in range(encoding.actions):
            if action not in legal:
                assert np.isnan(lost[state, action])
                assert feedback.losing_regrets[side - 1, state] == float(value.sure(side)) + 1
                continue
            assert (lost[state, action] == 0) == (action in good)
            move = encoding.move(side, action)
            if position.battle is None and value.exact is not None:
                after = solution.value(game.play(position, move))  # type: ignore[arg-type]
                if after.exact is not None:
                    sign = 1 if side is Side.ONE else -1
                    assert lost[state, action] == pytest.approx(sign * (value.exact - after.exact))


def test_the_curve_is_written_and_shown(program: Program) -> None:
    feedback = ExactFeedback(find_rulebook("blockade-duel"))
    path = program.folder / "run.jsonl"
    callback = CurveCallback(feedback, path, every=10, levels=(1, 8))
    for step, policy in ((0, "random"), (5, "random"), (10, "level:3"), (20, "perfect")):
        assert (callback(step, policy) is None) == (step == 5)
    done = program("curve", "run.jsonl", "--svg", "curve.svg")
    assert done.status == 0
    lines = done.out.splitlines()
    assert lines[0] == "blockade-duel: exact strength over training"
    assert [line.split()[0] for line in lines[2:5]] == ["0", "10", "20"]
    assert lines[1].split() == ["step", "seconds", "exploitability", "regret", "level:1", "level:8"]
    assert lines[4].split()[2:4] == ["0.0000", "0.0000"]
    regret = feedback.measure("level:3").regret
    assert regret > 0
    assert lines[3].split()[3] == f"{regret:.4f}"
    document = printed(program, "curve", "curve", "run.jsonl")
    assert document["game"] == "blockade-duel"
    assert [one["step"] for one in document["points"]] == [0, 10, 20]
    assert document["points"][2]["exploitability"] == 0
    assert document["points"][1]["regret"] == regret
    assert set(document["points"][0]["against"]) == {"level:1", "level:8"}
    picture = (program.folder / "curve.svg").read_text(encoding="utf-8")
    assert "against level:8" in picture
    assert "exploitability" in picture
    assert ">regret<" in picture


def test_a_file_that_is_no_curve_is_refused(program: Program) -> None:
    (program.folder / "bad.jsonl").write_text('{"step": 1}\n', encoding="utf-8")
    done = program("curve", "bad.jsonl")
    assert (done.status, done.out) == (2, "")
    assert "line 1: it is not a measurement of a curve" in done.err
    (program.folder / "empty.jsonl").write_text("", encoding="utf-8")
    assert "has no measurements" in program("curve", "empty.jsonl").err
    assert "There is no file missing.jsonl." in program("curve", "missing.jsonl").err


def example(name: str) -> Any:
    """One of the programs in `examples`."""
    path = Path(__file__).parents[2] / "examples" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_regret_matching_approaches_the_optimal_mixture(
    capsys: pytest.CaptureFixture[str],
) -> None:
    exploitability = example("regret_matching").main(["--rounds", "100"])
    assert exploitability[-1] < exploitability[0] / 2
    distances = [float(line.split()[2]) for line in capsys.readouterr().out.splitlines()[1:]]
    assert distances[-1] < 0.1 < distances[0]


@pytest.mark.long
def test_alphazero_grows_stronger(tmp_path: Path) -> None:
    """After three minutes it has gained against level 3."""
    found = example("alphazero").main(
        ["--minutes", "3", "--measure", "10", "--rounds", "40", "--curve", str(tmp_path / "run")]
    )
    first, last = (sum(one.against[3]) for one in (found[0], found[-1]))
    assert last > first + 0.3


def test_alphazero_runs(tmp_path: Path) -> None:
    """The example plays, learns and measures itself once."""
    options = ["--game", "blockade-duel", "--rounds", "1", "--measure", "1", "--batch", "16"]
    options += ["--steps", "4", "--simulations", "2", "--curve", str(tmp_path / "run")]
    assert len(example("alphazero").main(options)) == 2
