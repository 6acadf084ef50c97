"""What a program that imports lineduel can rely on."""

import ast
import doctest
import inspect
import re
import tomllib
from importlib import import_module
from pathlib import Path
from types import ModuleType
from zipfile import ZipFile

import pytest

import lineduel
from lineduel import errors
from support.program import PYTHON_M, Program

ROOT = Path(__file__).parents[2]
HEAVY = (
    "numpy",
    "distributed",
    "textual",
    "rich",
    "hypothesis",
    "asyncio",
    "jinja2",
    "numba",
    "scipy",
    "msgspec",
    "pytest",
)
LISTED = """\
import sys
{}
print(*sorted(name for name in {!r} if name in sys.modules))
"""


def test_every_public_name_is_there() -> None:
    """The names that people import, and nothing else, each as its own package has it."""
    names = (
        "Game LineduelError Move Numbers Pass Position Record Rulebook Session Side Solution Step "
        "Value audit errors find_rulebook parse_move players read_position read_record solve "
        "write_record write_rulebook"
    )
    assert getattr(lineduel, "__all__") == names.split()  # noqa: B009 - types do not know it
    for name in ("errors", "players", "solve"):
        assert getattr(lineduel, name) is import_module(f"lineduel.{name}")
    assert lineduel.Game is import_module("lineduel.engine.game").Game


def test_everything_imported_with_a_star_is_public() -> None:
    """`from lineduel import *` brings the public names and nothing else."""
    found: dict[str, object] = {}
    exec("from lineduel import *", found)  # the only way to see what a star brings
    found.pop("__builtins__")
    assert sorted(found) == getattr(lineduel, "__all__")  # noqa: B009


@pytest.mark.parametrize(
    "before", ["", "import lineduel.solve", "from lineduel.solve import Value"]
)
def test_solve_can_be_called_whatever_was_imported_before(program: Program, before: str) -> None:
    """`lineduel.solve` is a package and a function; neither hides the other."""
    script = program.folder / "script.py"
    script.write_text(
        f"{before}\nfrom lineduel import Game, find_rulebook, solve\nimport lineduel\n"
        "game = Game(find_rulebook('ctf-tokens'))\n"
        "print(solve(game).positions, lineduel.solve.solve(game).positions)\n",
        encoding="utf-8",
    )
    assert program.python(str(script)).out == "138 138\n"


def test_another_name_is_refused_as_python_does() -> None:
    """A name that is not there is an AttributeError with that name."""
    with pytest.raises(AttributeError, match="Gmae"):
        lineduel.Gmae  # type: ignore[attr-defined]  # noqa: B018 - asking is the point


def test_the_example_at_the_top_is_true() -> None:
    """What the package's own docstring shows is what happens."""
    result = doctest.testmod(lineduel)
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("module", [errors, lineduel])
def test_public_modules_say_what_they_are(module: ModuleType) -> None:
    """A docstring at the top, and one on every public class and function."""
    assert module.__doc__
    for name, thing in vars(module).items():
        if inspect.isclass(thing) and thing.__module__ == module.__name__:
            assert thing.__doc__, name


@pytest.mark.parametrize("doing", ["import lineduel", "games", "rules", "play", "--help"])
def test_nothing_heavy_is_imported_before_it_is_needed(program: Program, doing: str) -> None:
    """To start fast: not by importing the package, and not by its everyday commands."""
    if doing == "import lineduel":
        code = doing
    else:
        arguments = [doing] if doing in ("games", "--help") else [doing, "cross-over"]
        code = (
            "from lineduel.cli.main import main\n"
            f"try: main({arguments!r})\n"
            "except SystemExit: pass\n"
        )
    script = program.folder / "script.py"
    script.write_text(LISTED.format(code, HEAVY), encoding="utf-8")
    done = program.python(str(script))
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines()[-1] == ""


def test_importing_the_package_imports_next_to_nothing(program: Program) -> None:
    """Only what is asked for: of its own modules, the package alone brings the one that waits."""
    script = program.folder / "script.py"
    own = "print(*sorted(name for name in sys.modules if name.startswith('lineduel')))"
    script.write_text(f"import sys\nimport lineduel\n{own}\n", encoding="utf-8")
    assert program.python(str(script)).out.split() == ["lineduel", "lineduel.lazy_names"]


