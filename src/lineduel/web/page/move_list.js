/** The legal moves as buttons, and a line to type one. */

import { fill, make, show } from "./dom.js";
import { text } from "./texts.js";

/** @import { LiveView, PossibleMove } from "./documents.js" */

/** How many moves have a key of their own, 1 to 9. */
const KEYS = 9;

export class MoveList {
  /**
   * `play(move)` gets the notation of a move, or what was typed, and says whether it was taken;
   * `hint(move)` shows one on the board.
   * @param {(move: string) => boolean} play
   * @param {(move: PossibleMove | null) => void} hint
   */
  constructor(play, hint) {
    this.play = play;
    this.hint = hint;
    /** @type {PossibleMove[]} */
    this.keyed = [];
    this.rows = make("div", { class: "moves" });
    this.field = make("input", {
      type: "text",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      placeholder: text("typed"),
      "aria-label": text("typed"),
    });
    this.typed = this.typedMove();
    show(this.typed, false);
    this.opener = make(
      "button",
      { type: "button", class: "plain", onclick: () => this.type() },
      text("typed"),
      make("kbd", {}, "/"),
    );
    this.element = make(
      "section",
      { class: "panel moves-panel" },
      make("div", { class: "panel-head" }, make("h2", {}, text("yourMoves")), this.opener),
      this.rows,
      this.typed,
    );
  }

  get hasFocus() {
    return this.rows.contains(document.activeElement);
  }

  /**
   * List the moves of a view; `label` gives a cell as the rulebook prints it.
   * @param {Pick<LiveView, "you" | "result" | "moves" | "numbers" | "joined">} view
   * @param {(cell: number) => string} label
   */
  show(view, label) {
    show(this.element, Boolean(view.you) && !view.result);
    show(this.opener, view.moves.length > 0);
    if (!view.moves.length) show(this.typed, false);
    this.keyed = view.moves.length <= KEYS ? view.moves : [];
    const rows = byPiece(view.moves).map((moves) => this.row(moves, label));
    const waiting = text(
      view.numbers.length ? "chooseAbove" : view.joined ? "waitForOther" : "waitForFriend",
    );
    fill(this.rows, rows.length ? rows : make("p", { class: "quietly" }, waiting));
  }

  clear() {
    fill(this.rows);
    show(this.typed, false);
    show(this.opener, false);
  }

  /** Type a move; false where none can be played. */
  type() {
    if (this.opener.hidden) return false;
    show(this.typed, true);
    this.field.focus();
    return true;
  }

  /**
   * Let the moves be chosen, or none of them.
   * @param {boolean} isOn
   */
  enable(isOn) {
    for (const button of this.rows.querySelectorAll("button")) button.disabled = !isOn;
  }

  /**
   * The moves of one piece.
   * @param {PossibleMove[]} moves
   * @param {(cell: number) => string} label
   */
  row(moves, label) {
    const [{ piece }] = moves;
    const name = piece ? make("span", { class: "move-piece", "aria-hidden": "true" }, piece) : null;
    return make(
      "div",
      { class: "move-row" },
      name,
      make(
        "div",
        { class: "move-buttons" },
        moves.map((move) => this.button(move, label)),
      ),
    );
  }

  /**
   * @param {PossibleMove} move
   * @param {(cell: number) => string} label
   */
  button(move, label) {
    const isStay = move.from === move.to;
    const fields = {
      piece: move.piece,
      from: move.from === null ? "" : label(move.from),
      cell: move.to === null ? "" : label(move.to),
    };
    const short = move.piece ? text(isStay ? "stay" : "to", fields) : text("pass");
    const long = move.piece ? text(isStay ? "moveStay" : "moveTo", fields) : move.move;
    const key = this.keyed.indexOf(move) + 1;
    return make(
      "button",
      {
        type: "button",
        class: "move",
        onclick: () => this.play(move.move),
        onpointerenter: () => this.hint(move),
        onpointerleave: () => this.hint(null),
        onfocus: () => this.hint(move),
        onblur: () => this.hint(null),
        "aria-label": [long, move.text].filter(Boolean).join(", "),
      },
      make("span", {}, short),
      move.text ? make("em", {}, move.text) : null,
      key ? make("kbd", {}, `${key}`) : null,
    );
  }

  /**
   * Play the move of a key, if there is one.
   * @param {string} digit
   */
  press(digit) {
    const move = this.keyed[Number(digit) - 1];
    if (move) this.play(move.move);
  }

  focus() {
    const button = this.rows.querySelector("button");
    button?.focus();
    return Boolean(button);
  }

  typedMove() {
    const { field } = this;
    /** @param {SubmitEvent} event */
    const onsubmit = (event) => {
      event.preventDefault();
      if (!field.value.trim() || this.play(field.value.trim())) field.value = "";
    };
    return make(
      "form",
      { class: "typed", onsubmit },
      field,
      make("button", { type: "submit", class: "quiet" }, text("playTyped")),
    );
  }
}

/** @param {PossibleMove[]} moves */
function byPiece(moves) {
  /** @type {Map<string | null, PossibleMove[]>} */
  const rows = new Map();
  for (const move of moves) rows.set(move.piece, [...(rows.get(move.piece) ?? []), move]);
  return [...rows.values()];
}
