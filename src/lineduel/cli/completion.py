"""`lineduel completion`: a script that completes commands, options, games and players."""

import argparse
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from lineduel.cli.options import Parser
from lineduel.players import ENGINE_PREFIX, HUMAN, LEVEL_NAMES, describe_players, level_number
from lineduel.rulebooks import catalogue

if TYPE_CHECKING:
    from lineduel.cli.command_tree import Argument, CommandHelp

SHELLS = ("bash", "zsh", "fish")


def configure(parser: Parser) -> None:
    parser.add_argument("shell", choices=SHELLS, help="the shell that you use")
    parser.examples(
        "lineduel completion bash > ~/.local/share/bash-completion/completions/lineduel",
        "lineduel completion zsh > ~/.zsh/completions/_lineduel",
        "lineduel completion fish > ~/.config/fish/completions/lineduel.fish",
    )


def run(options: argparse.Namespace) -> int:
    from lineduel.cli.command_tree import command_tree

    print(script(options.shell, command_tree()))
    return 0


def script(shell: str, commands: "tuple[CommandHelp, ...]") -> str:
    """The completion script for a shell."""
    writers: dict[str, Callable[[tuple[CommandHelp, ...]], Iterator[str]]] = {
        "bash": _bash,
        "zsh": _zsh,
        "fish": _fish,
    }
    return "\n".join(writers[shell](commands))


def game_words() -> tuple[str, ...]:
    """The shipped games and their variants, as typed."""
    return tuple(address for entry in catalogue() for address in entry.addresses())


def player_words() -> tuple[str, ...]:
    """The players, as typed."""
    others = (name for name, _ in describe_players() if level_number(name) is None)
    return (HUMAN, *LEVEL_NAMES.values(), *others, ENGINE_PREFIX)


def _words(argument: "Argument") -> str:
    """The words that complete an argument, between spaces; none for files and free text.

    Choices that contain a space are left out, because shells complete them differently.
    """
    from lineduel.cli.command_tree import ValueKind

    match argument.kind:
        case ValueKind.CHOICE:
            return " ".join(word for word in argument.choices if " " not in word)
        case ValueKind.GAME:
            return " ".join(game_words())
        case ValueKind.PLAYER:
            return " ".join(player_words())
        case ValueKind.NOTHING | ValueKind.FILE | ValueKind.TEXT:
            return ""


# bash (completes file names if no word matches)


_BASH_HEAD = r"""# bash completion for lineduel; made by: lineduel completion bash
_lineduel() {
    local line=${COMP_LINE:0:COMP_POINT} cur prev='' command='' option='' words='' flags='' word
    local -a typed
    cur=${line##*[[:space:]]}
    read -ra typed <<< "${line%"$cur"}"
    for word in "${typed[@]:1}"; do
        case ${command:-none}$prev in
        VALUED) ;;
        *)
            case $word in
            -*) option=$word ;;
            *) command=${command:-$word} ;;
            esac
            ;;
        esac
        prev=$word
    done
    if [[ $cur == --*=* ]]; then
        prev=${cur%%=*} cur=${cur#*=}
    fi
    case $command in"""
_BASH_FOOT = r"""    esac
    [[ $cur == -* ]] && words=$flags
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
    if [[ $cur == *:* && $COMP_WORDBREAKS == *:* ]]; then
        COMPREPLY=("${COMPREPLY[@]#"${cur%"${cur##*:}"}"}")
    fi
}
complete -o default -F _lineduel lineduel"""


def _bash(commands: "tuple[CommandHelp, ...]") -> Iterator[str]:
    valued = (name for one in commands[0].options if one.value for name in one.names)
    yield _BASH_HEAD.replace("VALUED", "|".join(f"none{name}" for name in valued))
    for command in commands:
        yield f"    {command.name or chr(39) * 2})"
        flags = " ".join(name for option in command.options for name in option.names)
        yield f"        flags='{flags}'"
        words = map(_words, command.arguments) if command.name else (one.name for one in commands)
        yield f"        words='{' '.join(filter(None, words))}'"
        yield "        case $option in"
        for option in command.options:
            if option.is_repeated:
                yield f"        {'|'.join(option.names)}) words='{_words(option)}' ;;"
        yield "        esac"
        yield "        case $prev in"
        for option in command.options:
            if option.value:
                yield f"        {'|'.join(option.names)}) words='{_words(option)}' flags='' ;;"
        yield "        esac"
        yield "        ;;"
    yield _BASH_FOOT


# zsh


