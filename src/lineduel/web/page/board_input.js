/** Choosing a move on a board: by click, tap, drag and keyboard. The moves come from the server. */

import { put } from "./board.js";
import { chosen, movable, movesOf, NOTHING, select, stays } from "./board_selection.js";
import { make, say, within } from "./dom.js";
import { SIDES } from "./faces.js";
import { text } from "./texts.js";

/** @import { Board } from "./board.js" */
/** @import { Selection, SelectionEvent } from "./board_selection.js" */
/** @import { BoardPiece, PossibleMove } from "./documents.js" */

const DRAG_FROM = 7;
/** What a move leads to, where that is known, the best first: its target has a colour then. */
const TONES = ["good", "even", "bad"];

/**
 * Where a selection is kept.
 * @template {PossibleMove} Move
 * @typedef {object} SelectionStore
 * @property {Selection<Move>} selection
 * @property {(event: SelectionEvent<Move>) => void} dispatch
 * @property {(sentence: string, cell: number) => void} [refused] A click did nothing, for that reason.
 */

/**
 * A store of its own, for boards without any other state.
 * @template {PossibleMove} Move
 * @returns {SelectionStore<Move>}
 */
function ownStore() {
  return {
    selection: NOTHING,
    dispatch(event) {
      this.selection = select(this.selection, event);
    },
  };
}

/** @template {PossibleMove} Move */
export class BoardInput {
  /**
   * `play(move)` is called with one of the moves that are offered.
   * @param {Board} board
   * @param {(move: Move) => void} play
   * @param {SelectionStore<Move>} [store]
   */
  constructor(board, play, store = ownStore()) {
    this.board = board;
    this.play = play;
    this.store = store;
    /** @type {number | null} */
    this.at = null;
    this.dropped = false;
    this.chooser = make("div", {
      class: "chooser",
      role: "group",
      "aria-label": text("chooser"),
      hidden: true,
    });
    this.stay = make(
      "button",
      { type: "button", class: "stay", hidden: true, onclick: () => this.stayHere() },
      text("stayHere"),
    );
    board.element.append(this.stay, this.chooser);
    board.onBuilt = () => this.refresh();
    const { track } = board;
    track.addEventListener("click", (event) => this.click(cellOf(event)));
    track.addEventListener(
      "pointerover",
      (event) => event.pointerType === "mouse" && this.look(cellOf(event)),
    );
    track.addEventListener("pointerleave", () => this.look(null));
    track.addEventListener("pointerdown", (event) => this.grab(event));
    track.addEventListener("focusin", (event) => this.focused(cellOf(event)));
    track.addEventListener("focusout", () => this.look(null));
    board.element.addEventListener("keydown", (event) => this.key(event));
  }

  get selection() {
    return this.store.selection;
  }

  /**
   * The moves that may be played now; none while it is somebody else's turn.
   * @param {Move[]} moves
   */
  offer(moves) {
    this.store.dispatch({ type: "offer", moves });
    this.offered();
  }

  /** Show the moves that are offered now. */
  offered() {
    this.close();
    this.refresh();
  }

  /**
   * Show where one move goes, as the list of moves does on hover.
   * @param {PossibleMove | null} move
   */
  hint(move) {
    this.store.dispatch({ type: "hint", move });
    this.refresh();
  }

  /** @param {number} cell */
  movableOn(cell) {
    return movable(this.selection, this.board.piecesOn(cell));
  }

  /** @param {number | null} cell */
  click(cell) {
    if (cell === null || this.dropped) {
      this.dropped = false;
      return;
    }
    this.close();
    const here = this.board.piecesOn(cell);
    const meant = chosen(this.selection, cell, here);
    if ("moves" in meant) this.choose(meant.moves, cell);
    else if (meant.piece || this.movableOn(cell).length) this.pick(meant.piece);
    else this.refuse(cell, here);
  }

  /**
   * Nothing can be done on this cell: say why, and what can be done.
   * @param {number} cell
   * @param {BoardPiece[]} here
   */
  refuse(cell, here) {
    const { moves, picked } = this.selection;
    const sentences = [];
    const own = this.board.data.to_move;
    const [piece] = here;
    if (piece && piece.side !== own) sentences.push(text("notYours", { piece: piece.name }));
    else if (piece) sentences.push(text("cannotMove", { piece: piece.name }));
    if (picked) sentences.push(this.targets(picked));
    else {
      const pieces = new Set(moves.flatMap((move) => move.piece ?? []));
      if (pieces.size) sentences.push(text("chooseFirst", { pieces: oneOf([...pieces]) }));
    }
    const sentence = moves.length ? sentences.join(" ") : "";
    if (this.store.refused) this.store.refused(sentence, cell);
    else if (sentence) {
      this.board.shake(cell);
      say(sentence);
    }
  }

