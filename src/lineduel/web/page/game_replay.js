/** A finished game on the board, turn by turn: it plays itself, or is stepped through. */

import { Board } from "./board.js";
import { BoardInput } from "./board_input.js";
import { fill, followed, make, say, show, wantsCalm } from "./dom.js";
import { text } from "./texts.js";
import { Transport } from "./transport.js";

/** @import { ReplayedGame } from "./documents.js" */

/** @typedef {Pick<ReplayedGame, "start" | "turns" | "sentence"> & Partial<ReplayedGame>} Replayed */

const PAUSE = 700;

export class GameReplay {
  constructor() {
    this.at = 0;
    /** @type {Replayed | null} */
    this.game = null;
    /** @type {ReturnType<typeof setTimeout> | null} */
    this.timer = null;
    this.board = new Board();
    this.input = new BoardInput(this.board, () => {}); // to look at, cell by cell
    this.title = make("h3", {});
    this.sentence = make("p", { class: "sentence" });
    this.turns = make("ol", { class: "log turns" });
    this.transport = new Transport(
      (to) => {
        this.run(false);
        this.show(this.place(to));
      },
      (wanted) => this.run(wanted),
    );
    this.element = make(
      "div",
      { class: "duel", hidden: true },
      this.title,
      make("div", { class: "stage" }, this.board.element),
      make("div", { class: "call" }, this.sentence),
      this.transport.element,
      this.turns,
    );
  }

  /** @param {"first" | "previous" | "next" | "last"} to */
  place(to) {
    const last = this.game?.turns.length ?? 0;
    return { first: 0, previous: this.at - 1, next: this.at + 1, last }[to];
  }

  /**
   * Show a game from its start, and play it.
   * @param {Replayed} game
   */
  async open(game) {
    this.run(false);
    this.game = game;
    this.at = 0;
    const { player1, player2 } = game;
    this.title.textContent = player1 ? text("replayOf", { player1, player2 }) : "";
    show(this.title, Boolean(player1));
    fill(
      this.turns,
      ...game.turns.map((turn) =>
        make(
          "li",
          { class: turn.side ?? "both", value: turn.n },
          make(
            "button",
            {
              type: "button",
              class: "step",
              onclick: () => {
                this.run(false);
                this.show(turn.n);
              },
            },
            turn.text,
          ),
        ),
      ),
    );
    show(this.element, true);
    await this.board.show(game.start);
    await this.show(0);
    this.element.scrollIntoView({ block: "nearest" });
    if (!wantsCalm()) this.run(true);
  }

  /**
   * Show the game after a number of turns.
   * @param {number} at
   */
  async show(at) {
    if (!this.game) return;
    const { turns, start, sentence } = this.game;
    if (at < 0 || at > turns.length) return;
    const isNext = at === this.at + 1;
    this.at = at;
    const turn = turns[at - 1];
    const told = turn ? turn.text : text("theStart");
    this.sentence.textContent = at === turns.length ? sentence : told;
    if (!this.timer) say(this.sentence.textContent);
    for (const [index, line] of [...this.turns.children].entries())
      followed(this.turns, line, index + 1 === at);
    await this.board.show(turn ? turn.board : start, isNext ? turn.events : []);
    this.input.offer([]);
  }

  /**
   * Let the game play itself, or stop it.
   * @param {boolean} wanted
   */
  run(wanted) {
    clearTimeout(this.timer ?? undefined);
    this.timer = null;
    this.transport.tell(wanted);
    const { game } = this;
    if (!wanted || !game) return;
    const go = async () => {
      await this.show(this.at === game.turns.length ? 0 : this.at + 1);
      if (!this.timer || game !== this.game) return;
      if (this.at === game.turns.length) this.run(false);
      else this.timer = setTimeout(go, PAUSE);
    };
    this.timer = setTimeout(go, PAUSE);
  }

  leave() {
    this.run(false);
  }
}
