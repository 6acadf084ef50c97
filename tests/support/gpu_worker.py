"""Solves and checks tables with Numba's simulator of a GPU, in a process of its own.

Numba decides whether it simulates a GPU when it is imported. Requests and answers are pickled:
the rules as text, the start, and whether to use the general method; then both tables, their
summary, and what the checker says of them and of tables with some values changed.
"""

import pickle
import sys
from typing import Any

import numpy as np
from numba.cuda.simulator.kernelapi import FakeCUDAShared

from lineduel.record import parse_position
from lineduel.rules import Side, parse_rules
from lineduel.tablebase import check_on_gpu, make_tables, solve_on_gpu


def shared_array(shared: FakeCUDAShared, shape: int, dtype: type) -> Any:
    """The simulator's shared memory, known by the line that asks for it.

    Its own function gives two threads that ask at the same time an array each.
    """
    caller = sys._getframe(1)
    place = caller.f_code.co_filename, caller.f_lineno
    return shared._allocations.setdefault(place, np.empty(shape, dtype))


if __name__ == "__main__":
    FakeCUDAShared.array = shared_array  # type: ignore[method-assign]
    sys.setswitchinterval(1e-5)  # the simulator waits for its threads by asking all the time
    while True:
        try:
            task, *details = pickle.load(sys.stdin.buffer)
        except EOFError:
            break
        rules, start = parse_rules(details[0]), parse_position(details[1]).unchecked()
        if task == "solve":
            solved = solve_on_gpu(rules, start, backward=details[2])
            answer = (solved.table(Side.ONE), solved.table(Side.TWO), solved.summary)
            some = np.concatenate(list(solved.pieces(7)))
            assert np.array_equal(some, np.concatenate([table.ravel() for table in answer[:2]]))
            found: object = (answer, solved.lookup(start))
        else:
            found = check_on_gpu(make_tables(rules, start), start, details[2], details[3])
        sys.stdout.buffer.write(pickle.dumps(found))
        sys.stdout.buffer.flush()
