/** The games this browser takes part in, with the tokens of its seats. Tokens stay in this browser. */

import { decoded } from "./router.js";
import { keep, recall } from "./settings.js";
import { text } from "./texts.js";

/** @import { BoardDocument } from "./documents.js" */

const KEY = "lineduel.games";
const MOST = 200;
const INVITATION = "i.";

/**
 * @typedef {{ game?: string, variant?: string | null, opponent?: string }} Begun A game of the list and its opponent.
 *
 * @typedef {object} Known What is known of a game.
 * @property {string} [token] Opens a seat, or lets one watch.
 * @property {string} [invitation] Is exchanged for a seat.
 * @property {string | null} [invite] The invitation of the other player.
 * @property {string | null} [spectator] Lets others watch.
 * @property {string} [title]
 * @property {string} [game] Its rulebook.
 * @property {Begun} [begun] How it was begun here.
 * @property {{ won: number, lost: number }} [series] The games before it, each a rematch of the last.
 * @property {boolean} [over]
 * @property {boolean} [again] Whether it is a rematch.
 * @property {boolean} [introduced] Whether this person was asked for a name.
 * @property {string} [ended] How it ended: `You won.`
 * @property {string} [outcome] `won`, `lost` or `ended`.
 * @property {string | null} [side] Yours; null if you play both, or watch.
 * @property {string} [against] The other player.
 * @property {number} [turn] How many turns were played.
 * @property {boolean} [yours] Whether it is your turn.
 * @property {number} [deadline] Until when there is time for the turn, in seconds; 0 if for ever.
 * @property {BoardDocument} [board] How it stands, or ended.
 * @property {number} [seen] When it was last open, in milliseconds.
 *
 * @typedef {Known & { id: string }} KnownGame
 */

function all() {
  return /** @type {Record<string, Known>} */ (recall(KEY) ?? {});
}

/**
 * What this tab, or else this browser, knows of a game.
 * @param {string} id
 * @returns {Known | null}
 */
export function remembered(id) {
  return JSON.parse(sessionStorage.getItem(`${KEY}.${id}`) ?? "null") ?? all()[id] ?? null;
}

/**
 * Add to what is known of a game; the oldest games are forgotten.
 * @param {string} id
 * @param {Known} known
 */
export function remember(id, known, isOpen = true) {
  const games = all();
  games[id] = { ...games[id], ...known, ...(isOpen ? { seen: Date.now() } : {}) };
  const kept = Object.entries(games).sort(([, one], [, other]) => latestFirst(one, other));
  keep(KEY, Object.fromEntries(kept.slice(0, MOST)));
}

/** @param {string} id */
export function forget(id) {
  sessionStorage.removeItem(`${KEY}.${id}`);
  const games = all();
  delete games[id];
  keep(KEY, games);
}

/**
 * All games of this browser, the latest first.
 * @returns {KnownGame[]}
 */
export function known() {
  return Object.entries(all())
    .map(([id, one]) => ({ id, ...one }))
    .sort(latestFirst);
}

/** All of them as a text that another browser can take over; it opens your seats, so keep it to yourself. */
export function exported() {
  return JSON.stringify({ lineduel: all() }, null, 1);
}

/**
 * Take over the games of another browser; a text that is none of ours is refused.
 * @param {string} written
 */
export function imported(written) {
  let games;
  try {
    games = JSON.parse(written).lineduel;
  } catch {
    games = null;
  }
  if (typeof games !== "object" || games === null) throw new Error(text("notGames"));
  for (const [id, one] of Object.entries(games))
    if (/^[0-9a-z]{1,40}$/.test(id) && typeof one?.token === "string") remember(id, one, false);
}

/**
 * @param {Known} one
 * @param {Known} other
 */
function latestFirst(one, other) {
  return (other.seen ?? 0) - (one.seen ?? 0);
}

/**
 * Take a token out of the address, so that it is in no history, and keep it.
 * @param {string} id
 */
export function takeToken(id) {
  const token = decoded(location.hash.slice(1));
  if (!token) return;
  history.replaceState(null, "", location.pathname + location.search);
  const known = all()[id];
  const taken = token.startsWith(INVITATION) ? { token: newToken(), invitation: token } : { token };
  // Somebody who has a seat here and opens another link plays both, each in a tab of its own.
  if (known?.token && known.token !== token)
    sessionStorage.setItem(`${KEY}.${id}`, JSON.stringify(taken));
  else remember(id, taken);
}

/** A token of our own, for which an invitation is exchanged. */
function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  const letters = btoa(String.fromCharCode(...bytes));
  return `s.${letters.replaceAll("+", "-").replaceAll("/", "_")}`;
}
