"""What every JSON document has in common."""

import ast
import inspect
import textwrap
from fractions import Fraction
from typing import Any, Self

import msgspec


class Document(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An object in a JSON document, with its keys in the order in which they are written."""

    @classmethod
    def of(cls, source: object, **others: Any) -> Self:
        """The document of something that has its fields under the same names, but for `others`."""
        named = (name for name in cls.__struct_fields__ if name not in others)
        return cls(**{name: _number(getattr(source, name)) for name in named}, **others)


def _number(value: Any) -> Any:
    return float(value) if isinstance(value, Fraction) else value


def plain_data(document: object) -> object:
    """A document as dictionaries, lists, strings and numbers, without the keys that are not set."""
    return msgspec.to_builtins(document)


def describe_fields(definitions: dict[str, Any]) -> None:
    """Add to the schemas of documents what is said below their fields, by the documents' names."""
    structs = {one.__name__: one for one in Document.__subclasses__()}
    for title, defined in definitions.items():
        if "description" in defined:  # Python 3.13 takes the indentation away itself
            defined["description"] = inspect.cleandoc(defined["description"])
        for key, said in _said_below(structs[title]).items() if title in structs else ():
            defined["properties"][key]["description"] = said


def _said_below(struct: type[Document]) -> dict[str, str]:
    """The docstrings below the fields of a class, by the names of the fields."""
    (body,) = ast.parse(textwrap.dedent(inspect.getsource(struct))).body
    assert isinstance(body, ast.ClassDef)
    said = {}
    for field, below in zip(body.body, body.body[1:], strict=False):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                said[name] = " ".join(text.split())
    return said
