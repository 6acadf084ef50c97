"""Notebooks run without Jupyter, and shown as pages."""

import ast
import contextlib
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Cell = dict[str, Any]
FOLDER = "notebooks"


def notebook_pages(docs: Path) -> dict[str, str]:
    """A page for each notebook, with the outputs that the file has."""
    return {
        f"{FOLDER}/{path.stem}.md": page_of(json.loads(path.read_text(encoding="utf-8")), path.name)
        for path in sorted((docs / FOLDER).glob("*.ipynb"))
    }


def page_of(notebook: dict[str, Any], file_name: str) -> str:
    """A notebook as Markdown."""
    parts = [part for cell in notebook["cells"] for part in _shown(cell)]
    note = f"This page is a notebook: [{file_name}]({file_name}){{ download }}."
    return "\n\n".join([parts[0], note, *parts[1:]]) + "\n"


def _shown(cell: Cell) -> Iterator[str]:
    text = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield text
        return
    yield f"```python\n{text}\n```"
    for output in cell["outputs"]:
        data = output.get("data", {})
        if "image/svg+xml" in data:
            yield f'<figure markdown="0">{_one_block(data["image/svg+xml"])}</figure>'
        else:
            lines = output.get("text") or data["text/plain"]
            yield f"```text\n{''.join(lines).rstrip()}\n```"


def _one_block(svg: list[str]) -> str:
    """A picture without empty lines, which would end the block."""
    return "".join(line for line in "".join(svg).splitlines(keepends=True) if line.strip())


def run_notebook(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with the outputs of a fresh run, cell after cell, as Jupyter would have them."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells: list[Cell] = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            number = 1 + sum(one["cell_type"] == "code" for one in cells)
            outputs = list(_run("".join(cell["source"]), names, number))
            cell = {**cell, "execution_count": number, "outputs": outputs}
        cells.append(cell)
    return {**notebook, "cells": cells}


def _run(source: str, names: dict[str, Any], number: int) -> Iterator[Cell]:
    """What a cell prints, then what its last line is."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    if text := printed.getvalue():
        yield {"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)}
    if value is not None:
        yield {
            "data": _represented(value),
            "execution_count": number,
            "metadata": {},
            "output_type": "execute_result",
        }


def _represented(value: Any) -> dict[str, list[str]]:
    plain = {"text/plain": repr(value).splitlines(keepends=True)}
    if hasattr(value, "_repr_svg_"):
        return {"image/svg+xml": value._repr_svg_().splitlines(keepends=True), **plain}
    return plain


def update(path: Path) -> None:
    """Run a notebook, and write it with its new outputs."""
    notebook = run_notebook(json.loads(path.read_text(encoding="utf-8")))
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for path in sorted((Path(__file__).parent.parent / FOLDER).glob("*.ipynb")):
        update(path)
