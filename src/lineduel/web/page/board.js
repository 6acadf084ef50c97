/** The track and the pieces on it. The server says what may be played, and it is marked here. */

import { draw, make, wantsCalm } from "./dom.js";
import { drawFace, drawFlag, drawTent, SIDES, shortLabels } from "./faces.js";
import { text } from "./texts.js";

/** @import { BoardDocument, BoardPiece, EventDocument, PossibleMove } from "./documents.js" */
/** @import { SideId } from "./faces.js" */
/** @import { Motion } from "./motion.js" */

/**
 * @typedef {BoardPiece & { element: HTMLElement }} DrawnPiece
 * @typedef {{ x: number, y: number, size: number }} Spot
 * @typedef {{ from: number, to: number, kind: string }} Line A way from a cell to another, drawn on the road.
 */

/** A track of up to this many cells is one row; a longer one bends to and fro. */
const MOST_IN_ROW = 16;
/** The width of a cell in pixels: the least on a track that bends, and the most. */
const LEAST = { large: 46, small: 30 };
const MOST = { large: 150, small: 62 };
/** On cells narrower than this, a single piece is wider than its cell, by these factors. */
const NARROW = 44;
const OVER = { large: 1.45, small: 1.14 };
/** How far wide pieces on cells side by side stand above and below the middle, as a share of their size. */
const APART = 0.3;
/** On cells narrower than this, pieces that share one reach over its edges. */
const WIDE = 100;
/** The size of pieces that stand one before the other, a share of the cell's. */
const FAN = 0.95;
/** How much higher than wide the road is, and the least and most that it is, in pixels. */
const ROAD = { rate: 1.7, small: 1.5, bent: 1.25, narrow: 3, most: 190, least: 84, leastSmall: 44 };
/** The most that a road of one row takes of the window's height. */
const MOST_SHARE = 0.24;

