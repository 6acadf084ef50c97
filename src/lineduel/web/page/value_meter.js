/** What player 1 can expect, as a bar between the two players. */

import { draw, make } from "./dom.js";
import { SIDES } from "./faces.js";
import { text } from "./texts.js";

/** @import { NumberChance } from "./documents.js" */
/** @import { SideId } from "./faces.js" */

/**
 * A bar, shared between the players; an interval is drawn as one.
 * @param {[number, number]} value
 */
export function drawMeter([low, high]) {
  const from = place(low);
  const to = place(high);
  const bar = draw(
    "svg",
    {
      class: "meter",
      viewBox: "0 0 100 10",
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": meterInWords(low, high),
    },
    draw("rect", { class: "meter-P2", width: 100, height: 10 }),
    draw("rect", { class: "meter-P1", width: from, height: 10 }),
    draw("rect", { class: "meter-open", x: from, width: Math.max(0, to - from), height: 10 }),
    draw("rect", { class: "meter-middle", x: 49.75, width: 0.5, height: 10 }),
  );
  const ends = SIDES.map((side) => make("span", { class: side }, text(`seat-${side}`)));
  return make("div", { class: "meter-scale" }, ends[0], bar, ends[1]);
}

/**
 * From 0, where player 2 wins, to 100, where player 1 does.
 * @param {number} value
 */
function place(value) {
  return (value + 1) * 50;
}

/**
 * @param {number} low
 * @param {number} high
 */
function meterInWords(low, high) {
  /** @param {number} value */
  const shown = (value) => value.toFixed(2).replace(/\.?0+$/, "");
  return low === high
    ? text("meter", { value: shown(low) })
    : text("meterBetween", { low: shown(low), high: shown(high) });
}

/**
 * How often best play chooses each number of a battle, as bars.
 * @param {NumberChance[]} chances
 * @param {SideId} side
 */
export function drawMixture(chances, side) {
  const highest = Math.max(...chances.map(({ chance }) => chance), 0.01);
  const inWords = chances
    .map(({ number, chance }) => text("share", { number, percent: percent(chance) }))
    .join(", ");
  return draw(
    "svg",
    {
      class: `mixture ${side}`,
      viewBox: `0 0 ${chances.length * 24} 70`,
      role: "img",
      "aria-label": inWords,
    },
    ...chances.map(({ number, chance }, index) => {
      const height = (chance / highest) * 40;
      const x = index * 24;
      return draw(
        "g",
        {},
        draw("rect", { class: "mixture-bar", x: x + 3, y: 52 - height, width: 18, height, rx: 2 }),
        draw(
          "text",
          { class: "mixture-share", x: x + 12, y: 48 - height, "text-anchor": "middle" },
          percent(chance),
        ),
        draw(
          "text",
          { class: "mixture-number", x: x + 12, y: 66, "text-anchor": "middle" },
          `${number}`,
        ),
      );
    }),
  );
}

/** @param {number} chance */
function percent(chance) {
  return `${Math.round(chance * 100)}%`;
}
