"""Write what people have on their disks after using this version: `python tests/write_fixtures.py`.

It plays with the real program and a real server, and leaves in `tests/fixtures/VERSION`:

- `player`: the folder of somebody who plays at a terminal: saved games, numbers that are still
  secret, preferences, puzzles, seats in live games; `player.json` says what is in it;
- `server/live.sqlite`: a server's live games; `server.json` has their ids and tokens, and what
  each player and a spectator saw.

Later versions have to open these files and go on with them (`test_fixtures.py`), so the files of
a version are never written again.
"""

import json
import re
import secrets
import shlex
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import lineduel
from support.program import Program
from support.terminal import Sitting
from support.web_server import Server

TESTS = Path(__file__).parent
FIXTURES = TESTS / "fixtures"
OWN_RULEBOOKS = TESTS.parent / "examples" / "rulebooks"
BATTLES = "flag-chase"
"""A game in which enemies who meet fight a battle."""
STUCK = "from-bases-no-jump"
"""A variant of Blockade Duel in which both can end up without a move."""
TO_STUCK = ("P1+2", "P2+2", "P1+1", "P2+2", "P1+2")
TO_BATTLE = ("P1+1", "P2+1", "P1+1", "P2+1")
QUICK_WIN = ("P1+2", "P2+2", "P1+1", "P2+2", "P1+2")
"""A whole game of Blockade Duel."""
SEATS = ("P1", "P2")

Json = dict[str, Any]


# Somebody who plays at a terminal


class Save(NamedTuple):
    """A game to save."""

    what: str
    arguments: str
    typed: str
    """What the players type, until they leave."""
    answer: str = ""
    """What is typed next, once the game is resumed; empty if it is over."""


SAVES = (
    Save("finished", "blockade-duel --p2 human", "2 2 1 2 2"),
    Save("resigned", "ctf-tokens --first 1 --p2 human", "2 3 resign"),
    Save("forfeited", "blockade-duel --p2 'engine:python3 plays_illegally.py'", "1"),
    Save("lost to the computer", "ctf-tokens --first 2 --p2 perfect", "1 1 1 1 1 1 1 1"),
    Save("ctf-soldiers", "ctf-soldiers --first 2 --p2 human", "S3+1 S1+2 S4+2", "S2 1"),
    Save("flag-chase", f"{BATTLES} --p2 human", "1 1 1 1 4 2 1", "2"),
    Save("blockade-duel", "blockade-duel --p2 human", "1 2 1", "1"),
    Save("ctf-tokens", "ctf-tokens --first 2 --p2 human", "3 2", "1"),
    Save("cross-over", "cross-over --p2 human", "P1-C+1 P2-C+1 P1-C+2 P2-C+2", "1"),
    Save(
        "names",
        "cross-over --p2 human --name1 'Zoë \"Z\" Šimić' --name2 Bob",
        "P1-C+1 P2-C+1 P1-B+1",
        "P2-B+1",
    ),
    Save("level", "cross-over --p2 level:3 --seed 7", "P1-C+1 undo P1-C+2", "1"),
    Save("variant", f"{BATTLES}:may-stay --p2 human", "3 1", "1"),
    Save("stuck", f"blockade-duel:{STUCK} --p2 human", "2 2 1 2 2", "pass"),
    Save(
        "changed rules",
        "cross-over --set move.steps=1,2,3 --set track.length=13 --p2 human",
        "P1-C+3 P2-C+3",
        "P1-C+1",
    ),
    Save("position", "cross-over --position 0,x,4/9,6,x/2 --p2 human", "P2-B+2 P1-A+2", "P2-A+1"),
    Save("own rulebook", "./double-take.toml --p2 human", "B+2 Y+2 A+2", "X+2"),
    Save("computer's number", f"{BATTLES} --p2 level:1 --seed 3 --position 1/4/1", "1 1", "5"),
    Save("secret 1", f"{BATTLES} --p2 human --name1 Ann", "1 1 1 1 1", "4"),
    Save("secret 5", f"{BATTLES} --p2 human --name1 Ann", "1 1 1 1 5", "4"),
)


