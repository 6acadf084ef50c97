"""The interface to Numba's CUDA target: whether there is a device, its memory, and kernels.

With `NUMBA_ENABLE_CUDASIM=1` in the environment, Numba runs kernels on the CPU, one Python thread
for each thread of a block. Arrays then stay ordinary arrays, and the functions that kernels share
with the CPU are not compiled.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from lineduel.compiled.compiler import compiler_installed, kernels_are_simulated
from lineduel.errors import NoDevice, NotInstalled

Kernel = Any
"""A function for the device, which Numba does not describe with types."""
DeviceArray = Any
"""An array in the memory of the device; with the simulator, an ordinary array."""
_Function = TypeVar("_Function", bound=Callable[..., object])

SIMULATED_MEMORY = 1 << 30
"""Bytes of memory of the simulated device."""


def device_problem() -> NotInstalled | NoDevice | None:
    """Why no GPU can be used here; None if one can."""
    if not compiler_installed():
        return NotInstalled("Numba", "gpu")
    if kernels_are_simulated():
        return None
    if find_spec("numba_cuda") is None:
        return NotInstalled("numba-cuda", "gpu")
    return None if _cuda().is_available() else NoDevice()


def device_name() -> str:
    """The name of the device, as its driver gives it."""
    if kernels_are_simulated():
        return "simulated device"
    name = _cuda().get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


def free_device_memory() -> int:
    """Bytes of the device's memory that can be used safely: nineteen twentieths of what is free."""
    if kernels_are_simulated():
        return SIMULATED_MEMORY
    return int(_cuda().current_context().get_memory_info()[0]) * 19 // 20


def kernel(function: _Function) -> Kernel:
    """A kernel: a function that is started on the device, once for each thread."""
    return _cuda().jit(function)


def device_function(function: _Function) -> _Function:
    """A function that kernels call. Plain compiled functions can be called, too."""
    if kernels_are_simulated():
        return function
    made: _Function = _cuda().jit(function, device=True)
    return made


def device_operations() -> Any:
    """An object with `atomic`, the atomic operations, for functions that kernels call.

    The simulator offers them only within a kernel, and not within the functions that it calls.
    """
    if not kernels_are_simulated():
        return _cuda()
    from numba.cuda.simulator.kernelapi import FakeCUDAAtomic

    return SimpleNamespace(atomic=FakeCUDAAtomic())


def start(function: Kernel, blocks: int, threads: int, *arguments: object) -> None:
    """Start a kernel on this many blocks of threads, without waiting for it."""
    if blocks:
        function[blocks, threads](*arguments)


def wait() -> None:
    """Wait until the device has done all that was started."""
    _cuda().synchronize()


def to_device(array: NDArray[Any]) -> DeviceArray:
    """A copy of an array on the device."""
    if kernels_are_simulated():
        return array.copy()
    return _cuda().to_device(np.ascontiguousarray(array))


def empty_on_device(size: int, dtype: type[np.generic]) -> DeviceArray:
    """A new array on the device, with arbitrary contents."""
    return np.empty(size, dtype) if kernels_are_simulated() else _cuda().device_array(size, dtype)


def zeros_on_device(size: int, dtype: type[np.generic]) -> DeviceArray:
    """A new array of zeros on the device."""
    if kernels_are_simulated():
        return np.zeros(size, dtype)
    array = empty_on_device(size, dtype)
    if array.size:
        driver = import_module("numba.cuda.cudadrv.driver")
        driver.device_memset(array, 0, array.nbytes)
    return array


def to_host(array: DeviceArray) -> NDArray[Any]:
    """A copy of an array in ordinary memory."""
    found: NDArray[Any] = array.copy() if isinstance(array, np.ndarray) else array.copy_to_host()
    return found


def copy_to_device(source: NDArray[Any], target: DeviceArray) -> None:
    """Copy an array into an array of the same size on the device."""
    if isinstance(target, np.ndarray):
        target[:] = source
    else:
        target.copy_to_device(np.ascontiguousarray(source))


@cache
def _cuda() -> Any:
    from numba import cuda

    if not kernels_are_simulated():
        # Some parts of a table are small.
        config: Any = import_module("numba.cuda.core.config")
        config.CUDA_LOW_OCCUPANCY_WARNINGS = 0
    return cuda
