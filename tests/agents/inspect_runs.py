"""Runs inspect-ai with models that answer by a function, and prints what it measured as JSON.

A process of its own: inspect-ai leaves streams open, which our tests take for a fault.
"""

import json
import sys
from typing import Any

import inspect_ai
from inspect_ai.model import ModelOutput, ModelUsage, get_model

from lineduel.agents.inspect_ai import duel_games, duel_positions


def model(answer: Any) -> Any:
    """A model that answers by a function of the question."""

    def said(messages: Any, *_: Any) -> Any:
        output = ModelOutput.from_content("mockllm/model", answer(messages[-1].text))
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    return get_model("mockllm/model", custom_outputs=said, memoize=False)


def first_legal(text: str) -> str:
    found = [line for line in text.splitlines() if line.startswith("Your legal moves: ")]
    return f"ANSWER: {found[0].split()[3] if found else 1}"


def measured(task: Any, answer: Any, folder: str) -> dict[str, float]:
    (log,) = inspect_ai.eval(task, model=model(answer), display="none", log_dir=folder)
    assert log.status == "success", log.error
    assert log.results is not None
    return {one.name: one.metrics["mean"].value for one in log.results.scores}


if __name__ == "__main__":
    games, folder = sys.argv[1].split(","), sys.argv[2]
    positions = duel_positions(games=games, unseen=0, positions=5)
    played = duel_games(games=games, unseen=0, level=1)
    print(
        json.dumps(
            {
                "positions": measured(positions, first_legal, folder),
                "games": measured(played, lambda text: "no idea", folder),
            }
        )
    )