def write_player(fixture: Path, server: Server, link: str) -> None:
    """The folder of a player, who also joins a live game by that link of the server."""
    with tempfile.TemporaryDirectory() as folder:
        program = Program(Path(folder))
        for engine in ("polite.py", "plays_illegally.py"):
            shutil.copy(TESTS / "engines" / engine, folder)
        shutil.copy(OWN_RULEBOOKS / "double-take.toml", folder)
        written = {save.what: _save(program, save) for save in SAVES}
        _prefer(program)
        _solve_puzzles(program)
        _run(program, "join", "--plain", server.address + link, "--name", "Bob", typed="quit\n")
        stats = json.loads(_run(program, "history", "stats", "--json"))
        shutil.copytree(
            program.data,
            fixture / "player" / "data",
            ignore=shutil.ignore_patterns("rulebooks.json", "*.lock"),  # paths of this machine
        )
        shutil.copy(program.folder / "config.toml", fixture / "player")
        (fixture / "player" / "cache").mkdir()
        shutil.copy(program.folder / "cache" / "accuracies.json", fixture / "player" / "cache")
    player = fixture / "player"
    document = {
        "saves": [_save_document(player, save, written[save.what]) for save in SAVES],
        "history": [told_of_game(one) for one in _history(player)],
        "stats": stats,
        "config": config_lines(_on_copy(player, "config")),
        "puzzle": _on_copy(player, "puzzle", "blockade-duel", "--count", "1").splitlines()[:2],
        "joined": {"address": server.address, "link": link},
    }
    _write_json(fixture / "player.json", document)


def _run(program: Program, *arguments: str, typed: str = "") -> str:
    """What the program prints; it must not complain."""
    done = program(*arguments, typed=typed)
    assert (done.status, done.err) == (0, ""), (arguments, done)
    return done.out


def _save(program: Program, save: Save) -> str:
    """Play a game, and leave it; the name of its file."""
    before = set(program.saved)
    typed = "".join(f"{word}\n" for word in (*save.typed.split(), *(["quit"] * bool(save.answer))))
    _run(program, "play", *shlex.split(save.arguments), typed=typed)
    (path,) = set(program.saved) - before
    return path.name


def _save_document(player: Path, save: Save, file: str) -> Json:
    """What there is to see of a saved game, and after the next answer."""
    path = Path("data", "games", file)
    document: Json = {
        "what": save.what,
        "file": file,
        "replay": json.loads(_on_copy(player, "replay", str(path), "--json")),
        "log": _on_copy(player, "replay", str(path)).splitlines(),
    }
    secret = player / path.with_name(f".{path.name}.secret")
    if secret.exists():
        document["secret"] = json.loads(secret.read_text(encoding="utf-8"))["numbers"]
    if not save.answer:
        return document
    shown = _on_copy(player, "play", "--resume", str(path), typed="quit\n")
    asked = shown.rpartition("Game saved.")[0].removesuffix("\n").removesuffix("quit")
    with tempfile.TemporaryDirectory() as folder:
        program = copied(player, Path(folder))
        _run(program, "play", "--resume", str(path), typed=f"{save.answer}\nquit\n")
        after = json.loads(_run(program, "replay", str(path), "--json"))
    plies = len(document["replay"]["moves"]) + 1  # what a program replies is left to chance
    return document | {
        "resumed": asked.splitlines(),
        "answer": save.answer,
        "then": {"moves": after["moves"][:plies], "positions": after["positions"][: plies + 1]},
    }


def _prefer(program: Program) -> None:
    """Set every preference; the last opponent is set by choosing one at a terminal."""
    for key, value in (
        ("theme", "light"),
        ("animation", "off"),
        ("coach", "on"),
        ("name", "Zoë"),
        ("guest", 'Uncle "Bob"'),
    ):
        _run(program, "config", key, value)
    for game, level in (("cross-over", "4"), ("blockade-duel", "perfect")):
        with Sitting(program, "play", game, two_people=False) as sitting:
            sitting.answer("Number (1-3", "2")
            sitting.answer("Number or name (1-9", level)
            sitting.see("Zoë plays")
            sitting.answer(": ", "quit")
            sitting.end()


