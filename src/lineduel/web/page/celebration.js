/** A moment for the winner: paper falls over the board, and lies on the meadow from then on. */

import { make, wantsCalm } from "./dom.js";

/** How many pieces of paper, and how long they fall, in milliseconds. */
const COUNT = 44;
const LONGEST = 1900;
/** Where the meadow begins, as a share of the height. */
const MEADOW = 0.7;

/**
 * Let paper fall from the top of an element; to those who want it calm, it lies there at once.
 * @param {HTMLElement} over
 */
export async function celebrate(over) {
  const { clientWidth: width, clientHeight: height } = over;
  const layer = make("div", { class: "paper-layer", "aria-hidden": "true" });
  over.append(layer);
  const falling = Array.from({ length: COUNT }, (_, index) => {
    const paper = make("span", { class: `paper ${["P1", "P2", "sun"][index % 3]}` });
    layer.append(paper);
    const x = Math.random() * (width - 10);
    const y = height * (MEADOW + Math.random() * (0.97 - MEADOW));
    const lying = `translate(${x}px, ${y}px) rotate(${Math.random() * 360}deg)`;
    paper.style.transform = lying;
    if (wantsCalm()) return undefined;
    const start = `translate(${x + (Math.random() - 0.5) * 120}px, -20px) rotate(-540deg)`;
    return paper.animate([{ transform: start }, { transform: lying }], {
      duration: LONGEST * (0.6 + Math.random() * 0.4),
      delay: Math.random() * 300,
      easing: "cubic-bezier(0.3, 0.1, 0.7, 1)",
      fill: "backwards",
    }).finished;
  });
  await Promise.allSettled(falling);
}