const SHAKE = { translate: ["0", "-3px", "3px", "-2px", "0"] };

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
    /** Pieces that look worried.
     * @type {Set<string>} */
    this.worried = new Set();
    this.width = 0;
    this.columns = 0;
    this.track = make("div", { class: "track" });
    this.lines = draw("svg", { class: "lines", "aria-hidden": "true" });
    /** @type {Line[]} */
    this.drawn = [];
    this.layer = make("div", { class: "pieces", "aria-hidden": "true" });
    this.hands = make("div", { class: "hands", hidden: true });
    this.element = make(
      "div",
      small
        ? { class: "board small", role: "img", "aria-label": label }
        : { class: "board", role: "group", "aria-label": label || text("board") },
      this.track,
      this.lines,
      this.layer,
      this.hands,
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
      if (data === this.shown) this.showHands();
    }
  }

  /** What each side has in hand, as cards; those that are spent lie face down. */
  showHands() {
    const { hands } = this.data;
    this.hands.hidden = !hands || this.small;
    if (!hands || this.small) return;
    const order = this.heading("P1") > 0 ? SIDES : [...SIDES].reverse();
    const drawn = order.map((side) => {
      const cards = Array.from({ length: hands.numbers }, (_, index) => {
        const isSpent = !hands[side].includes(index + 1);
        return make("span", { class: isSpent ? "spent" : "" }, isSpent ? "" : `${index + 1}`);
      });
      const label = text("handOf", { player: text(side), numbers: hands[side].join(", ") });
      return make("span", { class: `hand ${side}`, role: "img", "aria-label": label }, ...cards);
    });
    this.hands.replaceChildren(...drawn);
  }

  /** Load what moves the pieces, so that the first click is answered at once. */
  async getReady() {
    this.motion ??= await loadMotion(this);
  }

  /**
   * Show a move before the server has answered; `show` puts it right if it comes otherwise.
   * @param {PossibleMove} move
   */
  async anticipate({ piece, from, to }) {
    if (!piece || from === null || to === null) return;
    const { motion } = this;
    if (!motion || wantsCalm()) {
      this.piece(piece).at = to;
      this.settle();
    } else if (from === to) await motion.nod(piece);
    else await motion.glide(piece, from, to);
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
    this.worry(this.worried);
    this.showHands();
    this.columns = 0;
    this.arrange();
    this.onBuilt();
  }

  /** @param {number} cell */
  marks(cell) {
    const drawn = [];
    for (const side of SIDES) {
      if (this.isHome(side, cell)) drawn.push(drawTent(side));
      if (this.data.goals[side].includes(cell)) drawn.push(drawFlag(side === "P1" ? "P2" : "P1"));
    }
    return drawn;
  }

  /** One row, or rows to and fro that fit; then put the pieces where their cells are. */
  arrange() {
    if (!this.shown) return;
    const width = this.element.clientWidth;
    this.width = width;
    if (!width) return;
    const count = this.cells.size;
    const size = this.small ? "small" : "large";
    const fit = Math.max(2, Math.min(MOST_IN_ROW, Math.floor(width / LEAST[size])));
    const rows = count <= MOST_IN_ROW ? 1 : Math.ceil(count / fit);
    this.columns = Math.ceil(count / rows);
    const cell = Math.min(MOST[size], width / this.columns);
    const isSmall = this.small || rows > 1;
    const least = isSmall ? ROAD.leastSmall : ROAD.least;
    const most = Math.min(ROAD.most, Math.max(ROAD.least, innerHeight * MOST_SHARE));
    const wide = this.small ? ROAD.small : cell < NARROW ? ROAD.narrow : ROAD.rate;
    const road = Math.min(most, Math.max(least, cell * (rows > 1 ? ROAD.bent : wide)));
    this.element.classList.toggle("bent", rows > 1);
    this.track.style.setProperty("--columns", `${this.columns}`);
    this.track.style.setProperty("--cell", `${cell}px`);
    this.track.style.setProperty("--road", `${road}px`);
    this.bend();
    this.place();
    this.drawLines(this.drawn);
  }

  /** Put every cell in its row, and say where the road ends and turns. */
  bend() {
    const last = this.order.length - 1;
    for (const [index, cell] of this.order.entries()) {
      const element = this.cells.get(cell);
      if (!element) continue;
      const row = Math.floor(index / this.columns);
      const along = index % this.columns;
      const isBack = row % 2 === 1;
      const column = isBack ? this.columns - 1 - along : along;
      element.style.gridColumn = `${column + 1}`;
      element.style.gridRow = `${row + 1}`;
      const names = element.classList;
      names.toggle("reversed", isBack);
      names.toggle("first", index === 0);
      names.toggle("last", index === last);
      names.toggle("turns", along === this.columns - 1 && index !== last);
      names.toggle("turned", along === 0 && index !== 0);
    }
  }

  /**
   * Draw ways on the road, such as the last move; they follow it where it turns.
   * @param {Line[]} lines
   */
  drawLines(lines) {
    this.drawn = lines;
    const { element } = this;
    this.lines.setAttribute("viewBox", `0 0 ${element.clientWidth} ${element.clientHeight}`);
    this.lines.replaceChildren(...lines.flatMap((line) => this.line(line)));
  }

  /** @param {Line} line */
  line({ from, to, kind }) {
    const step = Math.sign(to - from);
    /** @type {number[]} */
    const way = [];
    for (let cell = from; step && cell !== to + step; cell += step) way.push(cell);
    const points = (step ? way : [from]).map((cell) => this.middle(cell));
    const [start] = points;
    const end = points.at(-1);
    if (!start || !end) return [];
    if (step && kind.startsWith("why") && start.y === end.y) return arc(start, end, kind);
    const before = points.at(-2) ?? start;
    const turn = (Math.atan2(end.y - before.y, end.x - before.x) * 180) / Math.PI;
    return [
      draw("circle", { class: `line-start ${kind}`, cx: start.x, cy: start.y, r: start.size / 7 }),
      draw("polyline", {
        class: `line ${kind}`,
        points: points.map(({ x, y }) => `${x},${y}`).join(" "),
      }),
      draw("path", {
        class: `line-end ${kind}`,
        d: "M-7-6 5 0-7 6z",
        transform: `translate(${(end.x + before.x) / 2} ${(end.y + before.y) / 2}) rotate(${turn})`,
      }),
    ];
  }

  /**
   * The middle of a cell, where pieces stand.
   * @param {number} cell
   */
  middle(cell) {
    const element = this.cells.get(cell);
    const tile = element?.querySelector("span");
    if (!element || !tile) return { x: 0, y: 0, size: 0 };
    const label = this.labelHeight(tile);
    return {
      x: element.offsetLeft + tile.offsetLeft + tile.offsetWidth / 2,
      y: element.offsetTop + tile.offsetTop + (tile.offsetHeight - label) / 2,
      size: tile.offsetWidth,
    };
  }

  /** @param {HTMLElement} tile */
  labelHeight(tile) {
    return Math.min(tile.offsetHeight * 0.25, this.small ? 14 : 22);
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
    const height = tile.offsetHeight - this.labelHeight(tile);
    const isDuel = here.length === 2 && this.piece(here[0]).side !== this.piece(here[1]).side;
    const isFan = this.small && here.length > 2; // in a picture too many to stand side by side
    const { across, down, size } = isFan
      ? { across: here.length, down: 1, size: Math.min(width * FAN, height * FAN) }
      : bestGrid(
          here.length,
          {
            one: width * (width < NARROW ? OVER[this.small ? "small" : "large"] : 0.96),
            more: width * (width < WIDE ? 1.5 : 0.96),
          },
          height * 0.94,
          isDuel && width >= WIDE ? 2 : 1,
        );
    const pitch = isFan ? (width * 1.5 - size) / (across - 1) : size;
    const row = Math.floor(index / across);
    const inRow = row === down - 1 ? here.length - row * across : across;
    const x =
      tile.offsetLeft +
      cell.offsetLeft +
      width / 2 +
      ((index % across) - (inRow - 1) / 2) * pitch -
      size / 2;
    const shift = here.length === 1 && at !== null ? this.apart(at, width, size, height) : 0;
    const middle = tile.offsetTop + cell.offsetTop + height / 2 + shift;
    const y = middle + (row - (down - 1) / 2) * size - size / 2;
    const most = this.element.clientWidth - size; // none hangs over the edge of the board
    return { x: Math.max(0, Math.min(most, x)), y, size };
  }

  /**
   * How far a piece that is wider than its cell stands from the middle, away from one beside it.
   * @param {number} cell
   * @param {number} width Of the cell.
   * @param {number} size Of the piece.
   * @param {number} height That there is for it.
   */
  apart(cell, width, size, height) {
    const isBeside = [...this.pieces.values()].some(
      ({ at }) => at !== null && Math.abs(at - cell) === 1,
    );
    if (!isBeside || size <= width) return 0;
    const most = Math.max(0, Math.min(size * APART, (height - size) / 2));
    return cell % 2 ? most : -most;
  }

  /**
   * The cell above or below another one on the screen; undefined where there is none.
   * @param {number} cell
   * @param {1 | -1} down
   */
  beyond(cell, down) {
    const index = this.order.indexOf(cell);
    const row = Math.floor(index / this.columns);
    const to = row + down;
    const along = this.columns - 1 - (index % this.columns);
    return to < 0 ? undefined : this.order[to * this.columns + along];
  }

  /**
   * Let some pieces look worried, and no others.
   * @param {Iterable<string>} names
   */
  worry(names) {
    this.worried = new Set(names);
    for (const [name, { element }] of this.pieces)
      element.classList.toggle("worried", this.worried.has(name));
  }

  /**
   * Nothing can be done here: the cell and what stands on it shake their heads.
   * @param {number} cell
   */
  shake(cell) {
    if (wantsCalm()) return;
    const here = [...this.pieces.values()].filter((piece) => piece.at === cell);
    const faces = here.flatMap(({ element }) => element.firstElementChild ?? []);
    for (const element of [...faces, ...(this.cells.get(cell)?.children ?? [])])
      element.animate(SHAKE, { duration: 320 });
  }

  /** @param {number} cell */
  piecesOn(cell) {
    return this.data.pieces.filter((piece) => piece.at === cell);
  }
}