  /**
   * Where a piece can go, in words.
   * @param {string} piece
   */
  targets(piece) {
    const moves = movesOf(this.selection, piece);
    const cells = moves.filter((move) => move.from !== move.to).map((one) => this.label(one.to));
    const parts = [cells.length ? text("picked", { piece, cells: oneOf(cells) }) : ""];
    if (cells.length < moves.length) parts.push(text("canStay", { piece }));
    return parts.filter(Boolean).join(" ");
  }

  /** @param {string | null} piece */
  pick(piece) {
    this.store.dispatch({ type: "pick", piece });
    this.refresh();
    if (piece) say(this.targets(piece));
  }

  /** @param {number | null} cell */
  label(cell) {
    return cell === null ? "" : this.board.label(cell);
  }

  /**
   * Play the one move, or ask which of several is meant.
   * @param {Move[]} moves
   * @param {number} cell
   */
  choose(moves, cell) {
    if (moves.length === 1) {
      this.send(moves[0]);
      return;
    }
    const buttons = moves.map((move) =>
      make(
        "button",
        { type: "button", class: "quiet", onclick: () => this.send(move) },
        text("move", move),
        note(move),
      ),
    );
    this.chooser.replaceChildren(...buttons);
    this.chooser.hidden = false;
    const element = this.board.cells.get(cell);
    if (!element) return;
    const most = Math.max(0, this.board.element.clientWidth - this.chooser.offsetWidth);
    const x = Math.min(
      most,
      Math.max(0, element.offsetLeft + element.offsetWidth / 2 - this.chooser.offsetWidth / 2),
    );
    this.chooser.style.transform = `translate(${x}px, ${element.offsetTop + element.offsetHeight}px)`;
    buttons[0].focus();
  }

  /** Let the picked piece stay where it is; that is a move, too. */
  stayHere() {
    const moves = stays(this.selection);
    const [first] = moves;
    if (first && first.from !== null) this.choose(moves, first.from);
  }

  close() {
    if (this.chooser.hidden) return;
    const hadFocus = this.chooser.contains(document.activeElement);
    this.chooser.hidden = true;
    if (hadFocus) this.focus();
  }

  /** Put the focus on the cell that had it last. */
  focus() {
    if (this.at !== null) this.board.cells.get(this.at)?.focus();
  }

  /** @param {Move} move */
  send(move) {
    this.close();
    this.store.dispatch({ type: "pick", piece: null });
    this.refresh();
    this.play(move);
  }

  /** @param {number | null} cell */
  look(cell) {
    if (this.selection.looked === cell) return;
    this.store.dispatch({ type: "look", cell });
    this.refresh();
  }

  /** @param {number | null} cell */
  focused(cell) {
    if (cell === null) return;
    this.at = cell;
    this.rove();
    this.look(cell);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const order = this.board.order;
    const index = this.at === null ? -1 : order.indexOf(this.at);
    /** @type {Record<string, number>} */
    const jumps = {
      ArrowLeft: index - 1,
      ArrowRight: index + 1,
      ArrowUp: this.at === null ? 0 : order.indexOf(this.board.beyond(this.at, -1) ?? NaN),
      ArrowDown: this.at === null ? 0 : order.indexOf(this.board.beyond(this.at, 1) ?? NaN),
      Home: 0,
      End: order.length - 1,
    };
    if (event.key === "Escape") {
      this.close();
      this.pick(null);
    } else if (
      event.key in jumps &&
      !event.altKey &&
      !event.ctrlKey &&
      !event.metaKey &&
      this.chooser.hidden
    ) {
      const target = order[jumps[event.key]];
      event.preventDefault();
      this.board.cells.get(target)?.focus();
    }
  }

