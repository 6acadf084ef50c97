/** A moment for the winner: paper falls over the board, once. */

import { make } from "./dom.js";

/** How many pieces of paper, and how long they fall, in milliseconds. */
const COUNT = 36;
const LONGEST = 1900;

/**
 * Let paper fall from the top of an element; it is gone afterwards.
 * @param {HTMLElement} over
 */
export async function celebrate(over) {
  const { clientWidth: width, clientHeight: height } = over;
  const layer = make("div", { class: "paper-layer", "aria-hidden": "true" });
  over.append(layer);
  const falling = Array.from({ length: COUNT }, (_, index) => {
    const paper = make("span", { class: `paper ${["P1", "P2", "sun"][index % 3]}` });
    layer.append(paper);
    const x = Math.random() * width;
    const turn = 360 + Math.random() * 540;
    return paper.animate(
      [
        { transform: `translate(${x}px, -20px)`, opacity: 1 },
        { opacity: 1, offset: 0.75 },
        {
          transform: `translate(${x + (Math.random() - 0.5) * 120}px, ${height}px) rotate(${turn}deg)`,
          opacity: 0,
        },
      ],
      {
        duration: LONGEST * (0.6 + Math.random() * 0.4),
        delay: Math.random() * 300,
        easing: "cubic-bezier(0.3, 0.1, 0.7, 1)",
        fill: "both",
      },
    ).finished;
  });
  await Promise.allSettled(falling);
  layer.remove();
}
