"""What an environment needs and does not find is said in a sentence with its extra."""

import pytest

from support.program import Program

HIDE = """
import sys
for name in {packages!r}:
    sys.modules[name] = None  # as if it were not installed
"""


@pytest.mark.parametrize(
    ("module", "missing", "package", "extra"),
    [
        ("gymnasium", ["gymnasium"], "Gymnasium", "gymnasium"),
        ("pettingzoo", ["pettingzoo"], "PettingZoo", "pettingzoo"),
        ("pettingzoo", ["gymnasium"], "PettingZoo", "pettingzoo"),
        ("openspiel", ["pyspiel"], "open-spiel", "openspiel"),
        ("jax", ["jax"], "JAX", "jax"),
        ("jax", ["pgx"], "JAX", "jax"),
    ],
)
def test_a_missing_package_is_named_with_its_extra(
    program: Program, module: str, missing: list[str], package: str, extra: str
) -> None:
    """It is still an ImportError, which programs may be waiting for."""
    code = HIDE.format(packages=missing) + (
        f"try:\n    import lineduel.envs.{module}\n"
        "except ImportError as error:\n    print(type(error).__name__, error, sep=': ')\n"
    )
    done = program.python("-c", code)
    assert done.err == ""
    assert done.out == (
        f"NotInstalled: This needs {package}, which comes with the extra '{extra}':\n"
        f"pip install 'lineduel[{extra}]'\n"
    )
    bare = program.python("-c", HIDE.format(packages=missing) + f"import lineduel.envs.{module}")
    assert "During handling of the above exception" not in bare.err
