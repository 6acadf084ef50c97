/** The page of an address that means nothing here, and what stands in place of any page. */

import { fill, make } from "./dom.js";
import { drawFace } from "./faces.js";
import { text } from "./texts.js";

/** @param {HTMLElement} main */
export function open(main) {
  fill(main, notice(text("missing")));
}

/**
 * A sentence in place of a page, with ways on.
 * @param {string} sentence
 * @param {string} [more] What can be done about it.
 */
export function notice(sentence, more = "") {
  const faces = [drawFace("P1", 1), drawFace("P2", -1)];
  for (const face of faces) face.classList.add("sad");
  return make(
    "section",
    { class: "notice" },
    make("div", { class: "notice-picture", "aria-hidden": "true" }, ...faces),
    make("h1", {}, sentence),
    more ? make("p", { class: "quietly" }, more) : null,
    make(
      "p",
      { class: "row" },
      make("a", { class: "primary button", href: "/" }, text("startYours")),
      make("a", { class: "quiet button", href: "/games" }, text("navGames")),
      make("a", { class: "quiet button", href: "/about" }, text("about")),
    ),
  );
}