  /**
   * Drag one of your own pieces to a cell that it can reach.
   * @param {PointerEvent} event
   */
  grab(event) {
    const cell = cellOf(event);
    if (cell === null || event.button !== 0) return;
    const own = this.movableOn(cell);
    const piece = own.find((one) => one.name === this.selection.picked) ?? own[0];
    const spot = piece && this.board.spot(piece.name);
    if (!spot) return;
    const start = { x: event.clientX, y: event.clientY };
    const drawn = this.board.piece(piece.name).element;
    let dragging = false;
    /** @param {PointerEvent} moved */
    const move = (moved) => {
      const shift = { x: moved.clientX - start.x, y: moved.clientY - start.y };
      if (!dragging && Math.hypot(shift.x, shift.y) < DRAG_FROM) return;
      if (!dragging) {
        dragging = true;
        drawn.classList.add("dragged");
        this.store.dispatch({ type: "pick", piece: piece.name });
      }
      put(drawn, { ...spot, x: spot.x + shift.x, y: spot.y + shift.y });
      this.look(this.under(moved));
    };
    /** @param {PointerEvent} ended */
    const end = (ended) => {
      if (ended.type === "pointerup") move(ended); // a quick hand lets go before the browser reports its last move
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      if (!dragging) return;
      drawn.classList.remove("dragged");
      this.board.settle();
      const target = this.under(ended);
      const moves = movesOf(this.selection, piece.name).filter((one) => one.to === target);
      this.look(null);
      if (ended.type === "pointercancel" || target === null) return;
      this.dropped = target === cell; // the click that follows a drop on the same cell
      setTimeout(() => {
        this.dropped = false;
      }, 0);
      if (moves.length && target !== cell) this.choose(moves, target);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  /** @param {PointerEvent} event */
  under(event) {
    const found = document.elementFromPoint(event.clientX, event.clientY);
    return found && this.board.track.contains(found) ? cellIn(found.closest(".cell")) : null;
  }

  /** The marks on the cells, and what a screen reader says of each. */
  refresh() {
    const { board, selection } = this;
    const { picked, looked, hinted } = selection;
    if (!board.shown) return;
    const name = picked ?? (looked === null ? null : (this.movableOn(looked)[0]?.name ?? null));
    /** @type {PossibleMove[]} */
    const toned = selection.moves.filter((move) => toneOf(move) !== null);
    const shown = hinted ? [hinted] : name ? movesOf(selection, name) : toned;
    const from = hinted ? hinted.from : name ? board.piece(name).at : null;
    for (const [cell, element] of board.cells) {
      const arrivals = shown.filter((move) => move.to === cell && move.from !== cell);
      const names = element.classList;
      names.toggle("reach", arrivals.length > 0);
      names.toggle(
        "reach-hit",
        arrivals.some((move) => move.text !== ""),
      );
      names.toggle("reach-over", arrivals.length > 0 && board.piecesOn(cell).length > 0);
      const tone = TONES.find((one) => arrivals.some((move) => toneOf(move) === one));
      for (const one of TONES) names.toggle(one, tone === one);
      names.toggle("picked", cell === from && shown.length > 0);
      names.toggle("movable", this.movableOn(cell).length > 0);
      names.toggle("aimed", arrivals.length > 0 && cell === looked);
      element.setAttribute("aria-label", this.describe(cell, arrivals));
    }
    for (const [other, piece] of board.pieces) {
      piece.element.classList.toggle("chosen", other === picked);
    }
    this.offerToStay();
    this.rove();
  }

  /** The control for staying is below the picked piece and its tent, where it covers nothing. */
  offerToStay() {
    const { board, stay } = this;
    const at = stays(this.selection)[0]?.from;
    const element = typeof at === "number" ? board.cells.get(at) : undefined;
    const isGone = !element && stay === document.activeElement;
    stay.hidden = !element;
    if (isGone) this.focus();
    if (!element || !this.selection.picked) return;
    stay.setAttribute("aria-label", text("stays", { piece: this.selection.picked }));
    const most = Math.max(0, board.element.clientWidth - stay.offsetWidth);
    const middle = element.offsetLeft + element.offsetWidth / 2 - stay.offsetWidth / 2;
    const x = Math.min(most, Math.max(0, middle));
    const tent = element.querySelector(".tent")?.clientHeight ?? 0;
    const y = element.offsetTop + element.offsetHeight + tent + 6;
    stay.style.transform = `translate(${x}px, ${y}px)`;
  }

  rove() {
    const { board } = this;
    if (this.at === null || !board.cells.has(this.at)) {
      const own = this.selection.moves.find(
        (move) => move.from !== null && board.cells.has(move.from),
      );
      this.at = own?.from ?? board.order[0];
    }
    for (const [cell, element] of board.cells) element.tabIndex = cell === this.at ? 0 : -1;
  }

  /**
   * A cell in words.
   * @param {number} cell
   * @param {PossibleMove[]} arrivals
   */
  describe(cell, arrivals) {
    const { board } = this;
    const parts = [text("cell", { cell: board.label(cell) })];
    const here = board.piecesOn(cell).map((piece) => piece.name);
    parts.push(here.length ? here.join(", ") : text("cellEmpty"));
    for (const side of SIDES) {
      if (board.data.goals[side].includes(cell))
        parts.push(text("cellGoal", { player: text(side) }));
      if (board.isHome(side, cell)) parts.push(text("cellHome", { player: text(side) }));
    }
    for (const piece of here) if (board.worried.has(piece)) parts.push(text("inDanger", { piece }));
    if (this.movableOn(cell).length) parts.push(text("cellMovable"));
    for (const move of arrivals)
      parts.push(text("cellReach", { piece: move.piece }) + (move.text ? `, ${move.text}` : ""));
    return parts.join(", ");
  }
}

/**
 * `3`, `3 or 4`, `3, 4 or 5`.
 * @param {string[]} names
 */
function oneOf(names) {
  const most = names.slice(0, -1).join(", ");
  const last = names.at(-1) ?? "";
  return most ? text("oneOf", { most, last }) : last;
}

/** @param {PossibleMove} move */
function toneOf(move) {
  return "tone" in move ? move.tone : null;
}

/** @param {PossibleMove} move */
function note(move) {
  return move.text ? make("small", {}, ` ${move.text}`) : null;
}

/** @param {Event} event */
function cellOf(event) {
  return cellIn(within(event, ".cell"));
}

/** @param {Element | null} element */
function cellIn(element) {
  return element instanceof HTMLElement ? Number(element.dataset.cell) : null;
}
