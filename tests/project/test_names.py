"""A public name means one thing in the whole project, and a file's name says where it belongs."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import lineduel

ROOT = Path(lineduel.__file__).parent
OF_EVERY_COMMAND = {"configure", "main", "run"}
OF_EVERY_UPGRADE = {"revision", "down_revision", "branch_labels", "depends_on", "upgrade"}
"""What Alembic asks of each file that upgrades the tables of live games."""
SHOWN_IN = {"cli", "tui"}
"""Where a file may have the name of the one whose work it shows."""
OPENED_BY_FILE = SHOWN_IN
"""Packages that offer nothing: each of their files is a command or a screen, opened by itself."""
PRINTING = {"__main__.py", "agents", "bot.py", "cli", "envs", "tui", "web"}
"""The edges, and what authors of bots and agents use in programs of their own."""


def public_names(tree: ast.Module) -> Iterator[str]:
    """What a module defines at its top without an underscore."""
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case ast.Assign(targets=targets):
                yield from (one.id for one in targets if isinstance(one, ast.Name))


def modules() -> Iterator[Path]:
    return (path.relative_to(ROOT) for path in sorted(ROOT.rglob("*.py")))


def test_a_public_name_means_one_thing() -> None:
    """Whoever searches for a class, a function or a constant finds one."""
    homes = defaultdict(set)
    for path in modules():
        shared = OF_EVERY_UPGRADE if "migrations" in path.parts else OF_EVERY_COMMAND
        for name in public_names(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
            if not name.startswith("_") and name not in shared:
                homes[name].add(str(path))
    assert {name: paths for name, paths in homes.items() if len(paths) > 1} == {}


def test_a_file_name_repeats_only_between_a_package_and_its_command_or_screen() -> None:
    """`repair.py` is in the lab, and in the command line that shows it."""
    packages = defaultdict(list)
    for path in modules():
        if not path.name.startswith("__"):
            packages[path.name].append(path.parts[0])
    repeated = {
        name: [one for one in where if one not in SHOWN_IN] for name, where in packages.items()
    }
    assert {name: where for name, where in repeated.items() if len(where) > 1} == {}


def imports() -> Iterator[tuple[Path, int, str]]:
    """Every import of a module of this project: the file, the line, the module's full name."""
    for path in modules():
        for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
            match node:
                case ast.ImportFrom(module=str(name)) if name.split(".")[0] == "lineduel":
                    yield path, node.lineno, name
                case ast.Import(names=names):
                    for one in names:
                        if one.name.split(".")[0] == "lineduel":
                            yield path, node.lineno, one.name


def test_what_a_package_offers_is_imported_from_the_package() -> None:
    """`from lineduel.solve import Value`; which file has it is the package's own business."""
    wrong = [
        f"{path}:{line} imports {module}"
        for path, line, module in imports()
        if len(parts := module.split(".")) > 2
        and parts[1] != path.parts[0]
        and parts[1] not in OPENED_BY_FILE
    ]
    assert wrong == []


def test_the_files_of_a_package_import_from_each_other() -> None:
    """Never from their own `__init__`, which imports them."""
    wrong = [
        f"{path}:{line} imports {module}"
        for path, line, module in imports()
        if module == f"lineduel.{path.parts[0]}"
    ]
    assert wrong == []


def test_only_the_edges_print() -> None:
    """Below them a callback or a log message says it, and an edge decides how it is shown."""
    wrong = [
        f"{path}:{node.lineno} {ast.unparse(node)}"
        for path in modules()
        if path.parts[0] not in PRINTING
        for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and is_printing(node)
    ]
    assert wrong == []


def is_printing(call: ast.Call) -> bool:
    """Whether a call prints or writes to one of the program's own streams."""
    called, streams = ast.unparse(call.func), r"sys\.(__)?std(out|err)"
    if called == "print":
        files = [ast.unparse(one.value) for one in call.keywords if one.arg == "file"]
        return not files or re.match(streams, files[0]) is not None
    return re.match(rf"{streams}.*\.write(lines)?$", called) is not None


def test_what_public_functions_take_and_give_is_public() -> None:
    """A class with an underscore stays in its module; aliases and type variables say less."""
    wrong = []
    for path in modules():
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        private = {
            node.name
            for node in tree.body
            if isinstance(node, ast.ClassDef) and node.name.startswith("_")
        }
        for function in public_functions(tree):
            arguments = function.args
            every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
            written = [function.returns, *(one.annotation for one in every)]
            words = {
                word for one in written if one for word in re.findall(r"\w+", ast.unparse(one))
            }
            if private & words:
                wrong.append(f"{path}:{function.lineno} {function.name}")
    assert wrong == []


def public_functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Functions, and methods of classes, without an underscore."""
    for node in tree.body:
        inside = node.body if isinstance(node, ast.ClassDef) else [node]
        if isinstance(node, ast.ClassDef) and node.name.startswith("_"):
            continue
        for one in inside:
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) and one.name[0] != "_":
                yield one
