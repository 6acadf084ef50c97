/** The sign of lineduel: two pieces that face each other. */

import { draw } from "./dom.js";

export function drawLogo() {
  return draw(
    "svg",
    { class: "logo", viewBox: "0 0 40 24", "aria-hidden": "true" },
    draw("path", { class: "logo-P1", d: "M9.5 2a10 10 0 1 0 0 20c5 0 7.3-4.5 9.5-10-2.2-5.5-4.5-10-9.5-10z" }),
    draw("path", { class: "logo-P2", d: "M38 2.5h-8.5L21 12l8.5 9.5H38z" }),
  );
}