_ZSH_HEAD = r"""#compdef lineduel
# zsh completion for lineduel; made by: lineduel completion zsh"""
_ZSH_FOOT = r"""    esac
}
if [ "$funcstack[1]" = "_lineduel" ]; then
    _lineduel "$@"
else
    compdef _lineduel lineduel
fi"""


def _zsh(commands: "tuple[CommandHelp, ...]") -> Iterator[str]:
    own, *others = commands
    yield _ZSH_HEAD
    yield "_lineduel_games() {"
    yield f"    compadd -- {' '.join(game_words())}"
    yield "    _files -g '*.(toml|duel)(-.)'"
    yield "}"
    yield "_lineduel_players() {"
    yield f"    compadd -- {' '.join(player_words())}"
    yield "}"
    yield "_lineduel() {"
    yield "    local curcontext=$curcontext state line"
    yield "    local -a summaries=("
    yield from (f"        {_quoted(f'{one.name}:{one.summary}')}" for one in others)
    yield "    )"
    yield from _zsh_call("    ", ["-C", *_zsh_options(own), "'1: :->command'", "'*:: :->rest'"])
    yield "    case $state in"
    yield "    command) _describe command summaries ;;"
    yield "    rest)"
    yield "        case $words[1] in"
    for command in others:
        yield f"        {command.name})"
        places = _zsh_places(command)
        yield from _zsh_call("            ", [*_zsh_options(command), *places])
        yield "            ;;"
    yield "        esac"
    yield "        ;;"
    yield _ZSH_FOOT


def _zsh_call(indent: str, specs: list[str]) -> Iterator[str]:
    """A call of `_arguments` with one specification per line."""
    *most, last = specs
    yield f"{indent}_arguments \\"
    yield from (f"{indent}    {spec} \\" for spec in most)
    yield f"{indent}    {last}"


def _zsh_places(command: "CommandHelp") -> Iterator[str]:
    """The specifications of the positional arguments."""
    for at, argument in enumerate(command.arguments, start=1):
        value = _zsh_value(argument)
        if argument.is_repeated:
            yield _quoted(f"*{value.replace(':*-*', '', 1)}")
        else:
            yield _quoted(f"{at}{':' if argument.is_optional else ''}{value}")


def _zsh_options(command: "CommandHelp") -> Iterator[str]:
    for option in command.options:
        again = "*" if "repeatable" in option.help else ""
        about = option.help.replace("[", "(").replace("]", ")").replace(":", r"\:")
        value = _zsh_value(option) if option.value else ""
        for name in option.names:
            yield _quoted(f"{again}{name}[{about}]{value}")


def _zsh_value(argument: "Argument") -> str:
    """The part of a specification about the value, such as `:FILE:_files`."""
    from lineduel.cli.command_tree import ValueKind

    match argument.kind:
        case ValueKind.GAME:
            action = "_lineduel_games"
        case ValueKind.PLAYER:
            action = "_lineduel_players"
        case ValueKind.FILE:
            action = "_files"
        case ValueKind.NOTHING | ValueKind.TEXT:
            action = " "
        case ValueKind.CHOICE:
            return f":value:({_words(argument)})"
    if argument.is_repeated:
        return f":*-*:{argument.value}:{action}"
    return "".join(f":{one}:{action}" for one in argument.value.split())


# fish


def _fish(commands: "tuple[CommandHelp, ...]") -> Iterator[str]:
    from lineduel.cli.command_tree import ValueKind

    own, *others = commands
    yield "# fish completion for lineduel; made by: lineduel completion fish"
    yield "complete -c lineduel -f"
    for command in others:
        about = _fish_quoted(command.summary)
        yield f"complete -c lineduel -n __fish_use_subcommand -a {command.name} -d {about}"
    for command in (own, *others):
        when = f"'__fish_seen_subcommand_from {command.name}'"
        if not command.name:
            when = "__fish_use_subcommand"
        for option in command.options:
            names = " ".join(
                f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"
                for name in option.names
            )
            words, value = _words(option), ""
            if option.kind is ValueKind.FILE:
                value = " -r -F"
            elif option.value:
                value = f" -x -a {_fish_quoted(words)}" if words else " -x"
            yield f"complete -c lineduel -n {when} {names}{value} -d {_fish_quoted(option.help)}"
        for argument in command.arguments:
            words = _words(argument)
            files = " -F" if argument.kind in (ValueKind.GAME, ValueKind.FILE) else ""
            given = f" -a {_fish_quoted(words)}" if words else ""
            if files or given:
                yield f"complete -c lineduel -n {when}{files}{given}"


def _quoted(text: str) -> str:
    """Text in single quotes for POSIX shells."""
    return "'" + text.replace("'", "'\\''") + "'"


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
