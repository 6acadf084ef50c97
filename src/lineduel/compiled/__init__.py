"""The interface to Numba: compiling functions, caching their code, and checking its limits.

Importing this package does not import NumPy or Numba. It also provides the rules in a form that
Numba can compile (`rule_numbers` and the functions on rows of cells), and `Threads` to run work on
all cores.
"""

from lineduel.lazy_names import TYPE_CHECKING, offer

if TYPE_CHECKING:
    from lineduel.compiled.compiler import (
        announce_compiling as announce_compiling,
        borrowing as borrowing,
        compiled as compiled,
        compiler_installed as compiler_installed,
        inner as inner,
        kernels_are_simulated as kernels_are_simulated,
        tell_compiling_by as tell_compiling_by,
        usable_cores as usable_cores,
    )
    from lineduel.compiled.gpu import (
        DeviceArray as DeviceArray,
        Kernel as Kernel,
        copy_to_device as copy_to_device,
        device_function as device_function,
        device_name as device_name,
        device_operations as device_operations,
        device_problem as device_problem,
        empty_on_device as empty_on_device,
        free_device_memory as free_device_memory,
        kernel as kernel,
        start as start,
        to_device as to_device,
        to_host as to_host,
        wait as wait,
        zeros_on_device as zeros_on_device,
    )
    from lineduel.compiled.row_rules import (
        ILLEGAL as ILLEGAL,
        arrange as arrange,
        hand_of as hand_of,
        landing as landing,
        number_in_hand as number_in_hand,
        settle_battle as settle_battle,
        side_after as side_after,
        spend as spend,
        step_to as step_to,
        winner_of as winner_of,
    )
    from lineduel.compiled.rule_numbers import (
        GOES_HOME as GOES_HOME,
        LEAVES as LEAVES,
        LOW_NUMBERS as LOW_NUMBERS,
        NO_BATTLE as NO_BATTLE,
        OUT as OUT,
        CellRow as CellRow,
        RuleNumbers as RuleNumbers,
        cells_of as cells_of,
        position_of as position_of,
        row_of as row_of,
        row_width as row_width,
        rule_numbers as rule_numbers,
    )
    from lineduel.compiled.threads import Threads as Threads

offer(__name__)
