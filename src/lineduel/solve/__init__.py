"""Exact values, the play that reaches them, and certificates that prove them.

The package itself is callable: `lineduel.solve(game)` calls `lineduel.solve.solve(game)`. So
`from lineduel import solve` works as a function no matter what was imported before.
"""

from lineduel.lazy_names import TYPE_CHECKING, LazyPackage, offer

if TYPE_CHECKING:
    from lineduel.solve.best_play import leading_to as leading_to
    from lineduel.solve.cache import Cache as Cache
    from lineduel.solve.certificate import (
        Certificate as Certificate,
        read_certificate as read_certificate,
        write_certificate as write_certificate,
    )
    from lineduel.solve.checker import check_certificate as check_certificate
    from lineduel.solve.mistakes import (
        given_away as given_away,
        given_away_by_number as given_away_by_number,
        is_mistake as is_mistake,
        keeping_moves as keeping_moves,
        keeping_numbers as keeping_numbers,
        number_values as number_values,
        only_move as only_move,
    )
    from lineduel.solve.proof import check_proof as check_proof, proof_of as proof_of
    from lineduel.solve.solution import (
        MOST_OUTLOOKS as MOST_OUTLOOKS,
        Counted as Counted,
        PlainSolution as PlainSolution,
        Plan as Plan,
        Solution as Solution,
    )
    from lineduel.solve.solver import (
        BYTES_EACH as BYTES_EACH,
        BYTES_IN_GRAPH as BYTES_IN_GRAPH,
        MOST_PLAIN as MOST_PLAIN,
        Report as Report,
        solve as solve,
    )
    from lineduel.solve.stochastic.matrix import solve_matrix as solve_matrix
    from lineduel.solve.stochastic.proof_chain import (
        Chain as Chain,
        Law as Law,
        WorkLimit as WorkLimit,
    )
    from lineduel.solve.value import (
        LIMITED as LIMITED,
        NEVER_ENDS as NEVER_ENDS,
        Endless as Endless,
        Number as Number,
        Value as Value,
        as_effect as as_effect,
        as_prize as as_prize,
        as_sentence as as_sentence,
        as_sign as as_sign,
        as_verdict as as_verdict,
        in_short as in_short,
        in_words as in_words,
        move_in_words as move_in_words,
    )


class _CallablePackage(LazyPackage):
    """A package that can be called like its function of the same name."""

    def __call__(self, *arguments: object, **options: object) -> "Solution":
        from lineduel.solve.solver import solve

        return solve(*arguments, **options)  # type: ignore[arg-type]


offer(__name__, _CallablePackage)