def _solve_puzzles(program: Program) -> None:
    """A puzzle that is solved, and one that is missed."""
    asked = ("puzzle", "blockade-duel", "--count", "1", "--seed", "2")
    assert "1 of 1 solved" in _run(program, *asked, typed="P2+2\n")
    assert "0 of 1 solved" in _run(program, *asked, typed="1\n2\nanswer\n")


def _on_copy(player: Path, *arguments: str, typed: str = "") -> str:
    """What the program prints in a copy of the folder."""
    with tempfile.TemporaryDirectory() as folder:
        return _run(copied(player, Path(folder)), *arguments, typed=typed)


def _history(player: Path) -> list[Json]:
    return list(json.loads(_on_copy(player, "history", "--json"))["games"])


def copied(player: Path, folder: Path) -> Program:
    """The program in a copy of a player's folder."""
    shutil.copytree(player, folder, dirs_exist_ok=True)
    return Program(folder)


def told_of_game(listed: Json) -> Json:
    """What the history says of a game, wherever its folder is."""
    return listed | {"file": Path(listed["file"]).name}


def config_lines(printed: str) -> list[str]:
    """What is preferred, wherever the file is."""
    return [line for line in printed.splitlines() if not line.startswith("file: ")]


# A server


class Table:
    """A live game with a connection for everybody whose token is known."""

    def __init__(self, server: Server, id: str, tokens: dict[str, str]) -> None:
        self.id = id
        self.tokens = dict(tokens)
        """By who it is for: `P1`, `P2`, `spectator`, and `invite` for whoever joins."""
        self._server = server
        self.people = {
            who: server.join(id, token) for who, token in tokens.items() if who != "invite"
        }

    @classmethod
    def new(cls, server: Server, **new: object) -> "Table":
        """A new game of Ann's, by link unless the options say else."""
        created = server.create(**{"opponent": "friend", "watch": True, "name": "Ann"} | new)
        tokens = created["seats"] | {one: created[one] for one in ("spectator", "invite")}
        known = {who: token for who, token in tokens.items() if token is not None}
        return cls(server, created["id"], known)

    @classmethod
    def of_two(cls, server: Server, **new: object) -> "Table":
        """A new game of Ann's by link, and Bob has joined."""
        table = cls.new(server, **new)
        table.seat_friend("Bob")
        return table

    def seat_friend(self, name: str) -> None:
        """Let the friend come in by the invitation."""
        (free,) = set(SEATS) - set(self.people)
        self.tokens[free] = f"s.{secrets.token_urlsafe(24)}"  # as a page makes it for itself
        self.people[free] = self._server.join(self.id, self.tokens["invite"], self.tokens[free])
        self.do(free, "name", name=name)

    def play(self, *moves: str) -> None:
        """Moves in notation; `4:2` is a battle's pair of numbers, `4:` only the first of them."""
        for move in moves:
            numbers = re.fullmatch(r"(\d?):(\d?)", move)
            if numbers is None:
                seat = next(iter(self.people.values())).view["asked"][0]
                self.do(seat, "move", move=move, turn=self.people[seat].view["turn"])
                continue
            for seat, number in zip(SEATS, numbers.groups(), strict=True):
                if number:
                    turn = self.people[seat].view["turn"]
                    self.do(seat, "number", number=int(number), turn=turn, side=seat)

    def do(self, seat: str, do: str, **request: object) -> Json:
        """What somebody asks for; everybody has seen it then."""
        done = self.people[seat].do(do, **request)
        assert done["type"] != "refused", done
        for client in self.people.values():
            client.until(done["version"])
        return done

    def rematch(self) -> "Table":
        """The next game, with the seats swapped."""
        swapped = dict(zip(SEATS, (self.tokens["P2"], self.tokens["P1"]), strict=True))
        tokens = swapped | {"spectator": self.tokens["spectator"]}
        return Table(self._server, self.people["P1"].view["rematch"]["id"], tokens)

    def leave(self, seat: str) -> None:
        """Somebody goes away, and the others notice."""
        self.people.pop(seat).close()
        for client in self.people.values():
            while client.next("presence")[seat]:
                pass

    def close(self) -> None:
        for client in self.people.values():
            client.close()

    def __enter__(self) -> "Table":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _in_the_middle(server: Server) -> Iterator[tuple[str, Table]]:
    """Games that go on with a move."""
    table = Table.of_two(server, game="cross-over")
    table.play("P1-C+1", "P2-C+1")
    table.do("P1", "undo")
    table.do("P2", "undo-answer", yes=True)
    table.play("P1-C+2", "P2-B+2", "P1-B+2")
    table.do("P2", "undo")
    table.do("P1", "undo-answer", yes=False)
    yield "middle", table
    table = Table.of_two(server, game="cross-over", position="0,x,4/9,6,x/2", seat="P2")
    table.play("P2-B+2", "P1-A+2")
    yield "position", table
    table = Table.of_two(server, toml=_toml("last-stand"))
    table.play("B+1", "Y+1", "B+1", "X+1", "B+1", "1:2")
    yield "own rulebook", table
    table = Table.of_two(server, game="blockade-duel", variant=STUCK)
    table.play(*TO_STUCK)
    yield "stuck", table
    table = Table.new(server, game="cross-over", opponent="level:3", seat="P2")
    person = table.people["P2"]
    person.until(2)  # the name, and the computer's move
    table.play("P2-C+1")
    person.until(4)
    table.do("P2", "undo")
    yield "computer", table


