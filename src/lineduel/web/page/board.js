/** The track and the pieces on it. The server says what may be played, and it is marked here. */

import { make } from "./dom.js";
import { drawFace, drawFlag, drawHouse, SIDES, shortLabels } from "./faces.js";
import { text } from "./texts.js";

/** @import { BoardDocument, BoardPiece, EventDocument } from "./documents.js" */
/** @import { SideId } from "./faces.js" */
/** @import { Motion } from "./motion.js" */

/**
 * @typedef {BoardPiece & { element: HTMLElement }} DrawnPiece
 * @typedef {{ x: number, y: number, size: number }} Spot
 */

/** The least width of a cell, in pixels: on a large board, on a narrow screen, in a small picture. */
const LEAST = { large: 46, narrow: 34, small: 26 };
const NARROW = 460;

export class Board {
  /**
   * A board to play on, or a small picture of one.
   * @param {{ small?: boolean, label?: string }} [given]
   */
  constructor({ small = false, label = "" } = {}) {
    this.small = small;
    this.flipped = false;
    /** @type {Map<number, HTMLElement>} */
    this.cells = new Map();
    /** @type {Map<string, DrawnPiece>} */
    this.pieces = new Map();
    /** @type {BoardDocument | null} */
    this.shown = null;
    this.shape = "";
    this.width = 0;
    this.columns = 0;
    this.track = make("div", { class: "track" });
    this.layer = make("div", { class: "pieces", "aria-hidden": "true" });
    this.element = make(
      "div",
      small
        ? { class: "board small", role: "img", "aria-label": label }
        : { class: "board", role: "group", "aria-label": label || text("board") },
      this.track,
      this.layer,
    );
    /** @type {Motion | null} */
    this.motion = null;
    this.onBuilt = () => {};
    new ResizeObserver(() => this.element.clientWidth !== this.width && this.arrange()).observe(
      this.element,
    );
  }

  /**
   * Show a position; with events, play what happened first. Resolves when all is at rest.
   * @param {BoardDocument} data
   * @param {EventDocument[]} [events]
   */
  async show(data, events = []) {
    const shape = JSON.stringify([
      data.cells,
      data.labels,
      data.goals,
      data.homes,
      data.pieces.map((p) => p.name),
    ]);
    if (shape !== this.shape) {
      this.shape = shape;
      this.shown = data;
      this.build();
    } else {
      this.motion?.stop();
      this.shown = data;
      this.motion ??= await loadMotion(this);
      if (data !== this.shown) return;
      if (this.motion) await this.motion.play(events, data);
      else this.place();
    }
  }

  /**
   * Turn the board around, so that the other side goes right.
   * @param {boolean} flipped
   */
  flip(flipped) {
    if (this.flipped === flipped) return;
    this.flipped = flipped;
    if (this.shown) this.build();
  }

  /** The position that is shown; it exists as soon as there are cells. */
  get data() {
    if (!this.shown) throw new Error("The board shows nothing yet.");
    return this.shown;
  }

  /** The cells as they stand on the screen. */
  get order() {
    const [first, last] = this.data.cells;
    const cells = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    return this.flipped ? cells.reverse() : cells;
  }

  /**
   * A cell as the rulebook prints it.
   * @param {number} cell
   */
  label(cell) {
    return this.data.labels[cell - this.data.cells[0]];
  }

  /**
   * @param {SideId} side
   * @param {number} cell
   */
  isHome(side, cell) {
    return this.data.pieces.some(
      (piece) => piece.side === side && this.data.homes[piece.name] === cell,
    );
  }

  /**
   * Whether a side goes right (1) or left (-1) on the screen.
   * @param {SideId} side
   */
  heading(side) {
    const forward = this.data.forward[side];
    return this.flipped ? -forward : forward;
  }

  build() {
    this.motion?.stop();
    this.cells.clear();
    this.pieces.clear();
    const tag = this.small ? "div" : "button";
    const cells = this.order.map((cell) => {
      const tile = make("span", { class: "tile" }, ...this.marks(cell));
      const given = this.small
        ? { class: "cell" }
        : { class: "cell", type: "button", tabindex: -1, "data-cell": cell };
      const element = make(
        tag,
        given,
        tile,
        make("span", { class: "cell-label", "aria-hidden": "true" }, this.label(cell)),
      );
      for (const side of SIDES) {
        if (this.isHome(side, cell)) element.classList.add(`home-${side}`);
        if (this.data.goals[side].includes(cell)) element.classList.add(`goal-${side}`);
      }
      this.cells.set(cell, element);
      return element;
    });
    this.track.replaceChildren(...cells);
    const labels = new Map(
      SIDES.flatMap((side) => [
        ...shortLabels(
          this.data.pieces.filter((piece) => piece.side === side).map((piece) => piece.name),
        ),
      ]),
    );
    const pieces = this.data.pieces.map((piece) => {
      const face = drawFace(piece.side, this.heading(piece.side), labels.get(piece.name));
      const element = make("span", { class: `piece ${piece.side}` }, face);
      this.pieces.set(piece.name, { ...piece, element });
      return element;
    });
    this.layer.replaceChildren(...pieces);
    this.columns = 0;
    this.arrange();
    this.onBuilt();
  }

