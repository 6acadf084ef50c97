/** The rulebooks that somebody has changed in this browser, kept in it. */

import { keep, recall } from "./settings.js";

/** @typedef {{ id: string, title: string, packed: string }} KeptDesign */

const KEY = "lineduel.designs";
/** How many are kept; the oldest go first. */
const MOST = 30;

/** @returns {KeptDesign[]} */
export function keptDesigns() {
  const found = recall(KEY);
  return Array.isArray(found) ? found : [];
}

/**
 * Keep a design; a newer version of one takes its place.
 * @param {KeptDesign} design
 */
export function keepDesign(design) {
  const others = keptDesigns().filter((one) => one.id !== design.id);
  keep(KEY, [design, ...others].slice(0, MOST));
}

/** @param {string} id */
export function forgetDesign(id) {
  keep(
    KEY,
    keptDesigns().filter((one) => one.id !== id),
  );
}
