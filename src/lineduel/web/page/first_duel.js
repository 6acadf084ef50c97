/**
 * A first duel on five cells, against a program that takes what it can. Orange is slower, so that
 * no first move loses. The moves come from the server.
 */

import { post } from "./api.js";
import { Board } from "./board.js";
import { BoardInput } from "./board_input.js";
import { NOTHING, select } from "./board_selection.js";
import { make, say } from "./dom.js";
import { text } from "./texts.js";

/** @import { Selection, SelectionEvent } from "./board_selection.js" */
/** @import { BoardDocument, EventDocument, TriedMove, TriedPosition } from "./documents.js" */
/** @import { TextKey } from "./texts.js" */

const RULES = `title = "First duel"
[track]
first = 1
last = 5
[player1]
pieces = { Blue = 1 }
goal = [5]
[player2]
pieces = { Orange = 5 }
goal = [1]
steps = [1]
[turn]
first = "player1"
[move]
steps = [1, 2]
edge = "illegal"
[meet]
own = "blocked"
enemy = "captured"
`;

/** Its start, shown before the server has answered. @type {BoardDocument} */
const START = {
  cells: [1, 5],
  labels: ["1", "2", "3", "4", "5"],
  position: "1/5/1",
  pieces: [
    { name: "Blue", side: "P1", at: 1 },
    { name: "Orange", side: "P2", at: 5 },
  ],
  goals: { P1: [5], P2: [1] },
  homes: { Blue: 1, Orange: 5 },
  forward: { P1: 1, P2: -1 },
  to_move: "P1",
  battle: null,
};

/**
 * What the program plays: a move that wins, else the shortest.
 * @param {TriedMove[]} moves
 */
function reply(moves) {
  return moves.find((one) => one.events.some((event) => event.kind === "won")) ?? moves[0];
}

export class FirstDuel {
  constructor() {
    /** @type {Selection<TriedMove>} */
    this.selection = NOTHING;
    this.board = new Board({ label: text("duelBoard") });
    this.input = new BoardInput(
      this.board,
      (/** @type {TriedMove} */ move) => void this.play(move),
      this,
    );
    this.prompt = make("p", { class: "duel-prompt" });
    this.again = make(
      "button",
      { type: "button", class: "quiet", hidden: true, onclick: () => this.begin() },
      text("duelAgain"),
    );
    this.element = make(
      "section",
      { class: "first-duel", "aria-label": text("duelBoard") },
      this.prompt,
      this.board.element,
      this.again,
    );
    this.board.getReady();
  }

  /**
   * Nothing is picked before the first tap.
   * @param {SelectionEvent<TriedMove>} event
   */
  dispatch(event) {
    const next = select(this.selection, event);
    const isFree = event.type === "offer" || (event.type === "pick" && event.piece === null);
    this.selection = isFree ? { ...next, picked: null } : next;
    if (event.type === "pick" && event.piece) this.tell("duelGo");
  }

  /** @param {TextKey} key */
  tell(key) {
    this.prompt.textContent = text(key);
  }

  async begin() {
    this.again.hidden = true;
    this.tell("duelGoal");
    let isTapped = false;
    const tap = () => {
      isTapped = true;
    };
    this.board.element.addEventListener("pointerdown", tap);
    await this.board.show(START);
    const start = await this.ask(null).catch(() => null);
    this.board.element.removeEventListener("pointerdown", tap);
    if (!start) {
      this.element.hidden = true;
      return;
    }
    await this.board.show(start.board);
    this.input.offer(start.moves);
    if (isTapped) this.input.pick(start.moves[0].piece); // before its moves were there
  }

  /** @param {string | null} position */
  ask(position) {
    return post("/api/moves", { toml: RULES, ...(position ? { position } : {}) });
  }

  /** @param {TriedMove} move */
  async play(move) {
    this.input.offer([]);
    const [next] = await Promise.all([this.ask(move.after), this.board.anticipate(move)]);
    await this.show(
      next,
      move.events.filter((event) => event.kind !== "moved"),
    );
    if (next.winner) return;
    const answer = reply(next.moves);
    const after = await this.ask(answer.after);
    await this.show(after, answer.events);
    if (after.winner) return;
    this.tell("duelNext");
    this.input.offer(after.moves);
  }

  /**
   * @param {TriedPosition} next
   * @param {EventDocument[]} events
   */
  async show(next, events) {
    await this.board.show(next.board, events);
    if (!next.winner) return;
    this.tell(next.winner === "P1" ? "duelWon" : "duelLost");
    say(this.prompt.textContent ?? "");
    this.again.hidden = false;
  }
}
