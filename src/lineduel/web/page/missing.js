/** The page of an address that means nothing here. */

import { fill, make } from "./dom.js";
import { text } from "./texts.js";

/** @param {HTMLElement} main */
export function open(main) {
  fill(main, notice(text("missing")));
}

/**
 * A sentence in place of a page, with the way back.
 * @param {string} sentence
 */
export function notice(sentence) {
  return make(
    "section",
    { class: "notice" },
    make("h1", {}, sentence),
    make("p", {}, make("a", { href: "/" }, text("toGames"))),
  );
}
