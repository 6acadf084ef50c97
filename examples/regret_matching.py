"""Regret matching in the battles of Flag Chase with `wins = "undercut"`.

Both sides learn a mixture of numbers for every battle, from nothing but what each number would have
been worth. The program prints how far the mixtures are from optimal play, in exact numbers:

    python examples/regret_matching.py --rounds 2000
"""

import argparse

import numpy as np

from lineduel import find_rulebook
from lineduel.envs.regret import ExactFeedback
from lineduel.graph import PolicyTable
from lineduel.rules import Side, apply_changes


def matched(regrets: np.ndarray) -> np.ndarray:
    """Numbers in proportion to their positive regrets; all alike where there are none."""
    positive = np.maximum(regrets, 0)
    total = positive.sum(axis=-1, keepdims=True)
    even = np.full_like(regrets, 1 / regrets.shape[-1])
    return np.where(total > 0, positive / np.where(total > 0, total, 1), even)


class Learner:
    """Values of all positions, and each side's regrets and mean mixture in each battle."""

    def __init__(self, feedback: ExactFeedback) -> None:
        self.graph = feedback.graph
        shape = len(Side), len(self.graph.battles), self.graph.numbers
        self.values = np.where(self.graph.winner == 1, 1.0, 0.0) - (self.graph.winner == 2)
        self.regrets, self.played = np.zeros(shape), np.zeros(shape)
        self.rounds = 0

    def learn(self) -> None:
        """One round: play every battle, then look one ply ahead everywhere."""
        self.rounds += 1
        graph, size = self.graph, self.graph.numbers
        after = self.values[graph.after]
        mixtures = matched(self.regrets)
        self.played += self.rounds * mixtures
        for battle, at in enumerate(graph.battles):
            payoffs = after[graph.first[at] : graph.first[at + 1]].reshape(size, size)
            one, two = mixtures[:, battle]
            expected = one @ payoffs @ two
            gains = payoffs @ two - expected, expected - one @ payoffs
            self.regrets[:, battle] = np.maximum(self.regrets[:, battle] + gains, 0)
            mean1, mean2 = (mean / mean.sum() for mean in self.played[:, battle])
            self.values[at] = mean1 @ payoffs @ mean2
        for at in np.flatnonzero((graph.mover != 0) & (graph.winner == 0)):
            reached = self.values[graph.after[graph.first[at] : graph.first[at + 1]]]
            best = reached.max() if graph.mover[at] == Side.ONE else reached.min()
            self.values[at] = 0.999 * best  # an early win is worth a little more

    def policy(self) -> PolicyTable:
        """The best moves by the values, and the mean mixtures."""
        graph, moves = self.graph, np.zeros(len(self.graph.after))
        for at in np.flatnonzero((graph.mover != 0) & (graph.winner == 0)):
            begin, end = graph.first[at], graph.first[at + 1]
            reached = self.values[graph.after[begin:end]]
            pick = reached.argmax() if graph.mover[at] == Side.ONE else reached.argmin()
            moves[begin + pick] = 1.0
        return PolicyTable(moves, self.played / self.played.sum(axis=-1, keepdims=True))


def main(arguments: list[str] | None = None) -> list[float]:
    """Learn, and return what a best response wins of the policy, from first to last."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=2000)
    options = parser.parse_args(arguments)
    rulebook = apply_changes(find_rulebook("flag-chase"), {"battle": {"wins": "undercut"}})
    feedback = ExactFeedback(rulebook)
    learner = Learner(feedback)
    found = []
    print("rounds  exploitability  distance to the optimal mixture of the first battle")
    for rounds in range(1, options.rounds + 1):
        learner.learn()
        if rounds in {1, 10, 100, 1000, options.rounds}:
            policy = learner.policy()
            strength = feedback.measure(policy)
            found.append(strength.exploitability)
            battle = feedback.graph.positions[int(feedback.graph.battles[0])]
            optimal = [float(p) for p in feedback.solution.mixture(battle, Side.ONE).values()]
            distance = np.abs(policy.numbers[0, 0] - optimal).sum() / 2
            print(f"{rounds:>6}  {strength.exploitability:>14.4f}  {distance:.4f}")
    return found


if __name__ == "__main__":
    main()
