/** What happened in a turn, shown one event after the other: gliding, taking, going home, battles, winning. */

import { put } from "./board.js";
import { make, wantsCalm } from "./dom.js";

/** @import { Board } from "./board.js" */
/** @import { BoardDocument, EventDocument } from "./documents.js" */
/** @import { SideId } from "./faces.js" */

/** @typedef {{ x: number, y: number }} Point */

const STEP = 150;
const LONGEST = 620;
const SHORTEST = 260;

export class Motion {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    this.run = 0;
  }

  /** End what is being shown; the board then shows the latest position. */
  stop() {
    this.run += 1;
    for (const running of this.board.layer.getAnimations({ subtree: true })) running.cancel();
    for (const spark of this.board.element.querySelectorAll(".spark")) spark.remove();
    for (const cell of this.board.cells.values()) cell.classList.remove("fight", "won");
  }

  /**
   * Show the events in turn, and then the position itself.
   * @param {EventDocument[]} events
   * @param {BoardDocument} data
   */
  async play(events, data) {
    const run = this.run;
    const { board } = this;
    for (const event of wantsCalm() ? [] : events) {
      await this.event(event);
      if (run !== this.run) return;
    }
    await this.rest();
    if (run !== this.run) return;
    if (data.battle) board.cells.get(data.battle.cell)?.classList.add("fight");
    const won = events.find((event) => event.kind === "won");
    if (won?.cell !== undefined) board.cells.get(won.cell)?.classList.add("won");
    if (won && !wantsCalm()) this.cheer(won.side);
  }

  /** Whatever is not where the position has it goes there on the shortest way. */
  async rest() {
    const { board } = this;
    const before = [...board.pieces.values()].map((piece) => ({
      piece,
      at: piece.at,
      transform: piece.element.style.transform,
    }));
    board.place();
    if (wantsCalm()) return;
    const ways = before.map(({ piece, at, transform }) => {
      if (at === piece.at || at === null || piece.at === null) return null;
      return animate(
        piece.element,
        [{ transform }, { transform: piece.element.style.transform }],
        SHORTEST,
      );
    });
    await Promise.all(ways);
  }

  /** @param {EventDocument} event */
  async event(event) {
    switch (event.kind) {
      case "moved":
        return this.glide(event.piece, event.from, event.to);
      case "taken":
        return this.take(event.piece, event.cell);
      case "sent_home":
        this.spark(event.from, "hit");
        return this.fly(event.piece, event.to);
      case "stayed":
        return this.nod(event.piece);
      case "battle":
      case "revealed":
        this.spark(event.cell, "clash");
        return pause(260);
      default:
        return undefined;
    }
  }

  /**
   * From cell to cell, with a small hop at each.
   * @param {string} name
   * @param {number} from
   * @param {number} to
   */
  async glide(name, from, to) {
    const { board } = this;
    const piece = board.pieces.get(name);
    if (!piece) return;
    const step = Math.sign(to - from);
    /** @type {number[]} */
    const way = [];
    /** @type {(Point & Keyframe)[]} */
    const frames = [];
    for (let cell = from; cell !== to + step && step; cell += step) way.push(cell);
    way.forEach((cell, index) => {
      const spot = index === 0 ? board.spot(name) : board.spot(name, cell);
      if (!spot) return;
      const last = frames.at(-1);
      if (last)
        frames.push(
          frame({ x: (last.x + spot.x) / 2, y: Math.min(last.y, spot.y) - spot.size * 0.22 }),
        );
      frames.push(frame(spot));
    });
    piece.at = to;
    piece.element.classList.add("moving");
    await animate(piece.element, frames, Math.min(LONGEST, STEP * way.length));
    piece.element.classList.remove("moving");
    board.settle();
  }

  /**
   * A captured piece tumbles off the track.
   * @param {string} name
   * @param {number} cell
   */
  async take(name, cell) {
    const piece = this.board.pieces.get(name);
    if (!piece) return;
    this.spark(cell, "hit");
    const { transform } = piece.element.style;
    await animate(
      piece.element,
      [
        { transform, opacity: 1 },
        {
          transform: `${transform} translateY(-60%) rotate(-40deg) scale(1.1)`,
          opacity: 1,
          offset: 0.35,
        },
        { transform: `${transform} translateY(140%) rotate(160deg) scale(.5)`, opacity: 0 },
      ],
      480,
    );
    piece.at = null;
    this.board.settle();
  }

  /**
   * A piece that is sent home flies there in a high arc.
   * @param {string} name
   * @param {number} to
   */
  async fly(name, to) {
    const { board } = this;
    const piece = board.pieces.get(name);
    if (!piece) return;
    const start = piece.element.style.transform;
    const from = board.spot(name);
    piece.at = to;
    const end = board.spot(name);
    if (!from || !end) return;
    const top = { x: (from.x + end.x) / 2, y: Math.min(from.y, end.y) - end.size * 1.1 };
    piece.element.classList.add("moving");
    await animate(
      piece.element,
      [
        { transform: start },
        {
          transform: `translate(${top.x}px, ${top.y}px) rotate(${end.x < from.x ? -180 : 180}deg)`,
        },
        {
          transform: `translate(${end.x}px, ${end.y}px) rotate(${end.x < from.x ? -360 : 360}deg)`,
        },
      ],
      560,
    );
    piece.element.classList.remove("moving");
    board.settle();
  }

  /** @param {string} name */
  async nod(name) {
    const piece = this.board.pieces.get(name);
    if (!piece) return;
    const { transform } = piece.element.style;
    await animate(
      piece.element,
      [{ transform }, { transform: `${transform} scale(1.12)` }, { transform }],
      220,
    );
  }

  /**
   * A burst on a cell; it goes by itself.
   * @param {number} cell
   * @param {"hit" | "clash"} kind
   */
  spark(cell, kind) {
    const element = this.board.cells.get(cell);
    const tile = element?.querySelector("span");
    if (!element || !tile) return;
    const spark = make("span", { class: `spark ${kind}`, "aria-hidden": "true" });
    const size = tile.offsetWidth * 1.5;
    const x = element.offsetLeft + tile.offsetLeft + tile.offsetWidth / 2 - size / 2;
    const y = element.offsetTop + tile.offsetTop + tile.offsetHeight / 2 - size / 2;
    put(spark, { x, y, size });
    this.board.element.append(spark);
    spark.addEventListener("animationend", () => spark.remove());
  }

  /**
   * The winner's pieces jump for joy.
   * @param {SideId} side
   */
  cheer(side) {
    let delay = 0;
    for (const piece of this.board.pieces.values()) {
      if (piece.side !== side || piece.at === null) continue;
      const { transform } = piece.element.style;
      piece.element.animate(
        [{ transform }, { transform: `${transform} translateY(-28%)` }, { transform }],
        { duration: 420, delay, iterations: 4, easing: "ease-in-out" },
      );
      delay += 90;
    }
  }
}

/** @param {Point} point */
function frame({ x, y }) {
  return { x, y, transform: `translate(${x}px, ${y}px)` };
}

/**
 * @param {HTMLElement} element
 * @param {Keyframe[]} frames
 * @param {number} duration
 */
async function animate(element, frames, duration) {
  const clean = frames.map(({ x, y, ...rest }) => rest);
  try {
    await element.animate(clean, { duration, easing: "cubic-bezier(.3,.1,.3,1)" }).finished;
  } catch {
    // cancelled: something newer is shown
  }
}

/** @param {number} time */
function pause(time) {
  return new Promise((resolve) => setTimeout(resolve, time));
}