def _in_a_battle(server: Server) -> Iterator[tuple[str, Table]]:
    """Games in which a number is secret; the first two differ in nothing else."""
    for number in (2, 4):
        table = Table.of_two(server, game=BATTLES)
        table.play(*TO_BATTLE, f"{number}:")
        yield f"battle {number}", table
    table = Table.of_two(server, toml=_toml("standoff"))
    table.play("A+1", "Y+1", "A+1", "Y-1", "A+1", "Y+1", ":3")
    yield "own rulebook's battle", table
    table = Table.new(server, game=BATTLES, opponent="level:1", position="3/3/1*")
    table.people["P1"].until(2)  # the name, and the computer's number
    yield "computer's battle", table
    table = Table.new(server, game=BATTLES, opponent="here", position="3/3/2*")
    table.play("5:")
    yield "battle at one screen", table


def _with_something_asked(server: Server) -> Iterator[tuple[str, Table]]:
    """Games in which somebody waits for an answer."""
    table = Table.of_two(server, game="cross-over")
    table.play("P1-C+1", "P2-C+1")
    table.do("P1", "undo")
    table.play("P1-C+1")
    yield "undo asked", table
    table = Table.of_two(server, game="ctf-tokens")
    table.play("P1+3", "P2+2")
    table.do("P2", "resign")
    table.do("P1", "rematch")
    yield "rematch offered", table
    yield "nobody joined", Table.new(server, game="ctf-soldiers")
    table = Table.of_two(server, game="ctf-soldiers")
    table.play("S1+2")
    yield "opponent away", table


def _over(server: Server) -> Iterator[tuple[str, Table]]:
    """Games that have ended, and one in which the computer has taken over."""
    table = Table.of_two(server, game="ctf-soldiers")
    table.play("S1+2", "S3+1")
    table.do("P1", "resign")
    yield "resigned", table
    for claim in ("win", "abort", "computer"):
        table = Table.of_two(server, game="cross-over")
        table.play("P1-C+1", "P2-C+1")
        table.leave("P2")
        table.do("P1", "claim", claim=claim)
        yield f"claimed {claim}", table
    table = Table.of_two(server, game="blockade-duel")
    table.play(*QUICK_WIN)
    table.do("P2", "rematch")
    table.do("P1", "rematch")
    yield "finished", table
    again = table.rematch()
    again.play("P1+2", "P2+1")
    yield "rematch", again