  /** @param {number} cell */
  marks(cell) {
    const drawn = [];
    for (const side of SIDES) {
      if (this.isHome(side, cell)) drawn.push(drawHouse(side));
      if (this.data.goals[side].includes(cell)) drawn.push(drawFlag(side));
    }
    return drawn;
  }

  /** Break the track into rows that fit, and put the pieces where their cells are. */
  arrange() {
    if (!this.shown) return;
    const width = this.element.clientWidth;
    this.width = width;
    if (!width) return;
    const count = this.cells.size;
    const least = this.small ? LEAST.small : width < NARROW ? LEAST.narrow : LEAST.large;
    const rows = Math.max(1, Math.ceil((count * least) / width));
    const columns = Math.ceil(count / rows);
    if (columns !== this.columns) {
      this.columns = columns;
      this.track.style.setProperty("--columns", `${columns}`);
      this.element.classList.toggle("wrapped", rows > 1);
    }
    this.place();
  }

  /** Put every piece where the position has it, without motion. */
  place() {
    for (const { name, at } of this.data.pieces) this.piece(name).at = at;
    this.settle();
  }

  /** Draw every piece on the cell it is on now; measure them all first, so that the page is laid out once. */
  settle() {
    const spots = [...this.pieces].map(([name, piece]) => ({ piece, spot: this.spot(name) }));
    for (const { piece, spot } of spots) {
      piece.element.classList.toggle("gone", spot === null);
      if (spot) put(piece.element, spot);
    }
  }

  /**
   * A piece as it is drawn.
   * @param {string} name
   */
  piece(name) {
    const found = this.pieces.get(name);
    if (!found) throw new Error(`There is no piece ${name}.`);
    return found;
  }

  /**
   * Where a piece is drawn on a cell, among those that stand there; null for a piece that is gone.
   * @param {string} name
   * @returns {Spot | null}
   */
  spot(name, at = this.piece(name).at) {
    const cell = at === null ? undefined : this.cells.get(at);
    const tile = cell?.querySelector("span");
    if (!cell || !tile) return null;
    const here = [...this.pieces]
      .filter(([other, piece]) => other === name || piece.at === at)
      .map(([other]) => other);
    if (this.flipped) here.reverse();
    const index = here.indexOf(name);
    const width = tile.offsetWidth;
    const height = tile.offsetHeight;
    const isDuel = here.length === 2 && this.piece(here[0]).side !== this.piece(here[1]).side;
    const { across, down, size } = bestGrid(
      here.length,
      width * 0.92,
      height * 0.94,
      isDuel ? 2 : 1,
    );
    const row = Math.floor(index / across);
    const inRow = row === down - 1 ? here.length - row * across : across;
    const x =
      tile.offsetLeft +
      cell.offsetLeft +
      width / 2 +
      ((index % across) - (inRow - 1) / 2) * size -
      size / 2;
    const y =
      tile.offsetTop + cell.offsetTop + height / 2 + (row - (down - 1) / 2) * size - size / 2;
    return { x, y, size };
  }

  /**
   * The row of the screen that a cell is in.
   * @param {number} cell
   */
  row(cell) {
    return Math.floor(this.order.indexOf(cell) / this.columns);
  }

  /** @param {number} cell */
  piecesOn(cell) {
    return this.data.pieces.filter((piece) => piece.at === cell);
  }
}

/**
 * What moves the pieces; null while the server that has it cannot be reached.
 * @param {Board} board
 */
async function loadMotion(board) {
  try {
    return new (await import("./motion.js")).Motion(board);
  } catch {
    return null;
  }
}

/**
 * The grid in which that many squares are largest in a rectangle; they may overlap a little.
 * @param {number} count
 * @param {number} width
 * @param {number} height
 * @param {number} least
 */
function bestGrid(count, width, height, least) {
  let best = { across: 1, down: 1, size: 0 };
  for (let across = least; across <= count || across === least; across += 1) {
    const down = Math.ceil(count / across);
    const size = Math.min(width / across, height / down);
    if (size > best.size) best = { across, down, size };
  }
  return best;
}

/**
 * Draw a piece at a place of the board.
 * @param {HTMLElement} element
 * @param {Spot} spot
 */
export function put(element, { x, y, size }) {
  element.style.width = `${size}px`;
  element.style.height = `${size}px`;
  element.style.transform = `translate(${x}px, ${y}px)`;
}
