"""The tournaments that the server shows, each followed while somebody watches it."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

from lineduel.arena import FollowedTournament
from lineduel.documents import (
    ReplayedGame,
    ShownTournament,
    WatchedTournament,
    as_json,
    replayed_game,
    watched_tournament,
)
from lineduel.errors import LineduelError, NoSuchGame, StorageError, shown
from lineduel.players import player_in_words

LEDGER_SUFFIX = ".jsonl"
LOOK_EVERY = 0.4
"""Seconds between two looks at a file."""
SIGN_OF_LIFE = 15.0
"""Seconds after which something is sent although nothing happened, to notice who is gone."""
SECONDS_TO_READ = 5.0
"""How long whoever asks once may wait."""
_MOST_FOLLOWED = 16
"""Tournaments in memory; those that nobody watches make hosted."""
_MOST_LISTED = 200


class Tournaments:
    """One file, or all files of a folder."""

    def __init__(self, place: Path | None) -> None:
        """Show the tournament of that file, those of that folder, or none."""
        self._place = place
        self._followed: dict[str, _Followed] = {}
        self._is_closed = False
        if place is not None and not place.is_dir():
            FollowedTournament(place).close()  # says what is wrong with it

    def shown(self) -> list[ShownTournament]:
        """The tournaments there are; other files are left out."""
        found = []
        for path in self._files():
            with suppress(LineduelError):
                tournament = FollowedTournament(path)
                tournament.close()
                settings = tournament.settings
                found.append(
                    ShownTournament(
                        name=path.name,
                        game=settings.game,
                        title=settings.title,
                        players=[player_in_words(player) for player in settings.players],
                    )
                )
        return found

    async def watch(self, name: str) -> AsyncIterator[bytes | None]:
        """A tournament as it stands, and again whenever games were finished.

        None is a sign of life. It ends when the server stops; a file that was replaced or cannot
        be read any more raises.
        """
        followed = await self._find(name)
        followed.watchers += 1
        seen, quiet_since = -1, time.monotonic()
        try:
            while not self._is_closed:
                await self._look(name, followed)
                now = time.monotonic()
                if followed.version != seen:
                    seen, quiet_since = followed.version, now
                    yield followed.document
                elif now - quiet_since > SIGN_OF_LIFE:
                    quiet_since = now
                    yield None
                await asyncio.sleep(followed.pause)
        finally:
            followed.watchers -= 1

    async def document(self, name: str) -> bytes:
        """A tournament as it stands; of a very large one, as far as it could be read in time."""
        followed = await self._find(name)
        deadline = time.monotonic() + SECONDS_TO_READ
        await self._look(name, followed)
        while followed.has_more and time.monotonic() < deadline:
            await self._look(name, followed)
        return followed.document

    async def game(self, name: str, line: int) -> ReplayedGame:
        """One of the newest games."""
        followed = await self._find(name)
        return await asyncio.to_thread(replayed_game, followed.tournament, line)

    def close(self) -> None:
        """Let everybody go who watches."""
        self._is_closed = True

    async def _look(self, name: str, followed: "_Followed") -> None:
        try:
            await followed.look()
        except LineduelError:
            if self._followed.get(name) is followed:
                del self._followed[name]  # whoever asks again gets what is there then
                followed.tournament.close()
            raise

    def _files(self) -> list[Path]:
        if self._place is None:
            return []
        if not self._place.is_dir():
            return [self._place]
        try:
            found = sorted(self._place.glob(f"*{LEDGER_SUFFIX}"))
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise StorageError(f"{shown(self._place, 200)} cannot be read: {why}.") from None
        return found[:_MOST_LISTED]

    async def _find(self, name: str) -> "_Followed":
        followed = self._followed.get(name)
        if followed is not None:
            return followed
        path = next((one for one in self._files() if one.name == name), None)
        if path is None:
            raise NoSuchTournament("There is no such tournament.")
        tournament = await asyncio.to_thread(FollowedTournament, path)
        if name in self._followed:  # somebody else was as quick
            tournament.close()
            return self._followed[name]
        for other, unwatched in list(self._followed.items()):
            if len(self._followed) >= _MOST_FOLLOWED and not unwatched.watchers:
                del self._followed[other]
                unwatched.tournament.close()
        followed = self._followed[name] = _Followed(name, tournament)
        return followed


class NoSuchTournament(NoSuchGame):
    """There is no tournament of that name."""


class _Followed:
    """A tournament, and what everybody who watches it is sent."""

    def __init__(self, name: str, tournament: FollowedTournament) -> None:
        self.tournament = tournament
        self.watchers = 0
        self.version = 0
        self.document = b""
        self.has_more = True
        """Whether the last look found something, so that there may be more."""
        self._name = name
        self._looking = asyncio.Lock()

    @property
    def pause(self) -> float:
        """Seconds until the next look."""
        return LOOK_EVERY / 8 if self.has_more else LOOK_EVERY

    async def look(self) -> None:
        """Read what was written since the last look, whoever's that was."""
        async with self._looking:
            self.has_more = await asyncio.to_thread(self.tournament.read_on)
            if self.has_more or not self.document:
                self.document = as_json(await asyncio.to_thread(self._watched))
                self.version += 1

    def _watched(self) -> WatchedTournament:
        return watched_tournament(self._name, self.tournament)
