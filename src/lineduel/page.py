"""HTML pages made from `templates`; each is one file that loads nothing else."""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment

PAGE_HEAD = '<!doctype html><html lang="en"><head><meta name="generator" content="lineduel">'
"""The first characters of every HTML page that lineduel writes."""


def write_page(template: str, *, title: str, **content: object) -> str:
    """A whole page from one of the templates, with what it shows; all text is escaped."""
    return _environment().get_template(template).render(title=title, **content)


@cache
def template_file(name: str) -> str:
    """The text of a template, script or style sheet; pages contain scripts and styles unchanged."""
    from importlib.resources import files

    return files("lineduel").joinpath("templates", name).read_text(encoding="utf-8")


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        autoescape=True,
        loader=FunctionLoader(template_file),
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=StrictUndefined,  # a misspelt name is an error, not an empty place
    )
    environment.globals |= {
        "head": Markup(PAGE_HEAD),
        "inlined": lambda name: Markup(template_file(name)),
    }
    return environment
