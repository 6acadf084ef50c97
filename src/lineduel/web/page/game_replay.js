/** A finished game on the board, turn by turn: it plays itself, or is stepped through. */

import { Board } from "./board.js";
import { BoardInput } from "./board_input.js";
import { fill, make, say, show, wantsCalm } from "./dom.js";
import { text } from "./texts.js";

/** @import { ReplayedGame } from "./documents.js" */

const PAUSE = 700;

export class GameReplay {
  constructor() {
    this.at = 0;
    /** @type {ReplayedGame | null} */
    this.game = null;
    /** @type {ReturnType<typeof setTimeout> | null} */
    this.timer = null;
    this.board = new Board();
    this.input = new BoardInput(this.board, () => {}); // to look at, cell by cell
    this.title = make("h3", {});
    this.sentence = make("p", { class: "sentence" });
    this.turns = make("ol", { class: "log turns" });
    this.running = make(
      "button",
      { type: "button", class: "quiet", onclick: () => this.run(!this.timer) },
      text("replayRun"),
    );
    this.element = make(
      "div",
      { class: "duel", hidden: true },
      this.title,
      make("div", { class: "stage" }, this.board.element),
      make("div", { class: "call" }, this.sentence),
      this.steps(),
      this.turns,
    );
  }

  steps() {
    /**
     * @param {"first" | "previous" | "next" | "last"} key
     * @param {() => number} to
     */
    const step = (key, to) =>
      make(
        "button",
        {
          type: "button",
          class: "quiet",
          onclick: () => {
            this.run(false);
            this.show(to());
          },
        },
        text(key),
      );
    return make(
      "div",
      { class: "actions" },
      step("first", () => 0),
      step("previous", () => this.at - 1),
      this.running,
      step("next", () => this.at + 1),
      step("last", () => this.game?.turns.length ?? 0),
    );
  }

  /**
   * Show a game from its start, and play it.
   * @param {ReplayedGame} game
   */
  async open(game) {
    this.run(false);
    this.game = game;
    this.at = 0;
    this.title.textContent = text("replayOf", { player1: game.player1, player2: game.player2 });
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
      line.classList.toggle("now", index + 1 === at);
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
    this.running.textContent = text(wanted ? "replayPause" : "replayRun");
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
