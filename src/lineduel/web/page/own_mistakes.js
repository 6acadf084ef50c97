/** Your own mistakes as puzzles, kept in this browser; a solved one comes back later and later. */

import { keep, recall } from "./settings.js";

const KEY = "lineduel.mistakes";
/** How many days a puzzle rests, by how often in a row it was solved: as in the program. */
const WAITS = [0, 1, 2, 4, 8, 16, 32];
const DAY = 86_400_000;
/** How many are kept of all games together; the oldest go first. */
const MOST = 400;

/**
 * @typedef {{ game: string, position: string, streak: number, due: number }} OwnMistake
 *   `due` is a time in milliseconds.
 */

/** @returns {OwnMistake[]} */
function kept() {
  const found = recall(KEY);
  return Array.isArray(found) ? found : [];
}

/**
 * Remember positions in which somebody went wrong; one that is known keeps its day.
 * @param {string} game
 * @param {string[]} positions
 */
export function noteMistakes(game, positions) {
  const all = kept();
  const known = new Set(all.filter((one) => one.game === game).map((one) => one.position));
  for (const position of new Set(positions))
    if (!known.has(position)) all.push({ game, position, streak: 0, due: 0 });
  keep(KEY, all.slice(-MOST));
}

/**
 * The mistakes of a game that are due, the longest overdue first.
 * @param {string} game
 * @param {number} now
 */
export function dueMistakes(game, now) {
  return kept()
    .filter((one) => one.game === game && one.due <= now)
    .sort((one, other) => one.due - other.due);
}

/**
 * Note whether one was solved at the first try.
 * @param {string} game
 * @param {string} position
 * @param {boolean} solved
 * @param {number} now
 */
export function noteResult(game, position, solved, now) {
  const all = kept();
  const found = all.find((one) => one.game === game && one.position === position);
  if (!found) return;
  found.streak = solved ? found.streak + 1 : 0;
  found.due = now + DAY * WAITS[Math.min(found.streak, WAITS.length - 1)];
  keep(KEY, all);
}
