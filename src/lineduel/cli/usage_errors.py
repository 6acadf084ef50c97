"""What is wrong with a command line, in plain words."""

import argparse
import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches

from lineduel.errors import shown
from lineduel.rules import listed

_KINDS = {"int": "a whole number", "float": "a number"}
_MEANT = {
    **dict.fromkeys(("--level", "--difficulty", "--opponent", "--computer"), "--p2 easy"),
    **dict.fromkeys(("--name", "--names"), "--name1 Ann"),
}
"""Options that other programs have, and what to type in place of them."""


def in_plain_words(message: str, parser: argparse.ArgumentParser) -> str:
    """A message of argparse as a sentence that says what to type."""
    for pattern, words in _MESSAGES:
        if found := re.fullmatch(pattern, message, re.DOTALL):
            return words(parser, *found.groups())
    return message[:1].upper() + message[1:] + ("" if message.endswith((".", "?")) else ".")


def unknown_words(parser: argparse.ArgumentParser, words: Iterable[str]) -> str:
    """A sentence about words that a command does not take, with the option that may be meant."""
    given = list(words)
    unknown = next((word for word in given if word.startswith("-")), None)
    if unknown is None:
        return f"'{shown(' '.join(given))}' is one word too many."
    name = unknown.partition("=")[0]
    options = [
        option
        for action in parser._actions
        if action.help != argparse.SUPPRESS
        for option in action.option_strings
    ]
    elsewhere = {one: meant for one, meant in _MEANT.items() if meant.split()[0] in options}
    near = get_close_matches(name, [*options, *elsewhere], n=1, cutoff=0.7)
    meant = f" Did you mean {elsewhere.get(near[0], near[0])}?" if near else ""
    return f"There is no option '{shown(name)}'.{meant}"


def _missing(parser: argparse.ArgumentParser, names: str) -> str:
    """What each missing argument is, as its help says."""
    helps = {one.metavar or one.dest: one.help for one in parser._actions if not one.option_strings}
    said = [
        f"{name} ({helps[name]})" if helps.get(name) else name
        for name in (one.partition("/")[0] for one in names.split(", "))
    ]
    return f"Missing: {listed(said, 'and')}."


def _choice(parser: argparse.ArgumentParser, name: str, value: str, choices: str) -> str:
    words = [word.strip("'\"") for word in choices.split(", ")]
    near = get_close_matches(value, words, n=1)
    meant = f" Did you mean {near[0]}?" if near else ""
    return f"{name} takes {listed(words, 'or')}, not '{shown(value)}'.{meant}"


def _no_value(parser: argparse.ArgumentParser, name: str) -> str:
    action = next((one for one in parser._actions if name in one.option_strings), None)
    value = action.metavar if action and isinstance(action.metavar, str) else "a value"
    return f"{name} needs {value} after it."


_MESSAGES: tuple[tuple[str, Callable[..., str]], ...] = (
    (r"the following arguments are required: (.*)", _missing),
    (r"argument ([^:]+): invalid choice: '?(.*?)'? \(choose from (.*)\)", _choice),
    (
        r"argument ([^:]+): invalid (\w+) value: '(.*)'",
        lambda _, name, kind, value: (
            f"{name} takes {_KINDS.get(kind, 'another value')}, not '{shown(value)}'."
        ),
    ),
    (r"argument ([^:]+): expected .*", lambda parser, name: _no_value(parser, name.split("/")[-1])),
    (
        r"argument ([^:]+): not allowed with argument (.*)",
        lambda _, one, other: f"{one} and {other} cannot be used together.",
    ),
    (
        r"(?:argument [^:]+: )?ambiguous option: (\S+) could match (.*)",
        lambda _, name, several: (
            f"'{name}' could be {listed(several.split(', '), 'or')}; say which."
        ),
    ),
    (
        r"argument ([^:]+): ignored explicit argument '(.*)'",
        lambda _, name, value: f"{name} takes no value, so '{shown(value)}' cannot follow it.",
    ),
    (
        r"one of the arguments (.*) is required",
        lambda _, several: f"Give one of {listed(several.split(), 'or')}.",
    ),
    (r"unrecognized arguments: (.*)", lambda parser, words: unknown_words(parser, words.split())),
    (r"argument ([^:]+): (.*)", lambda _, name, why: f"{name}: {why.rstrip('.')}."),
)
"""What argparse says, and the sentence in place of it."""
