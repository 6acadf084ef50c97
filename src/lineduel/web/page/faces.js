/** Pieces with faces: whose they are shows in colour and shape, where they go in the nose and the eyes. */

import { draw } from "./dom.js";

/** @typedef {"P1" | "P2"} SideId */

/** Both players, in order. */
export const SIDES = /** @type {const} */ (["P1", "P2"]);

// Drawn to look right; a piece that goes left is mirrored. Player 1 is round, player 2 has corners.
const BODY = {
  P1: "M19 3.5a16.5 16.5 0 1 0 0 33c8.5 0 13.4-6.3 18.6-14.4a4 4 0 0 0 0-4.2C32.4 9.8 27.5 3.5 19 3.5z",
  P2: "M7 4h16.5a5 5 0 0 1 3.8 1.7l10.8 12.3a3 3 0 0 1 0 4L27.3 34.3a5 5 0 0 1-3.8 1.7H7a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4z",
};

/** A drop on the brow of a piece in danger. */
const SWEAT = "M7.5 3c2.2 3 3.2 4.6 3.2 6a3.2 3.2 0 0 1-6.4 0c0-1.4 1-3 3.2-6z";

/**
 * The drawing of a piece; `forward` is 1 when it goes right on the screen, and -1 when left.
 * @param {SideId} side
 * @param {number} forward
 */
export function drawFace(side, forward, label = "") {
  const wide = label.length > 1;
  const eyes = label ? 14.5 : 18;
  const parts = draw(
    "g",
    { class: "face-turned" },
    draw("path", { class: "face-body", d: BODY[side] }),
    eye(15.5, eyes),
    eye(26, eyes),
    draw("path", { class: "face-brows", d: `M11 ${eyes - 4.5}l6-3.2M24.5 ${eyes - 7.7}l6 3.2` }),
    draw("path", { class: "face-sweat", d: SWEAT }),
  );
  if (forward < 0) parts.setAttribute("transform", "matrix(-1 0 0 1 40 0)");
  const drawing = draw(
    "svg",
    { class: `face ${side}`, viewBox: "0 0 40 40", "aria-hidden": "true" },
    parts,
  );
  if (label) {
    const x = forward < 0 ? 21.5 : 18.5;
    drawing.append(
      draw(
        "text",
        { class: "face-label", x, y: 31.5, "text-anchor": "middle", "font-size": wide ? 11 : 13 },
        label,
      ),
    );
  } else {
    parts.append(draw("path", { class: "face-mouth", d: "M14 27.5q7 4.5 13.5 0" }));
  }
  return drawing;
}

/**
 * @param {number} x
 * @param {number} y
 */
function eye(x, y) {
  return draw(
    "g",
    { class: "face-eye" },
    draw("circle", { class: "eye-white", cx: x, cy: y, r: 4.2 }),
    draw("circle", { class: "eye-pupil", cx: x + 1.5, cy: y, r: 2.1 }),
    draw("path", { class: "eye-cross", d: `M${x - 2} ${y - 2}l4 4m0-4-4 4` }),
  );
}

/**
 * What to write on each piece of a side, as short as it can be; nothing on a single one.
 * @param {string[]} names
 */
export function shortLabels(names) {
  if (names.length < 2) return new Map(names.map((name) => [name, ""]));
  const ends = names.map((name) => name.slice(name.lastIndexOf("-") + 1).slice(0, 3));
  const differ = new Set(ends).size === names.length;
  return new Map(names.map((name, index) => [name, differ ? ends[index] : `${index + 1}`]));
}

/**
 * A flag in a player's colour and shape: their goal.
 * @param {SideId} side
 */
export function drawFlag(side) {
  const cloth = side === "P1" ? "M5 2.5c4-2 6 2 10 0v7c-4 2-6-2-10 0z" : "M5 2h10l-3 3.8L15 9.5H5z";
  return draw(
    "svg",
    { class: `flag ${side}`, viewBox: "0 0 18 18", "aria-hidden": "true" },
    draw("path", { class: "flag-pole", d: "M4.2 1.5v15" }),
    draw("path", { class: "flag-cloth", d: cloth }),
  );
}

/**
 * A tent in a player's colour and shape: a piece's home.
 * @param {SideId} side
 */
export function drawTent(side) {
  const cloth = side === "P1" ? "M2 16a8 9 0 0 1 16 0z" : "M10 4 19 16H1z";
  return draw(
    "svg",
    { class: `tent ${side}`, viewBox: "0 0 20 18", "aria-hidden": "true" },
    draw("path", { class: "tent-cloth", d: cloth }),
    draw("path", { class: "tent-door", d: "M10 9.5 12.6 16H7.4z" }),
  );
}

/** The sign of lineduel: two pieces that face each other. */
export function drawLogo() {
  return draw(
    "svg",
    { class: "logo", viewBox: "0 0 40 24", "aria-hidden": "true" },
    draw("path", {
      class: "logo-P1",
      d: "M9.5 2a10 10 0 1 0 0 20c5 0 7.3-4.5 9.5-10-2.2-5.5-4.5-10-9.5-10z",
    }),
    draw("path", { class: "logo-P2", d: "M38 2.5h-8.5L21 12l8.5 9.5H38z" }),
  );
}

/** The name in letters of its own: one line, as everything here. */
export function drawWordmark() {
  const round = "a5.5 5.5 0 1 0-1.6 3.9";
  return draw(
    "svg",
    { class: "wordmark", viewBox: "0 0 94 23", "aria-hidden": "true" },
    draw("path", {
      d: `M2 2v18M8 9v11M8 3.2v.1M14 9v11m0-6.5a4.5 4.5 0 0 1 9 0V20M28 14.5h11${round}M54 2v18m0-5.5a5.5 5.5 0 1 0-11 0 5.5 5.5 0 0 0 11 0M60 9v6.5a4.5 4.5 0 0 0 9 0V9m0 0v11M74.5 14.5h11${round}M91.5 2v18`,
    }),
  );
}
