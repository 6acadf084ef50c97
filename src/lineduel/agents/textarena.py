"""Duels as environments of TextArena: two agents that read and write text play each other.

>>> import textarena
>>> from lineduel.agents.textarena import register_duels
>>> register_duels("cross-over")
('Lineduel-cross-over-v0',)
>>> env = textarena.make("Lineduel-cross-over-v0")

Players take turns here, so in a battle one chooses after the other; a number is shown to nobody
before both have chosen.
"""

from typing import Any

from lineduel.agents.question import (
    Failure,
    PositionForm,
    numbers_text,
    position_text,
    question_text,
    read_choice,
)
from lineduel.engine import Game, Move
from lineduel.errors import NotInstalled
from lineduel.play import Session
from lineduel.rulebooks import SHIPPED, find_rulebook
from lineduel.rules import Rulebook, Side

try:
    import textarena as ta
    from textarena.envs.registration import ENV_REGISTRY, register
except ImportError:
    raise NotInstalled("TextArena", "textarena") from None

_MOST_TURNS = 200
"""A game is drawn after this many turns, unless the environment is made with another number."""


class TextDuel(ta.Env):
    """A duel for two; player 0 is player 1 of the rulebook."""

    def __init__(
        self,
        game: str | Rulebook,
        *,
        show_moves: bool = True,
        error_allowance: int = 1,
        max_turns: int = _MOST_TURNS,
    ) -> None:
        super().__init__()
        self._game = Game(find_rulebook(game) if isinstance(game, str) else game)
        self._show_moves, self._allowance = show_moves, error_allowance
        self._most = max_turns

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Begin a game; nothing is drawn by lot, so all seeds are alike."""
        self.state = ta.TwoPlayerState(
            num_players=num_players, seed=seed, error_allowance=self._allowance
        )
        self.session = Session(self._game)
        self.state.reset(
            game_state={"position": str(self.session.position)},
            player_prompt_function=self._prompt,
        )
        self._turn_to_who_is_asked()
        self._show()

    def _prompt(self, player_id: int, game_state: dict[str, Any]) -> str:
        side = Side(player_id + 1)
        start = self.session.start
        text = question_text(self._game, start, side, show_moves=False)
        return text.partition("\n\nThe position:")[0]

    def step(self, action: str) -> tuple[bool, Any]:
        """Read the last choice in an answer and play it."""
        session, player = self.session, self.state.current_player_id
        side = Side(player + 1)
        battle = session.position.battle is not None
        self.state.add_observation(
            from_id=player,
            to_id=player if battle else -1,
            message=action,
            observation_type=ta.ObservationType.PLAYER_ACTION,
        )
        read = read_choice(self._game, session.position, action, side=side)
        if read.choice is None:
            illegal = read.failure is Failure.ILLEGAL
            why = f"{'Illegal' if illegal else 'Not readable'}: {read.why}."
            self.state.set_invalid_move(reason=why)
            return self._stepped()
        if isinstance(read.choice, int):
            session.choose(side, read.choice)
        else:
            move: Move = read.choice
            session.play(move)
        self.state.game_state["position"] = str(session.position)
        if session.winner is not None:
            self.state.set_winner(session.winner - 1, f"Player {session.winner} has won the duel.")
        elif session.plies >= self._most:
            self.state.set_draw(f"Nobody has won within {self._most} turns.")
        if not session.chosen:  # while one number waits for the other, there is nothing to see
            self._show()
        return self._stepped()

    def _stepped(self) -> tuple[bool, Any]:
        if not self.state.done:
            self._turn_to_who_is_asked()
        done, info = self.state.step(rotate_player=False)
        return done, info

    def _turn_to_who_is_asked(self) -> None:
        if asked := self.session.asked:
            self.state.manually_set_current_player_id(asked[0] - 1)

    def _show(self) -> None:
        """Show everybody the board, and who is asked what to answer."""
        session = self.session
        position = session.position
        last = f"Last turn: {session.played[-1]}\n" if session.played else ""
        for side in Side:
            text = position_text(self._game, position, side, PositionForm.TEXT)
            if side not in session.asked:
                text = text.replace("It is your turn.", "It is the other player's turn.")
            elif self._show_moves and position.battle is None:
                text += f"\nYour legal moves: {' '.join(map(str, session.moves))}"
            elif position.battle is not None:
                text += f"\n{numbers_text(self._game, position, side)}"
            self.state.add_observation(
                to_id=side - 1,
                message=f"{last}{text}",
                observation_type=ta.ObservationType.GAME_BOARD,
            )


def register_duels(*games: str) -> tuple[str, ...]:
    """Register games with TextArena, all shipped ones by default; returns their ids."""
    ids = []
    for game in games or SHIPPED:
        name = f"Lineduel-{find_rulebook(game).id.replace(':', '-')}-v0"
        if name not in ENV_REGISTRY:
            register(name, entry_point=TextDuel, game=game)
        ids.append(name)
    return tuple(ids)
