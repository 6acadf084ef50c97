/** Choosing a move on a board: by click, tap, drag and keyboard. The moves come from the server. */

import { make, say } from "./dom.js";
import { put } from "./board.js";
import { text } from "./texts.js";

const DRAG_FROM = 7;

export class BoardInput {
  /** `play(move)` is called with one of the moves given to `offer`. */
  constructor(board, play) {
    this.board = board;
    this.play = play;
    this.moves = [];
    this.picked = null;
    this.looked = null;
    this.at = null;
    this.chooser = make("div", { class: "chooser", role: "group", "aria-label": text("chooser"), hidden: true });
    board.element.append(this.chooser);
    board.onBuilt = () => this.refresh();
    const { track } = board;
    track.addEventListener("click", (event) => this.click(cellOf(event)));
    track.addEventListener("pointerover", (event) => event.pointerType === "mouse" && this.look(cellOf(event)));
    track.addEventListener("pointerleave", () => this.look(null));
    track.addEventListener("pointerdown", (event) => this.grab(event));
    track.addEventListener("focusin", (event) => this.focused(cellOf(event)));
    track.addEventListener("focusout", () => this.look(null));
    board.element.addEventListener("keydown", (event) => this.key(event));
  }

  /** The moves that may be played now; none while it is somebody else's turn. */
  offer(moves) {
    const before = this.picked;
    this.moves = moves;
    const movable = new Set(moves.map((move) => move.piece));
    this.picked = movable.has(before) ? before : null;
    if (movable.size === 1 && moves[0].piece) [this.picked] = movable;
    this.looked = null;
    this.close();
    this.refresh();
  }

  /** Show where one move goes, as the list of moves does on hover. */
  hint(move) {
    this.hinted = move;
    this.refresh();
  }

  movesOf(name) {
    return this.moves.filter((move) => move.piece === name);
  }

  movableOn(cell) {
    return this.board.piecesOn(cell).filter((piece) => this.movesOf(piece.name).length);
  }

  movesTo(cell) {
    const among = this.picked ? this.movesOf(this.picked) : this.moves;
    return among.filter((move) => move.to === cell);
  }

  click(cell) {
    if (cell === null || this.dropped) {
      this.dropped = false;
      return;
    }
    this.close();
    const own = this.movableOn(cell);
    const isPickedHere = own.some((piece) => piece.name === this.picked);
    const arrivals = this.movesTo(cell).filter((move) => move.from !== cell);
    if (arrivals.length && !isPickedHere && (this.picked || !own.length)) this.choose(arrivals, cell);
    else if (own.length > 1) this.pick(next(own, this.picked)?.name ?? null);
    else if (isPickedHere) this.again(cell);
    else if (own.length) this.pick(own[0].name);
    else this.pick(null);
  }

  /** A picked piece that is chosen once more stays where it is, if it may, or is let go. */
  again(cell) {
    const stays = this.movesTo(cell);
    if (stays.length) this.choose(stays, cell);
    else this.pick(null);
  }

  pick(name) {
    this.picked = name;
    this.refresh();
    if (name) {
      const cells = this.movesOf(name).map((move) => this.board.label(move.to));
      say(text("picked", { piece: name, cells: cells.join(", ") }));
    }
  }

  /** Play the one move, or ask which of several is meant. */
  choose(moves, cell) {
    if (moves.length === 1) {
      this.send(moves[0]);
      return;
    }
    const buttons = moves.map((move) =>
      make("button", { type: "button", class: "quiet", onclick: () => this.send(move) }, text("move", move), note(move)),
    );
    this.chooser.replaceChildren(...buttons);
    this.chooser.hidden = false;
    const element = this.board.cells.get(cell);
    const most = Math.max(0, this.board.element.clientWidth - this.chooser.offsetWidth);
    const x = Math.min(most, Math.max(0, element.offsetLeft + element.offsetWidth / 2 - this.chooser.offsetWidth / 2));
    this.chooser.style.transform = `translate(${x}px, ${element.offsetTop + element.offsetHeight}px)`;
    buttons[0].focus();
  }

  close() {
    if (this.chooser.hidden) return;
    const hadFocus = this.chooser.contains(document.activeElement);
    this.chooser.hidden = true;
    if (hadFocus) this.board.cells.get(this.at)?.focus();
  }

  send(move) {
    this.close();
    this.picked = null;
    this.refresh();
    this.play(move);
  }

  look(cell) {
    if (this.looked === cell) return;
    this.looked = cell;
    this.refresh();
  }

  focused(cell) {
    if (cell === null) return;
    this.at = cell;
    this.rove();
    this.look(cell);
  }

