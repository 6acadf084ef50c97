/** Questions in the middle of the page, and those below a board. */

import { make } from "./dom.js";
import { text } from "./texts.js";

/**
 * Ask something in the middle; without `yes` there is only something to read.
 * @param {string} sentence
 * @param {{ yes?: string | null, agreed?: () => unknown, inside?: Element | null }} [what]
 */
export function askInMiddle(sentence, { yes = null, agreed = () => {}, inside = null } = {}) {
  const dialog = make(
    "dialog",
    { "aria-label": sentence, onclose: () => void dialog.remove() },
    make(
      "form",
      {
        method: "dialog",
        onsubmit: ({ submitter }) =>
          submitter instanceof HTMLButtonElement && submitter.value === "yes" && agreed(),
      },
      make("h2", {}, sentence),
      inside,
      make(
        "div",
        { class: "row" },
        yes ? make("button", { class: "primary", value: "yes" }, yes) : null,
        make("button", { class: "quiet", value: "no" }, text(yes ? "cancel" : "close")),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * A sentence with buttons, each `[label, what to do]`; the first is the one expected.
 * @param {string | HTMLElement} sentence
 * @param {...[string, () => unknown]} answers
 */
export function question(sentence, ...answers) {
  const buttons = answers.map(([label, onclick], index) =>
    make("button", { type: "button", class: index ? "quiet" : "primary", onclick }, label),
  );
  return make(
    "div",
    { class: "question" },
    typeof sentence === "string" ? make("p", {}, sentence) : sentence,
    buttons.length ? make("div", { class: "row" }, ...buttons) : null,
  );
}
