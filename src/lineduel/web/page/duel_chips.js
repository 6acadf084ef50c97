/** What a duel is like in three words, each with the figure that shows it. */

import { make } from "./dom.js";
import { text } from "./texts.js";

/** @import { DuelFigures } from "./documents.js" */

/** Neither side can expect more than this: the seats are called fair. */
const FAIR = 0.05;
/** What the best player scores at least where skill decides. */
export const SKILFUL = 0.9;

/**
 * `short` is said first, `figure` beside it, and `meaning` says what the figure is.
 * @typedef {{ good: boolean, short: string, figure: string, meaning: string }} Chip
 */

/**
 * Fair or not, how long, and whether skill decides.
 * @param {DuelFigures} figures
 */
export function duelChips({ value, turns, skill }) {
  return [fairness(value), length(turns), skilfulness(skill)];
}

/** @param {Chip[]} chips */
export function chipList(chips) {
  return make(
    "ul",
    { class: "chips" },
    ...chips.map(({ good, short, figure, meaning }) =>
      make(
        "li",
        { class: good ? "chip good" : "chip", title: meaning },
        make("strong", {}, short),
        figure ? ` ${figure}` : null,
      ),
    ),
  );
}

/**
 * @param {[number, number]} value
 * @returns {Chip}
 */
function fairness([low, high]) {
  const middle = (low + high) / 2;
  const first = Math.round((middle + 1) * 50);
  const meaning = text("fairMeaning", { first, second: 100 - first });
  if (Math.max(Math.abs(low), Math.abs(high)) <= FAIR)
    return { good: true, short: text("fair"), figure: `${first} : ${100 - first}`, meaning };
  const seat = text(middle > 0 ? "seat-P1" : "seat-P2");
  if (low === high && Math.abs(low) === 1)
    return { good: false, short: text("forced", { seat }), figure: "", meaning };
  return {
    good: false,
    short: text("favoured", { seat }),
    figure: `${first} : ${100 - first}`,
    meaning,
  };
}

/**
 * @param {number | null} turns
 * @returns {Chip}
 */
function length(turns) {
  if (turns === null)
    return { good: false, short: text("lengthNever"), figure: "", meaning: text("neverMeaning") };
  const step = turns < 25 ? 1 : turns < 100 ? 5 : 10;
  const about = Math.round(turns / step) * step;
  return {
    good: turns <= 40,
    short: text("lengthAbout", { turns: about }),
    figure: "",
    meaning: text("lengthMeaning", { turns: turns.toFixed(1) }),
  };
}

/**
 * @param {number} skill
 * @returns {Chip}
 */
function skilfulness(skill) {
  const percent = Math.floor(skill * 100);
  const good = skill >= SKILFUL;
  return {
    good,
    short: text(good ? "skilful" : "unskilful"),
    figure: text("percent", { percent }),
    meaning: text("skillMeaning", { percent }),
  };
}