  key(event) {
    const order = this.board.order;
    const index = order.indexOf(this.at);
    const jumps = {
      ArrowLeft: index - 1,
      ArrowRight: index + 1,
      ArrowUp: index - this.board.columns,
      ArrowDown: index + this.board.columns,
      Home: 0,
      End: order.length - 1,
    };
    if (event.key === "Escape") {
      this.close();
      this.pick(null);
    } else if (event.key in jumps && !event.altKey && !event.ctrlKey && !event.metaKey && this.chooser.hidden) {
      const target = order[jumps[event.key]];
      event.preventDefault();
      if (target !== undefined) this.board.cells.get(target).focus();
    }
  }

  /** Drag a piece of one's own to a cell it can reach. */
  grab(event) {
    const cell = cellOf(event);
    if (cell === null || event.button !== 0) return;
    const own = this.movableOn(cell);
    const piece = own.find((one) => one.name === this.picked) ?? own[0];
    if (!piece) return;
    const start = { x: event.clientX, y: event.clientY };
    const drawn = this.board.pieces.get(piece.name).element;
    const spot = this.board.spot(piece.name);
    let dragging = false;
    const move = (moved) => {
      const shift = { x: moved.clientX - start.x, y: moved.clientY - start.y };
      if (!dragging && Math.hypot(shift.x, shift.y) < DRAG_FROM) return;
      if (!dragging) {
        dragging = true;
        drawn.classList.add("dragged");
        this.picked = piece.name;
      }
      put(drawn, { ...spot, x: spot.x + shift.x, y: spot.y + shift.y });
      this.look(this.under(moved));
    };
    const end = (ended) => {
      if (ended.type === "pointerup") move(ended); // a quick hand lets go before its last move is told
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      if (!dragging) return;
      drawn.classList.remove("dragged");
      this.board.settle();
      const target = this.under(ended);
      const moves = this.movesOf(piece.name).filter((one) => one.to === target);
      this.look(null);
      if (ended.type === "pointercancel" || target === null) return;
      this.dropped = target === cell; // the click that follows a drop on the same cell
      setTimeout(() => (this.dropped = false), 0);
      if (moves.length && target !== cell) this.choose(moves, target);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  under(event) {
    const found = document.elementFromPoint(event.clientX, event.clientY);
    const element = found?.closest?.(".cell");
    return element && this.board.track.contains(element) ? Number(element.dataset.cell) : null;
  }

  /** The marks on the cells, and what a screen reader says of each. */
  refresh() {
    const { board } = this;
    if (!board.data) return;
    const looked = this.looked === null ? [] : this.movableOn(this.looked);
    const name = this.picked ?? looked[0]?.name ?? null;
    const shown = this.hinted ? [this.hinted] : name ? this.movesOf(name) : [];
    const from = this.hinted ? this.hinted.from : name ? board.pieces.get(name).at : null;
    for (const [cell, element] of board.cells) {
      const arrivals = shown.filter((move) => move.to === cell);
      const names = element.classList;
      names.toggle("reach", arrivals.length > 0);
      names.toggle("reach-hit", arrivals.some((move) => move.text));
      names.toggle("picked", cell === from && shown.length > 0);
      names.toggle("movable", this.movableOn(cell).length > 0);
      names.toggle("aimed", arrivals.length > 0 && cell === this.looked);
      element.setAttribute("aria-label", this.describe(cell, arrivals));
    }
    for (const [other, piece] of board.pieces) {
      piece.element.classList.toggle("chosen", other === name && Boolean(this.picked));
    }
    this.rove();
  }

  rove() {
    const { board } = this;
    if (!board.cells.has(this.at)) {
      const own = this.moves.find((move) => board.cells.has(move.from));
      this.at = own ? own.from : board.order[0];
    }
    for (const [cell, element] of board.cells) element.tabIndex = cell === this.at ? 0 : -1;
  }

  /** A cell in words. */
  describe(cell, arrivals) {
    const { board } = this;
    const parts = [text("cell", { cell: board.label(cell) })];
    const here = board.piecesOn(cell).map((piece) => piece.name);
    parts.push(here.length ? here.join(", ") : text("cellEmpty"));
    for (const side of ["P1", "P2"]) {
      if (board.data.goals[side].includes(cell)) parts.push(text("cellGoal", { player: text(side) }));
      if (board.isHome(side, cell)) parts.push(text("cellHome", { player: text(side) }));
    }
    if (this.movableOn(cell).length) parts.push(text("cellMovable"));
    for (const move of arrivals) parts.push(text("cellReach", { piece: move.piece }) + (move.text ? `, ${move.text}` : ""));
    return parts.join(", ");
  }
}

function note(move) {
  return move.text ? make("small", {}, ` ${move.text}`) : null;
}

function next(pieces, name) {
  return pieces[pieces.findIndex((piece) => piece.name === name) + 1];
}

function cellOf(event) {
  const element = event.target.closest?.(".cell");
  return element ? Number(element.dataset.cell) : null;
}