def test_the_tree_of_errors_is_as_it_is_drawn() -> None:
    """The drawing at the top of `errors.py` has every class, each under its own parent."""
    assert errors.__doc__ is not None
    drawn: dict[str, str | None] = {}
    above: list[str] = []
    for line in errors.__doc__.splitlines():
        found = re.fullmatch(r"    ([│ ]*)(├── |└── |)(\w+)(  .*)?", line)
        if found:
            depth = len(found[1]) // 4 + bool(found[2])
            del above[depth:]
            drawn[found[3]] = above[-1] if above else None
            above.append(found[3])
    classes = {
        name: thing
        for name, thing in vars(errors).items()
        if inspect.isclass(thing) and issubclass(thing, Exception)
    }
    assert list(drawn) == list(classes)
    for name, parent in drawn.items():
        first, *others = classes[name].__bases__
        assert first is (classes[parent] if parent else Exception)
        assert all(other.__module__ == "builtins" for other in others)


def test_every_error_is_one_that_can_be_caught_together() -> None:
    """Catching LineduelError catches all that lineduel raises on purpose."""
    for name, thing in vars(errors).items():
        if inspect.isclass(thing) and issubclass(thing, Exception):
            assert issubclass(thing, lineduel.LineduelError), name


def test_the_package_can_be_run(program: Program) -> None:
    """`python -m lineduel` and `lineduel` are the same program."""
    script = Path(PYTHON_M[0]).with_name("lineduel")
    assert script.exists()
    assert program.python(str(script), "--version").out == program("--version").out
    assert lineduel.__version__ in program("--version").out


def test_the_package_is_typed() -> None:
    """Others' type checkers may look into it."""
    assert lineduel.__file__ is not None
    assert (Path(lineduel.__file__).parent / "py.typed").exists()


def test_a_missing_package_is_told_with_the_extra_that_brings_it() -> None:
    """Every error about a missing package names an extra that there is, and that has it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {
        extra: {re.split(r"[<>=\[]", package)[0] for package in packages}
        for extra, packages in project["optional-dependencies"].items()
    }
    environments = {"pettingzoo", "gymnasium", "openspiel", "jax", "envs"}
    others = {"full", "web", "postgres", "cluster", "gpu"}
    texts = {"mcp", "textarena", "inspect"}
    assert set(extras) == others | environments | texts
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    named = re.findall(r'NotInstalled\("(.+?)", "(.+?)"\)', sources)
    assert named
    for package, extra in named:
        distribution = "distributed" if package == "Dask" else package.lower()
        assert distribution in extras[extra], (package, extra)
    for extra in re.findall(r"extra '(\w+)'", sources):
        assert extra in extras


PACKAGES = sorted(path.parent.name for path in (ROOT / "src/lineduel").glob("*/__init__.py"))


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_offers_what_it_lists(package: str) -> None:
    """What is imported for type checkers is there at run time, each name from its own file."""
    module = import_module(f"lineduel.{package}")
    shown = {
        str(alias.asname): str(node.module)
        for node in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(f"{module.__name__}.")
        if node.col_offset == len("    ")
        for alias in node.names
    }
    assert sorted(shown) == getattr(module, "__all__", [])
    assert {*shown} <= {*dir(module)}
    for name, home in shown.items():
        if ".gpu." in f"{home}.":  # cannot be imported without a GPU, or a simulated one
            continue
        assert getattr(module, name) is getattr(import_module(home), name)
        assert vars(module)[name] is getattr(module, name)


def test_a_package_in_an_archive_offers_its_names(program: Program) -> None:
    """The list is read from wherever Python found the package."""
    archive = program.folder / "packed.zip"
    with ZipFile(archive, "w") as packed:
        for path in (ROOT / "src").rglob("*.py"):
            packed.write(path, path.relative_to(ROOT / "src"))
    script = program.folder / "script.py"
    script.write_text(
        f"import sys\nsys.path.insert(0, {str(archive)!r})\nimport lineduel\n"
        "from lineduel.rules import Side\nprint(lineduel.__file__, Side.ONE)\n",
        encoding="utf-8",
    )
    assert program.python(str(script)).out == f"{archive}/lineduel/__init__.py 1\n"


@pytest.mark.parametrize("module", ["coach.review", "engine.perft", "lab.audit", "rules.describe"])
@pytest.mark.parametrize("file_first", [True, False])
def test_a_function_is_offered_whatever_was_imported_before(
    program: Program, module: str, file_first: bool
) -> None:
    """A function with the name of its file is what the package has, not the file."""
    package, name = module.split(".")
    lines = [
        f"from lineduel.{module} import {name} as of_the_file",
        f"from lineduel.{package} import {name} as of_the_package",
    ]
    script = program.folder / "script.py"
    script.write_text(
        "\n".join(lines if file_first else lines[::-1])
        + f"\nimport lineduel\nprint(of_the_file is of_the_package is lineduel.{module})\n",
        encoding="utf-8",
    )
    assert program.python(str(script)).out == "True\n"