def _toml(name: str) -> str:
    return (OWN_RULEBOOKS / f"{name}.toml").read_text(encoding="utf-8")


def write_server(fixture: Path, server: Server) -> None:
    """The database of a server, which is stopped in the end."""
    documents = []
    for games in (_in_the_middle, _in_a_battle, _with_something_asked, _over):
        for what, table in games(server):
            documents.append({"what": what, **_game_document(server, table)})
            table.close()
    table = Table.new(server, game="cross-over")
    write_player(fixture, server, f"/game/{table.id}#{table.tokens['invite']}")
    table.people["P1"].do("view")
    table.play("P1-C+2")
    documents.append({"what": "joined from a terminal", **_game_document(server, table)})
    table.close()
    documents.append({"what": "computer to move", **_killed_before_the_reply(server)})
    server.start()
    server.stop()  # it brings the database in order after the kill, and opens no game
    path = fixture / "server" / "live.sqlite"
    path.parent.mkdir()
    shutil.copy(server.folder / "live.sqlite", path)
    with closing(sqlite3.connect(path)) as database:
        database.execute("VACUUM")
        for game, side, number in database.execute("SELECT * FROM secret_numbers"):
            (document,) = (one for one in documents if one["id"] == game)
            document["secret"] = {f"P{side}": number}
    _write_json(fixture / "server.json", {"games": documents})


def _game_document(server: Server, table: Table) -> Json:
    """What each of its players and a spectator see of a game."""
    views = {}
    for who in table.tokens.keys() - {"invite"}:
        status, view = server.ask(f"/api/live/{table.id}", token=table.tokens[who])
        assert status == 200, view
        views[who] = told_of_view(view)
    record = server.fetch(f"/api/live/{table.id}/record", token=table.tokens["spectator"])[1]
    return {
        "id": table.id,
        "tokens": dict(sorted(table.tokens.items())),
        "views": dict(sorted(views.items())),
        "record": record.splitlines(),
    }


def _killed_before_the_reply(server: Server) -> Json:
    """A game against the computer, of a server that was killed before the computer replied."""
    while True:
        table = Table.new(server, game="blockade-duel", opponent="level:1")
        person = table.people["P1"]
        person.move("P1+1")
        server.kill()
        table.close()
        with closing(sqlite3.connect(server.folder / "live.sqlite")) as database, database:
            of_game = database.execute(
                "SELECT count(*) FROM happenings WHERE game = ?", (table.id,)
            )
            if of_game.fetchone() == (person.view["version"],):
                break
            for name, key in (("happenings", "game"), ("games", "id")):
                database.execute(f"DELETE FROM {name} WHERE {key} = ?", (table.id,))
        server.start()
    return {"id": table.id, "tokens": table.tokens, "views": {"P1": told_of_view(person.view)}}


def told_of_view(view: Json) -> Json:
    """What is compared of a view: all but who is connected, and the board beside its position."""
    kept = (
        "version turn game title you names kinds players joined asked chosen numbers sentence "
        "result undo rematch"
    )
    return {
        **{key: view[key] for key in kept.split()},
        "position": view["board"]["position"],
        "moves": [one["move"] for one in view["moves"]],
        "log": [f"{one['n']} {one['side']} {one['move']}: {one['text']}" for one in view["log"]],
        "last": view["last"] and view["last"]["sentence"],
    }


def _write_json(path: Path, document: object) -> None:
    text = json.dumps(document, indent=1, ensure_ascii=False)
    path.write_text(f"{text}\n", encoding="utf-8")


def main() -> None:
    fixture = FIXTURES / lineduel.__version__
    if fixture.exists():
        sys.exit(f"{fixture} is there already. What a version wrote is never written again.")
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder), "--patience", "0") as server:
        written = Path(folder, "fixture")
        written.mkdir()
        write_server(written, server)
        shutil.copytree(written, fixture)


if __name__ == "__main__":
    main()
