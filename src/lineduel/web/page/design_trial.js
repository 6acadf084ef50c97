/** A board to try rules on: both sides by the same hand, with undo. The moves come from the server. */

import { post, sentenceOf } from "./api.js";
import { Board } from "./board.js";
import { BoardInput } from "./board_input.js";
import { fill, make, pill, say, show, within } from "./dom.js";
import { SIDES } from "./faces.js";
import { text } from "./texts.js";

/** @import { BoardDocument, EventDocument, TriedMove, TriedPosition } from "./documents.js" */
/** @import { SideId } from "./faces.js" */

/** What a click on the board does: it plays a move, or changes the rulebook. */
const MODES = /** @type {const} */ (["try", "homes", "P1", "P2"]);

export class TrialBoard {
  /**
   * `complain(sentence)` is called when something goes wrong; `edit` when the board itself is
   * changed: a piece gets another home, or a cell becomes a goal or none.
   * @param {(sentence: string) => void} complain
   * @param {{ home: (piece: string, cell: number) => void, goal: (side: SideId, cell: number) => void }} edit
   */
  constructor(complain, edit) {
    this.complain = complain;
    this.edit = edit;
    /** @type {typeof MODES[number]} */
    this.mode = "try";
    this.toml = "";
    /** @type {TriedPosition[]} */
    this.positions = [];
    this.board = new Board();
    this.input = new BoardInput(
      this.board,
      (/** @type {TriedMove} */ move) => void this.chosen(move),
    );
    this.board.track.addEventListener("click", (event) => this.click(event));
    this.sentence = make("p", { class: "trial-sentence" });
    this.numbers = make("div", { class: "trial-numbers" });
    this.undo = make(
      "button",
      { type: "button", class: "quiet small", onclick: () => this.back() },
      text("undo"),
    );
    this.restart = make(
      "button",
      { type: "button", class: "quiet small", onclick: () => this.again() },
      text("startAgain"),
    );
    this.pass = make(
      "button",
      { type: "button", class: "quiet small", hidden: true },
      text("pass"),
    );
    this.pass.addEventListener("click", () => this.play(this.now.moves[0]));
    this.element = make(
      "section",
      { class: "trial", "aria-label": text("tryHere") },
      this.modes(),
      make("div", { class: "stage" }, this.board.element),
      this.numbers,
      make(
        "div",
        { class: "trial-bar" },
        this.sentence,
        make("div", { class: "row" }, this.pass, this.undo, this.restart),
      ),
    );
  }

  modes() {
    const choose = (/** @type {typeof MODES[number]} */ mode) => {
      this.mode = mode;
      this.again();
    };
    return make(
      "fieldset",
      { class: "board-modes" },
      make("legend", { class: "unseen" }, text("boardMode")),
      make(
        "div",
        { class: "pills" },
        ...MODES.map((mode) =>
          pill("board-mode", text(`mode-${mode}`), mode === this.mode, () => choose(mode)),
        ),
      ),
    );
  }

  /** @param {TriedMove} move */
  chosen(move) {
    if (this.mode === "try") this.play(move);
    else if (move.piece && move.to !== null) this.edit.home(move.piece, move.to);
  }

  /** @param {Event} event */
  click(event) {
    const cell = within(event, ".cell");
    if (!(cell instanceof HTMLElement) || (this.mode !== "P1" && this.mode !== "P2")) return;
    this.edit.goal(this.mode, Number(cell.dataset.cell));
  }

  get now() {
    return this.positions[this.positions.length - 1];
  }

  /**
   * Begin at the start of a rulebook.
   * @param {TriedPosition} start
   * @param {string} toml
   */
  begin(start, toml) {
    this.toml = toml;
    this.positions = [start];
    return this.present("", []);
  }

  /** @param {TriedMove} move */
  async play(move) {
    const { toml, now } = this;
    this.input.offer([]);
    try {
      const next = await post("/api/moves", { toml, position: move.after });
      if (this.now !== now) return;
      this.positions.push(next);
      await this.present(move.sentence, move.events);
    } catch (error) {
      this.complain(sentenceOf(error));
      this.offer();
    }
  }

  async back() {
    if (this.positions.length < 2) return;
    this.positions.pop();
    await this.present("", []);
  }

  again() {
    this.positions = [this.positions[0]];
    return this.present("", []);
  }

  /**
   * @param {string} happened
   * @param {EventDocument[]} events
   */
  async present(happened, events) {
    const { now } = this;
    const told =
      this.mode === "try"
        ? [happened, now.sentence].filter(Boolean).join(" ")
        : text(`told-${this.mode}`);
    this.sentence.textContent = told;
    if (happened) say(told);
    this.undo.setAttribute("aria-disabled", `${this.positions.length < 2}`);
    this.input.offer([]);
    this.askNumbers();
    await this.board.show(now.board, events);
    if (this.now === now) this.offer();
  }

  offer() {
    if (this.mode !== "try") {
      show(this.pass, false);
      this.input.offer(this.mode === "homes" ? everyWay(this.now.board) : []);
      return;
    }
    const steps = this.now.board.battle ? [] : this.now.moves;
    const canPass = steps.length === 1 && steps[0].piece === null;
    show(this.pass, canPass);
    this.input.offer(canPass ? [] : steps);
  }

  /** In a battle, a number for each player. */
  askNumbers() {
    const { battle, hands } = this.now.board;
    /** @type {{ [side in SideId]?: number }} */
    const chosen = {};
    const rows = !battle
      ? []
      : SIDES.map((side) => {
          /** @type {HTMLButtonElement[]} */
          const buttons = Array.from({ length: battle.numbers }, (_, index) => {
            const button = make(
              "button",
              {
                type: "button",
                class: `number ${side}`,
                disabled: hands ? !hands[side].includes(index + 1) : false,
                "aria-pressed": "false",
                onclick: () => {
                  chosen[side] = index + 1;
                  for (const one of buttons) one.setAttribute("aria-pressed", `${one === button}`);
                  const move = this.now.moves.find(
                    (one) => one.move === `${chosen.P1}:${chosen.P2}`,
                  );
                  if (move) this.play(move);
                },
              },
              `${index + 1}`,
            );
            return button;
          });
          return make(
            "div",
            { class: "row", role: "group", "aria-label": text("numberOf", { player: text(side) }) },
            make("span", {}, text("numberOf", { player: text(side) })),
            ...buttons,
          );
        });
    fill(this.numbers, ...rows);
  }
}

/**
 * Every piece to every other cell, as moves to choose from.
 * @param {BoardDocument} board
 * @returns {TriedMove[]}
 */
function everyWay({ cells: [first, last], pieces }) {
  return pieces.flatMap(({ name, at }) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index)
      .filter((cell) => cell !== at)
      .map((cell) => ({
        move: name,
        said: name,
        piece: name,
        from: at,
        to: cell,
        text: "",
        after: "",
        events: [],
        sentence: "",
      })),
  );
}