/**
 * An arrow over the heads of the pieces, from one cell of a row to another.
 * @param {Spot} start
 * @param {Spot} end
 * @param {string} kind
 */
function arc(start, end, kind) {
  const heads = start.y - start.size * 0.55;
  const middle = { x: (start.x + end.x) / 2, y: heads - 16 - Math.abs(end.x - start.x) / 3 };
  const turn = (Math.atan2(heads - 8 - middle.y, end.x - middle.x) * 180) / Math.PI;
  return [
    draw("path", {
      class: `line ${kind}`,
      d: `M${start.x} ${heads}Q${middle.x} ${middle.y} ${end.x} ${heads - 8}`,
    }),
    draw("path", {
      class: `line-end ${kind}`,
      d: "M-9-8 8 0-9 8z",
      transform: `translate(${end.x} ${heads - 6}) rotate(${turn})`,
    }),
  ];
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
 * @param {{ one: number, more: number }} width For one beside none, and for several side by side.
 * @param {number} height
 * @param {number} least
 */
function bestGrid(count, width, height, least) {
  let best = { across: 1, down: 1, size: 0 };
  for (let across = least; across <= count || across === least; across += 1) {
    const down = Math.ceil(count / across);
    const size = Math.min((across === 1 ? width.one : width.more) / across, height / down);
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
