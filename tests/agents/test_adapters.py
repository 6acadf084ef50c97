"""Adapters do what their peers ask of them."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from lineduel.agents import Exam, ExamSettings, exam_document, rule_set_of
from lineduel.jobs import LongRun, Pool
from lineduel.rulebooks import SHIPPED, find_rulebook
from support.program import Program

HIDE = "import sys\nfor name in {packages!r}:\n    sys.modules[name] = None\n"


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("textarena", "TextArena", "textarena"),
        ("inspect_ai", "inspect-ai", "inspect"),
        ("mcp_server", "mcp", "mcp"),
    ],
)
def test_a_missing_package_is_named_with_its_extra(
    program: Program, module: str, package: str, extra: str
) -> None:
    hidden = HIDE.format(packages=["textarena", "inspect_ai", "mcp"])
    code = (
        f"{hidden}try:\n    import lineduel.agents.{module}\n"
        "except ImportError as error:\n    print(error)\n"
    )
    done = program.python("-c", code)
    assert done.err == ""
    assert done.out == (
        f"This needs {package}, which comes with the extra '{extra}':\n"
        f"pip install 'lineduel[{extra}]'\n"
    )


def seen(observation: Any) -> str:
    return str(observation)


@pytest.mark.parametrize("game", [*SHIPPED, "cross-over:no-jump"])
def test_a_whole_game_in_textarena(game: str) -> None:
    """Random legal answers lead to an end; the numbers of a battle are seen by nobody else."""
    import textarena as ta

    from lineduel.agents.textarena import register_duels

    (name,) = register_duels(game)
    env = ta.wrappers.LLMObservationWrapper(ta.make(name))
    env.reset(num_players=2, seed=0)
    rng, done = Random(1), False
    duel = env.env if hasattr(env, "env") else env
    for _ in range(500):
        player, observation = env.get_observation()
        text = seen(observation)
        session = duel.session
        assert session.asked[0] - 1 == player
        assert session.asked == session.asked[:1] or session.position.battle is not None
        if session.position.battle is not None:
            if session.chosen:
                assert "777" not in text.rpartition("A battle is open")[2]
            answer = (
                f"I think 777 about it.\nANSWER: {rng.choice(session.numbers(session.asked[0]))}"
            )
        else:
            answer = f"ANSWER: {rng.choice(session.moves)}"
            assert "Your legal moves" in text
        done, _ = env.step(answer)
        if done:
            break
    assert done
    rewards, _ = env.close()
    assert sorted(rewards.values()) in ([-1, 1], [0, 0])


def test_textarena_judges_illegal_and_unreadable_answers() -> None:
    from lineduel.agents.textarena import TextDuel

    env = TextDuel("cross-over", error_allowance=1)
    env.reset(num_players=2, seed=0)
    env.get_observation()
    assert env.step("ANSWER: P1-A+9")[0] is False
    player, _ = env.get_observation()
    assert player == 0
    done, _ = env.step("no idea")
    assert done
    rewards, _ = env.close()
    assert rewards[0] < rewards[1]


def test_inspect_gives_the_regret_that_the_exam_gives(program: Program, tmp_path: Path) -> None:
    """And a model whose answers cannot be read has no points."""
    games = ["ctf-tokens", "flag-chase"]
    script = str(Path(__file__).with_name("inspect_runs.py"))
    done = program.python(script, ",".join(games), str(tmp_path))
    assert done.status == 0, done.err
    found = json.loads(done.out)
    settings = ExamSettings(
        agent="python:agents.stand_ins:first_legal",
        rule_sets=tuple(rule_set_of(find_rulebook(game)) for game in games),
        positions=5,
        pairs=0,
    )
    with Pool(0) as pool:
        exam = LongRun(Exam(settings)).run(pool)
    expected = exam_document(exam).positions.regret.mean
    assert found["positions"]["regret"] == pytest.approx(expected)
    assert found["games"]["points"] == 0.0
    assert found["games"]["unreadable"] == 1.0
