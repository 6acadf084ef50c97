"""Independent answers that tests compare with: rules, solvers and sums written a second time."""
