"""Computer players of live games: they are asked beside everything else, for moves and answers."""

from collections.abc import Callable, Coroutine
from typing import Any

from lineduel.errors import LineduelError
from lineduel.play import Forfeited, LiveEvent
from lineduel.web.hosted_game import HostedGame
from lineduel.web.thinking import Thinkers


class ProgramTurns:
    """Lets programs take their turns."""

    def __init__(
        self,
        thinkers: Thinkers,
        submit: Callable[[HostedGame, int, list[LiveEvent]], None],
        goes_on: Callable[[HostedGame], bool],
        begin: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        """`submit` takes what a program did after a number of turns, if the game `goes_on`."""
        self._thinkers = thinkers
        self._submit = submit
        self._goes_on = goes_on
        self._begin = begin

    def take_turn(self, hosted: HostedGame) -> None:
        """Ask a program for its choice, if it is a program's turn and none is thinking."""
        if not hosted.is_thinking and hosted.live.program_asked is not None:
            hosted.is_thinking = True
            self._begin(self._think(hosted))

    async def _think(self, hosted: HostedGame) -> None:
        """Ask programs until people are asked again."""
        try:
            while self._goes_on(hosted) and (side := hosted.live.program_asked) is not None:
                session = hosted.live.session
                position, seat = session.position, session.seats[side - 1]
                try:
                    choice = await self._thinkers.choose(
                        hosted.info.rulebook,
                        seat,
                        hosted.info.start,
                        str(position),
                        side,
                        hosted.address,
                    )
                except LineduelError:
                    choice = None
                if not self._goes_on(hosted):
                    return
                session = hosted.live.session
                if hosted.live.program_asked is not side or session.position != position:
                    continue
                plies = session.plies
                if choice is None:
                    happened = hosted.live.happens(Forfeited(side))
                else:
                    happened = hosted.live.act(side, choice)
                self._submit(hosted, plies, happened)
        finally:
            hosted.is_thinking = False

    def answer_stop(self, hosted: HostedGame) -> None:
        """Answer an offer to stop, if a program is asked."""
        if hosted.live.program_offered_stop is not None:
            self._begin(self._answer_stop(hosted))

    async def _answer_stop(self, hosted: HostedGame) -> None:
        """A program agrees to stop if play goes in circles and is no better than even for it."""
        live, side = hosted.live, hosted.live.program_offered_stop
        if side is None:
            return
        position, agrees = live.session.position, live.session.goes_in_circles
        if agrees:
            try:
                agrees = not await self._thinkers.is_better_than_even(
                    hosted.info.rulebook, hosted.info.start, str(position), side, hosted.address
                )
            except LineduelError:
                agrees = False
        live = hosted.live
        if live.program_offered_stop is side and live.session.position == position:
            self._submit(hosted, live.session.plies, live.answer_stop(side, agrees))
