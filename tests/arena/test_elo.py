"""Strengths from results, and tests that stop when they are decided."""

from itertools import combinations

import numpy as np
import pytest

from lineduel.arena.elo import Points, Question, SprtVerdict, expected_score, rate

TRUE = (0.0, 60.0, 150.0, 310.0)


def synthetic(games: int, seed: int, unfinished: float = 0.0) -> list[Points]:
    """Results of players whose strengths are known."""
    rng = np.random.default_rng(seed)
    found = []
    for one, other in combinations(range(len(TRUE)), 2):
        score = expected_score(TRUE[one] - TRUE[other])
        halves = rng.binomial(games, unfinished)
        won = rng.binomial(games - halves, (score - unfinished / 2) / (1 - unfinished))
        points = won + halves / 2
        found.append(Points(one, other, points, games - points))
    return found


@pytest.mark.parametrize("unfinished", [0.0, 0.2])
def test_known_strengths_are_found_within_their_intervals(unfinished: float) -> None:
    """In about 95 of 100 cases; unfinished games make the intervals wider than need be."""
    mean = sum(TRUE) / len(TRUE)
    held = [
        abs(rating.elo - (true - mean)) <= rating.margin
        for seed in range(200)
        for true, rating in zip(TRUE, rate(4, synthetic(300, seed, unfinished)), strict=True)
    ]
    assert 0.92 <= sum(held) / len(held) <= (0.98 if not unfinished else 1.0)


def test_two_players_get_the_textbook_difference() -> None:
    """75 points of 100 are 191 Elo; the prior hardly matters."""
    first, second = rate(2, [Points(0, 1, 7500, 2500)])
    assert first.elo - second.elo == pytest.approx(190.85, abs=0.1)
    assert first.elo == -second.elo


def test_whoever_wins_everything_has_a_finite_strength() -> None:
    """By the prior; and the more games, the more."""
    ten, many = (rate(2, [Points(0, 1, games, 0)])[0] for games in (10, 1000))
    assert 0 < ten.elo < many.elo < 2000
    assert ten.margin > 100


def test_players_who_never_met_are_all_the_same() -> None:
    """Nothing is known, and nothing breaks."""
    assert rate(3, []) == ((0, 0), (0, 0), (0, 0))
    assert [one.elo for one in rate(2, [Points(0, 1, 0, 0)])] == [0, 0]


def decided(
    question: Question, elo: float, runs: int, seat: float = 0.0, halves: float = 0.0
) -> tuple[float, float]:
    """The share of runs that find `elo1`, the truth being `elo`, and the games they take."""
    rng = np.random.default_rng(5)
    score = expected_score(elo)
    stronger, games = 0, []
    for _ in range(runs):
        size = 6000
        chance = score + seat * np.where(np.arange(size) % 2, -1, 1)
        scores = (rng.random(size) < chance).astype(float)
        unfinished = rng.random(size) < halves
        scores[unfinished] = 0.5
        decision = question.decide(scores)
        assert decision.verdict is not SprtVerdict.OPEN
        stronger += decision.verdict is SprtVerdict.STRONGER
        games.append(decision.games)
    return stronger / runs, float(np.mean(games))


@pytest.mark.parametrize(("seat", "halves"), [(0.0, 0.0), (0.2, 0.0), (0.0, 0.4)])
def test_a_sequential_test_errs_as_seldom_as_it_says(seat: float, halves: float) -> None:
    """5 % where the truth is one of the two strengths, whatever a seat or half points do."""
    question = Question(0, 60)
    wrong, games = decided(question, 0, 800, seat, halves)
    assert wrong <= 0.05 + 2.6 * (0.05 * 0.95 / 800) ** 0.5
    assert games < 1500
    if not halves:  # half points draw the truth towards even play
        right, _ = decided(question, 60, 800, seat)
        assert right >= 0.95 - 2.6 * (0.05 * 0.95 / 800) ** 0.5


def test_a_test_without_games_is_open() -> None:
    """And so is one that has seen too few."""
    question = Question(0, 50)
    assert question.decide(np.array([])) == (SprtVerdict.OPEN, 0, 0.0)
    assert question.decide(np.ones(3)).verdict is SprtVerdict.OPEN
    assert question.decide(np.ones(300)).verdict is SprtVerdict.STRONGER
    assert question.decide(np.zeros(300)).verdict is SprtVerdict.WEAKER
    assert question.decide(np.ones(300)).games == question.decide(np.ones(200)).games < 60
