/** The rules of a game: three pictures (move, meet, win), how you win, and everything in words. */

import { battleRules } from "./battle_rules.js";
import { draw, make } from "./dom.js";
import { drawFace, drawFlag } from "./faces.js";
import { text, textOr } from "./texts.js";

/** @import { RulebookPage } from "./documents.js" */
/** @import { SideId } from "./faces.js" */

const CELL = 34;
const TOP = 34;
/** The farthest step that is drawn. */
const FAR = 4;

/**
 * The rules as the player of a side reads them.
 * @param {RulebookPage} page
 * @param {SideId} side
 */
export function rulesSheet(page, side) {
  const pictures = [
    picture("move", moving(page, side), page.rules.find((rule) => rule.startsWith("Move ")) ?? ""),
    picture("meet", meeting(page, side), whenMet(page)),
    picture("win", winning(page, side), text("winBy")),
  ];
  return make(
    "div",
    { class: "rules-sheet" },
    make("p", { class: "goal" }, page.goals[side]),
    make("div", { class: "rule-pictures" }, pictures),
    make(
      "details",
      {},
      make("summary", {}, text("allRules")),
      make("ul", { class: "rule-words" }, ...page.rules.map((rule) => make("li", {}, rule))),
    ),
  );
}

/**
 * What landing on an enemy does, and how a battle is decided.
 * @param {RulebookPage} page
 */
function whenMet({ rulebook: { meet, battle } }) {
  const met = textOr(`meet-${meet.enemy}`, "");
  return battle ? `${met} ${battleRules(battle)}` : met;
}

/**
 * @param {"move" | "meet" | "win"} name
 * @param {SVGElement} drawing
 * @param {string} words
 */
function picture(name, drawing, words) {
  return make(
    "figure",
    { class: "rule-picture" },
    drawing,
    make("figcaption", {}, make("strong", {}, text(`picture-${name}`)), words),
  );
}

/**
 * A piece of road, with what stands on it.
 * @param {number} cells
 * @param {...(Element | null)} things
 */
function road(cells, ...things) {
  const width = cells * CELL;
  return draw(
    "svg",
    { viewBox: `-4 0 ${width + 8} 84`, "aria-hidden": "true" },
    draw("rect", { class: "road", y: TOP, width, height: 42, rx: 8 }),
    ...Array.from({ length: cells - 1 }, (_, index) =>
      draw("path", { class: "joint", d: `M${(index + 1) * CELL} ${TOP}v42` }),
    ),
    ...things,
  );
}

/**
 * @param {Element} thing
 * @param {number} cell
 * @param {{ y?: number, size?: number, shift?: number, opacity?: number }} [how]
 */
function on(thing, cell, { y = TOP + 6, size = 30, shift = 0, opacity = 1 } = {}) {
  const placed = { x: cell * CELL + (CELL - size) / 2 + shift, y, width: size, height: size };
  for (const [name, value] of Object.entries({ ...placed, opacity }))
    thing.setAttribute(name, `${value}`);
  return thing;
}

/**
 * A hop from a cell to another.
 * @param {number} from
 * @param {number} to
 */
function hop(from, to, kind = "") {
  const start = (from + 0.5) * CELL;
  const end = (to + 0.5) * CELL;
  const high = TOP - 8 - 6 * Math.abs(to - from);
  const sign = Math.sign(to - from);
  return draw(
    "g",
    { class: `hop ${kind}` },
    draw("path", {
      class: "hop-way",
      d: `M${start} ${TOP + 4}Q${(start + end) / 2} ${high} ${end} ${TOP - 1}`,
    }),
    draw("path", { class: "hop-end", d: `M${end} ${TOP + 4}l${-4 - sign * 3}-9 ${9} 1z` }),
  );
}

/**
 * Where a piece can go.
 * @param {RulebookPage} page
 * @param {SideId} side
 */
function moving(page, side) {
  const { steps: own, piece_steps: ofPieces = {} } =
    page.rulebook[side === "P1" ? "player1" : "player2"];
  const theirs = own?.length ? own : page.rulebook.move.steps;
  const all = new Set([...theirs, ...Object.values(ofPieces).flat()]);
  const steps = [...all].filter((step) => Math.abs(step) <= FAR);
  const back = Math.max(0, ...steps.map((step) => -step));
  const ahead = Math.max(1, ...steps);
  const others = steps.filter((step) => step !== 0);
  return road(
    back + ahead + 1,
    ...others.map((step) => hop(back, back + step)),
    on(drawFace(side, 1), back),
  );
}

/**
 * What landing on an enemy does.
 * @param {RulebookPage} page
 * @param {SideId} side
 */
function meeting(page, side) {
  const other = side === "P1" ? "P2" : "P1";
  const me = () => drawFace(side, 1);
  const enemy = () => drawFace(other, -1);
  switch (page.rulebook.meet.enemy) {
    case "captured":
      return road(3, on(me(), 0), hop(0, 1), on(enemy(), 1, { opacity: 0.35 }), cross(1));
    case "sent home":
      return road(4, on(me(), 0), hop(0, 1), on(enemy(), 1), hop(1, 3, "away"));
    case "blocked":
      return road(3, on(me(), 0), on(enemy(), 1), cross(1));
    case "shared":
      return road(
        3,
        hop(0, 1),
        on(me(), 1, { size: 20, shift: -8, y: TOP + 11 }),
        on(enemy(), 1, { size: 20, shift: 8, y: TOP + 11 }),
      );
    case "battle":
      return road(
        3,
        on(me(), 1, { size: 20, shift: -8, y: TOP + 14 }),
        on(enemy(), 1, { size: 20, shift: 8, y: TOP + 14 }),
        card(0.35, side, "4"),
        card(1.85, other, "2"),
      );
    case "wins":
      return road(3, on(me(), 0), hop(0, 1), on(enemy(), 1, { opacity: 0.35 }), star(1));
    default:
      return road(3, on(me(), 0), hop(0, 1), on(enemy(), 1));
  }
}

/** @param {number} cell */
function cross(cell) {
  const x = (cell + 0.5) * CELL;
  return draw("path", { class: "cross", d: `M${x - 9} ${TOP + 12}l18 18m0-18-18 18` });
}

/** @param {number} cell */
function star(cell) {
  const x = (cell + 0.5) * CELL;
  return draw("path", {
    class: "star",
    d: `M${x} ${TOP + 6}l4 9 10 1-7 7 2 10-9-5-9 5 2-10-7-7 10-1z`,
  });
}

/**
 * @param {number} cell
 * @param {SideId} side
 * @param {string} number
 */
function card(cell, side, number) {
  const x = cell * CELL;
  return draw(
    "g",
    { class: `rule-card ${side}` },
    draw("rect", { x, y: 3, width: 22, height: 28, rx: 5 }),
    draw("text", { x: x + 11, y: 23, "text-anchor": "middle" }, number),
  );
}

/**
 * Where a piece wants to be.
 * @param {RulebookPage} page
 * @param {SideId} side
 */
function winning(page, side) {
  const goals = Math.min(3, page.board.goals[side].length);
  const cells = 1 + goals;
  return road(
    cells,
    hop(0, 1),
    ...Array.from({ length: goals }, (_, index) =>
      on(drawFlag(side === "P1" ? "P2" : "P1"), 1 + index, { y: TOP - 24, size: 26, shift: 6 }),
    ),
    on(drawFace(side, 1), 0),
  );
}
