"""Files that earlier versions wrote: each opens as it was left, goes on, and opens once more."""

import json
import re
import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from lineduel.cli.main import main
from support.program import Program, wait_until
from support.terminal import Sitting
from support.web_server import Server
from write_fixtures import (
    FIXTURES,
    SEATS,
    Json,
    Table,
    config_lines,
    copied,
    told_of_game,
    told_of_view,
)

VERSIONS = sorted(path.name for path in FIXTURES.iterdir())
REVEALED = '"numbers":{'
"""What a message has in which the numbers of a battle are told."""


@cache
def written(version: str, name: str) -> Json:
    """What that version says about the files it wrote."""
    document: Json = json.loads((FIXTURES / version / name).read_text(encoding="utf-8"))
    return document


def test_there_are_files_of_the_first_version() -> None:
    assert "1.0.0rc1" in VERSIONS


# Somebody who plays at a terminal

SAVES = [
    pytest.param(version, save, id=f"{version} {save['what']}")
    for version in VERSIONS
    for save in written(version, "player.json")["saves"]
]


@pytest.fixture(params=VERSIONS)
def version(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def player(version: str, tmp_path: Path) -> Program:
    """The program in a copy of a player's folder."""
    return copied(FIXTURES / version / "player", tmp_path)


class Replayed(NamedTuple):
    """A saved game as `lineduel replay` shows it."""

    document: Json
    text: str


def replayed(path: Path, capsys: pytest.CaptureFixture[str]) -> Replayed:
    assert main(["replay", str(path), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert main(["replay", str(path)]) == 0
    return Replayed(document, capsys.readouterr().out)


REWORDED = (
    (r"\bComputer plays\b", "The computer plays"),
    (r"\bComputer moves\b", "The computer moved"),
    (r"( moved \S+) from (\S+) to (\S+?)(?=[. ])", r"\1 \2→\3"),
    (r"(The computer moved .*)(?<= and )wins(?=\.)", r"\1won"),
    (r"(?<=\. )(Plays at|Sees) ", lambda one: f"It {one[1].lower()} "),
    (r" \(stay on \d+\)", ""),  # which is new
    (r", after (\d+ )move(s?)\.", r", after \1turn\2."),
)
"""What is said in other words now, and how."""
BOARD_IN_ONE_ROW = re.compile(r"(\.\.\.|\d+ \[)")
BOARD_IN_TWO_ROWS = re.compile(r"Positions:( \d+)+ (?=P)")
"""How the board of a game was drawn, and is now."""


def paragraphs(lines: Iterable[str]) -> list[str]:
    """A text in the words of today, however its lines are folded."""
    text = "\n".join(lines)
    for before, now in REWORDED:
        text = re.sub(before, now, text)
    return [" ".join(one.split()) for one in text.split("\n\n") if one.strip()]


def tells(shown: str, expected: list[str]) -> bool:
    """Whether all of that is told in its order; something more may be told between."""
    told, wanted = paragraphs(shown.splitlines()), paragraphs(expected)
    if any(map(BOARD_IN_TWO_ROWS.match, told)):  # of which the second has the pieces
        told = [BOARD_IN_TWO_ROWS.sub("", one) for one in told]
        wanted = [
            " ".join(re.findall(r"P\d-\w", one)) if BOARD_IN_ONE_ROW.match(one) else one
            for one in wanted
        ]
    rest = iter(told)
    return all(one in rest for one in wanted)


def lasting_tags(path: Path) -> list[str]:
    """What the head of a save says of a game, whatever is played: rules, words, players, date."""
    lines = path.read_text(encoding="utf-8").partition("\n\n")[0].splitlines()
    return [line for line in lines if not line.startswith(("[Saved ", "[Result "))]


def secret_file(path: Path) -> Path:
    return path.with_name(f".{path.name}.secret")


@pytest.mark.parametrize(("version", "save"), SAVES)
def test_a_saved_game_is_as_it_was_and_goes_on(
    player: Program, save: Json, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its moves, position, names and log; whose turn it is; and then the next move."""
    path = player.data / "games" / save["file"]
    before = path.read_bytes()
    tags = lasting_tags(path)
    shown = replayed(path, capsys)
    assert shown.document == save["replay"]
    assert tells(shown.text, save["log"])
    resume = ("play", "--resume", str(path))
    if "answer" not in save:
        over = player(*resume, "--p2", "human")  # without the program that played
        assert (over.status, over.err) == (0, "")
        assert "The game is over: " in over.out
        assert path.read_bytes() == before
        return
    assert secret_file(path).exists() == ("secret" in save)
    done = player(*resume, typed=f"{save['answer']}\nquit\n")
    assert (done.status, done.err) == (0, "")
    *resumed, prompt = save["resumed"]
    before_answer, asked, _ = done.out.partition(prompt)
    assert asked
    assert tells(before_answer, resumed)
    now, then = replayed(path, capsys).document, save["then"]
    plies = len(then["moves"])
    assert now["moves"][:plies] == then["moves"]
    assert now["positions"][: plies + 1] == then["positions"]
    replies = now["tags"]["Player2"] != "human"
    assert plies <= len(now["moves"]) <= plies + replies
    assert lasting_tags(path) == tags
    again = player(*resume, typed="quit\n")
    assert (again.status, again.err) == (0, "")
    assert f", after {len(now['moves'])} turns.\n" in again.out


def test_a_number_chosen_before_counts_and_was_not_shown(version: str, player: Program) -> None:
    """Up to the moment in which both are told, the screen does not depend on it."""
    seen = set()
    saves = [one for one in written(version, "player.json")["saves"] if one.get("secret")]
    numbers = [one["secret"]["1"] for one in saves if "1" in one["secret"]]
    assert len(numbers) == len(set(numbers)) > 1
    for save in saves:
        path = player.data / "games" / save["file"]
        resumed = player("play", "--resume", str(path), typed=f"{save['answer']}\nquit\n").out
        before, told, _ = resumed.partition(" chose ")
        assert told
        for side, number in save["secret"].items():
            pair = save["then"]["moves"][-1].split(":")
            assert pair[int(side) - 1] == str(number)
            assert f" chose {number}.\n" in resumed
        assert not secret_file(path).exists()
        if "1" in save["secret"]:
            seen.add(before)
    assert len(seen) == 1


def test_the_history_lists_and_counts_the_games(version: str, player: Program) -> None:
    """Nothing is solved again for it, and a game that is played on comes first."""
    expected = written(version, "player.json")
    count = len(player.saved)

    def listed() -> list[Json]:
        return [told_of_game(one) for one in json.loads(player("history", "--json").out)["games"]]

    assert listed() == expected["history"]
    assert json.loads(player("history", "stats", "--json").out) == expected["stats"]
    assert (len(player.saved), player.cached) == (count, [])
    unfinished = [one for one in listed() if one["result"] == "*"]
    oldest = unfinished[-1]
    move = next(one for one in expected["saves"] if one["file"] == oldest["file"])["answer"]
    done = player("history", "resume", str(oldest["number"]), typed=f"{move}\nquit\n")
    assert (done.status, done.err) == (0, "")
    assert listed()[0]["file"] == oldest["file"]
    assert f", after {oldest['moves'] + 1} turns.\n" in player("play", "--resume").out


@pytest.mark.terminal
def test_preferences_hold(version: str, player: Program) -> None:
    """All of them are known, are used, and stay when one is changed."""
    expected = written(version, "player.json")["config"]
    path = player.folder / "config.toml"
    before = path.read_bytes()
    assert config_lines(player("config").out) == expected
    with Sitting(player, "play", "blockade-duel", two_people=False) as sitting:
        sitting.answer("Number (1-3", "2")
        sitting.answer("Enter for 9", "")  # the one that was chosen last
        sitting.see("Zoë plays Player 1.")
        sitting.answer("Enter your move (1 or 2): ", "quit")
        assert sitting.end() == 0
    changed = config_lines(player("config", "theme", "dark").out)
    assert changed == ["theme: dark", *expected[1:]]
    player("config", "theme", expected[0].removeprefix("theme: "))
    assert path.read_bytes() == before


def test_a_missed_puzzle_comes_back_and_the_rating_goes_on(version: str, player: Program) -> None:
    expected = written(version, "player.json")
    before = json.loads((player.data / "puzzles.json").read_text(encoding="utf-8"))
    asked = player("puzzle", "blockade-duel", "--count", "1", typed="1\n2\nanswer\n")
    told = asked.out.replace(" Blockade Duel.", "", 1)  # which is new
    assert told.splitlines()[:2] == expected["puzzle"]
    now = json.loads(player("history", "stats", "--json").out)["puzzles"]
    assert now["answered"] == expected["stats"]["puzzles"]["answered"] + 1
    assert now["best_streak"] >= expected["stats"]["puzzles"]["best_streak"]
    assert 0 < abs(now["rating"] - expected["stats"]["puzzles"]["rating"]) < 32
    after = json.loads((player.data / "puzzles.json").read_text(encoding="utf-8"))
    assert after.keys() == before.keys()
    assert len([name for name in after if after[name] != before[name]]) <= 1


# A server


def without_wording(told: Json) -> Json:
    """What is seen of a game apart from its sentences, which each version words in its own way."""
    facts = {key: value for key, value in told.items() if key not in ("sentence", "last")}
    facts["log"] = [line.partition(":")[0] for line in told["log"]]
    facts["undo"] = {key: told["undo"][key] for key in ("can", "asked_by")}
    facts["result"] = told["result"] and told["result"]["winner"]
    return facts


def without_new_words(record: list[str], before: list[str]) -> list[str]:
    """A record without the words of its game, where those that are shipped now are others.

    By such a record the game keeps the words in which it was played.
    """
    if any(line.startswith("[Words ") for line in before):
        return record
    return [line for line in record if not line.startswith("[Words ")]


class Served(NamedTuple):
    """A server that was given the database of an earlier version."""

    version: str
    server: Server
    games: dict[str, Json]
    """What was written about each game, by what it is."""

    def look(self, game: Json) -> dict[str, Json]:
        """A game as each of those sees it who have a token."""
        seen = {}
        for who in game["tokens"].keys() - {"invite"}:
            status, view = self.server.ask(f"/api/live/{game['id']}", token=game["tokens"][who])
            assert status == 200, (game["what"], view)
            seen[who] = view
        return seen

    def check(self, game: Json, seen: dict[str, Json]) -> None:
        """Each sees what was seen by the earlier version."""
        for who, expected in game["views"].items():
            told = told_of_view(seen[who])
            told["undo"].pop("to", None)  # which is new
            if told["undo"][
                "asked_by"
            ]:  # whoever is asked answers first, and asks for no other undo
                expected = expected | {"undo": expected["undo"] | {"can": False}}
            if game["what"] == "computer":  # who has not moved is not offered to take back
                expected = expected | {"undo": expected["undo"] | {"can": False}}
            before = without_wording(expected)
            if not told["joined"]:  # moves are not offered any more before the friend is there
                before |= {"asked": [], "moves": []}
            assert {key: without_wording(told)[key] for key in before} == before, (
                game["what"],
                who,
            )

    @contextmanager
    def opened(self, what: str) -> Iterator[Table]:
        """A game that is as it was left, with everybody connected to it."""
        game = self.games[what]
        self.check(game, self.look(game))
        token = game["tokens"]["spectator"]
        record = self.server.fetch(f"/api/live/{game['id']}/record", token=token)[1]
        assert without_new_words(record.splitlines(), game["record"]) == game["record"]
        with Table(self.server, game["id"], game["tokens"]) as table:
            self.check(game, {who: client.view for who, client in table.people.items()})
            yield table


@contextmanager
def serving(version: str, folder: Path) -> Iterator[Served]:
    shutil.copy(FIXTURES / version / "server" / "live.sqlite", folder)
    games = {one["what"]: one for one in written(version, "server.json")["games"]}
    with Server(folder, "--patience", "0") as server:
        yield Served(version, server, games)


@pytest.fixture(scope="module", params=VERSIONS)
def served(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    """One server for all tests; each game belongs to one of them."""
    with serving(str(request.param), tmp_path_factory.mktemp("served")) as served:
        yield served


def play_one(table: Table) -> Json:
    """The first legal move of whoever is asked, which everybody sees; the line that tells it."""
    before = {who: client.do("view") for who, client in table.people.items()}
    seat = before["spectator"]["asked"][0]
    move, turn = before[seat]["moves"][0]["move"], before[seat]["turn"]
    table.play(move)
    for who, client in table.people.items():
        assert client.view["turn"] == turn + 1
        assert client.view["last"]["move"] == move
        view = client.do("view")
        assert view["log"][:-1] == before[who]["log"]
        assert (view["log"][-1]["side"], view["log"][-1]["move"]) == (seat, move)
    return dict(view["log"][-1])


@pytest.mark.parametrize("what", ["middle", "position", "own rulebook", "stuck", "rematch"])
def test_a_game_of_two_goes_on(served: Served, what: str) -> None:
    """By a shipped rulebook or one's own, from any start, after takebacks, passes and rematches."""
    with served.opened(what) as table:
        assert play_one(table)["text"]


def test_the_computer_goes_on(served: Served) -> None:
    """It answers a move in a stored game, and both moves can be taken back."""
    with served.opened("computer") as table:
        person = table.people["P2"]
        version = table.do("P2", "move", move=person.view["moves"][0]["move"], turn=1)["version"]
        person.until(version + 1)
        assert (person.view["turn"], person.view["asked"]) == (3, ["P2"])
        undone = table.do("P2", "undo")
        assert (
            told_of_view(undone)["position"] == served.games["computer"]["views"]["P2"]["position"]
        )


def test_the_computer_replies_to_a_move_that_was_made_before(served: Served) -> None:
    """The earlier server was killed when it had stored the move and not the reply."""
    game = served.games["computer to move"]
    (expected,) = game["views"].values()
    with served.server.join(game["id"], game["tokens"]["P1"]) as person:
        person.until(expected["version"] + 1)
        now = told_of_view(person.do("view"))
        assert now["log"][: len(expected["log"])] == expected["log"]
        assert (now["turn"], now["asked"]) == (expected["turn"] + 1, ["P1"])
        assert person.move()["type"] == "turn"


@pytest.mark.parametrize(
    "what",
    [
        "battle 2",
        "battle 4",
        "own rulebook's battle",
        "computer's battle",
        "battle at one screen",
    ],
)
def test_a_battle_is_settled_with_the_number_chosen_before(served: Served, what: str) -> None:
    """Nobody was sent it before both had chosen, and it cannot be chosen again."""
    secret = served.games[what]["secret"]
    ((chooser, number),) = secret.items()
    (other,) = set(SEATS) - {chooser}
    with served.opened(what) as table:
        turn = table.people[other].view["turn"]
        if chooser in table.people:
            refused = table.people[chooser].do("number", number=1, side=chooser, turn=turn)
            assert refused["error"] == f"Player {chooser[1]} has chosen already."
        table.people[other].do("number", number=99, side=other, turn=turn)
        table.do(other, "name", name="Carl")
        frames = {client: [*client.frames] for client in table.people.values()}
        assert not [one for some in frames.values() for one in some if REVEALED in one]
        revealed = table.do(other, "number", number=1, side=other, turn=turn)
        for client, before in frames.items():
            assert client.view["last"]["events"][0]["numbers"] == {**secret, other: 1}
            assert [one for one in client.frames[len(before) :] if REVEALED in one]
        assert revealed["chosen"] == []
        pair = f"{number}:1" if chooser == "P1" else f"1:{number}"
        assert revealed["log"][-1]["move"] == pair
        if "computer" not in table.people["spectator"].do("view")["kinds"].values():
            play_one(table)


def test_no_message_depends_on_a_secret_number(tmp_path: Path, version: str) -> None:
    """Two games that differ in nothing else: all that is sent about them is the same."""
    with serving(version, tmp_path) as served:
        told = [everything_told(served, what) for what in ("battle 2", "battle 4")]
        numbers = {served.games[what]["secret"]["P1"] for what in ("battle 2", "battle 4")}
    assert len(numbers) == 2
    assert len(told[0]) > 20
    assert told[0] == told[1]


def everything_told(served: Served, what: str) -> list[str]:
    """Every frame and answer about an open battle, to both players and a spectator."""
    game = served.games[what]
    path = f"/api/live/{game['id']}"
    with served.opened(what) as table:
        table.do("P2", "undo")
        table.do("P2", "undo-answer", yes=False)
        table.do("P2", "name", name="Carl")
        turn = table.people["P1"].view["turn"]
        for who, client in table.people.items():
            client.do("view")
            client.do("number", number=99, turn=turn)
            if who != "P2":
                client.do("number", number=game["secret"]["P1"], turn=turn)
        told = [frame for client in table.people.values() for frame in client.frames]
        for token in game["tokens"].values():
            told += [
                served.server.fetch(place, token=token)[1] for place in (path, f"{path}/record")
            ]
    return [one.replace(game["id"], "GAME") for one in told]


def test_a_takeback_asked_for_before_is_answered(served: Served) -> None:
    with served.opened("undo asked") as table:
        asked = table.people["P2"].view["undo"]
        assert asked["sentence"] == "Ann asks to take back turns 1 to 3."
        assert table.people["P1"].do("undo")["error"] == "You have asked already."
        agreed = table.do("P2", "undo-answer", yes=True)
        assert (agreed["turn"], agreed["undo"]["asked_by"]) == (0, None)
        play_one(table)


def test_a_rematch_offered_before_is_accepted(served: Served) -> None:
    with served.opened("rematch offered") as table:
        assert table.people["P1"].do("rematch")["error"] == "You have asked already."
        assert table.do("P2", "rematch")["rematch"]["offered_by"] == ["P1", "P2"]
        with table.rematch() as again:
            assert again.people["P1"].view["names"] == {"P1": "Bob", "P2": "Ann"}
            play_one(again)


def test_a_finished_game_leads_to_its_rematch(served: Served) -> None:
    with served.opened("finished") as table:
        assert table.people["P1"].view["rematch"]["id"] == served.games["rematch"]["id"]
        assert table.people["P2"].do("rematch")["type"] == "refused"
        with table.rematch() as again:
            assert [again.people[seat].view["you"] for seat in SEATS] == [*SEATS]


@pytest.mark.parametrize("what", ["resigned", "claimed win", "claimed abort"])
def test_a_game_that_is_over_stays_so(served: Served, what: str) -> None:
    """It says how it ended, takes no move, and can be played again."""
    with served.opened(what) as table:
        view = table.people["P1"].view
        assert view["result"]["sentence"]
        for do in ("move", "resign", "claim"):
            refused = table.people["P1"].do(do, move="1", turn=view["turn"], claim="win")
            assert refused["error"] == "The game is over."
        table.do("P1", "rematch")
        table.do("P2", "rematch")
        with table.rematch() as again:
            play_one(again)


def test_a_seat_that_the_computer_took_over_is_taken_back(served: Served) -> None:
    with served.opened("claimed computer") as table:
        assert table.do("P2", "return")["names"] == {"P1": "Ann", "P2": "Bob"}
        play_one(table)
        play_one(table)


def test_the_game_of_somebody_who_is_away_is_claimed(served: Served) -> None:
    game = served.games["opponent away"]
    served.check(game, served.look(game))
    with served.server.join(game["id"], game["tokens"]["P1"]) as one:
        claim = one.view["claim"]
        assert claim["sentence"] == "Bob is away."
        assert (claim["seconds_left"], claim["can"]) == (0, ["win", "computer", "abort"])
        assert one.do("claim", claim="win")["result"]["winner"] == "P1"


def test_an_invitation_sent_before_opens_the_seat(served: Served) -> None:
    with served.opened("nobody joined") as table:
        table.seat_friend("Carl")
        assert table.people["P1"].view["names"] == {"P1": "Ann", "P2": "Carl"}
        play_one(table)


def test_a_terminal_finds_its_seat_again(served: Served, tmp_path: Path) -> None:
    """By the link of the invitation, which was used up when it joined."""
    player = copied(FIXTURES / served.version / "player", tmp_path)
    joined = written(served.version, "player.json")["joined"]
    places = player.data / "joined.json"
    here = served.server.address.partition("//")[2]
    there = joined["address"].partition("//")[2]
    places.write_text(places.read_text(encoding="utf-8").replace(there, here), encoding="utf-8")
    with served.opened("joined from a terminal") as table:
        move, turn = "P2-C+1", table.people["P1"].view["turn"]
        link = served.server.address + joined["link"]
        done = player("join", "--plain", link, typed=f"{move}\nquit\n")
        assert (done.status, done.err) == (0, "")
        assert "Cross Over: Ann against Bob" in done.out
        while table.people["P1"].view["turn"] == turn:
            table.people["P1"].next("turn")
        assert table.people["P1"].view["last"]["move"] == move


def test_what_is_played_on_is_there_after_a_restart(tmp_path: Path, version: str) -> None:
    """Every game that waits for a person gets an answer; then the server is killed."""
    with serving(version, tmp_path) as served:
        left, acted = {}, []
        for what, game in served.games.items():
            acted += [what] * act_once(served, game)
            left[what] = {who: told_of_view(view) for who, view in served.look(game).items()}
        assert len(acted) > len(served.games) / 2
        served.server.kill()
        served.server.start()
        for what, game in served.games.items():
            now = {who: told_of_view(view) for who, view in served.look(game).items()}
            assert now == left[what], what


def act_once(served: Served, game: Json) -> bool:
    """Let a person act who is asked, and the computer reply; whether there was such a person."""
    wait_until(lambda: not computer_asked(served, game))
    for seat, view in served.look(game).items():
        if (action := next_action(seat, view)) is None:
            continue
        name, body = action
        path, token = f"/api/live/{game['id']}/{name}", game["tokens"][seat]
        status, answer = served.server.ask(path, body, token)
        assert status == 200, (game["what"], answer)
        wait_until(lambda: not computer_asked(served, game))
        return True
    return False


def next_action(seat: str, view: Json) -> tuple[str, Json] | None:
    """What somebody does who is asked for an answer, a move or a number."""
    asks, offers = view["undo"]["asked_by"], view["rematch"]
    if seat in SEATS and asks not in (None, seat):
        return "undo-answer", {"yes": True}
    if seat in SEATS and offers["offered_by"] and seat not in offers["offered_by"]:
        return "rematch", {}
    if view["moves"] and view["joined"]:
        return "move", {"move": view["moves"][0]["move"], "turn": view["turn"]}
    if view["numbers"]:
        return "number", {"number": 1, "turn": view["turn"]}
    return None


def computer_asked(served: Served, game: Json) -> bool:
    """Whether a program is to act; it is asked seldom enough for the limits of the server."""
    token = game["tokens"]["spectator"]
    status, view = served.server.ask(f"/api/live/{game['id']}", token=token)
    assert status == 200, (game["what"], view)
    is_asked = any(view["kinds"][side] == "computer" for side in view["asked"])
    if is_asked:
        time.sleep(0.1)
    return is_asked
