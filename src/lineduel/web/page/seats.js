/** The games this browser takes part in, with the tokens of its seats. Tokens stay in this browser. */

import { keep, recall } from "./settings.js";

const KEY = "lineduel.games";
const MOST = 40;
const INVITATION = "i.";

function all() {
  return recall(KEY) ?? {};
}

/** What this tab, or else this browser, knows of a game: {token, invite, spectator, title, seen}. */
export function remembered(id) {
  return JSON.parse(sessionStorage.getItem(`${KEY}.${id}`)) ?? all()[id] ?? null;
}

/** Add to what is known of a game; the oldest games are forgotten. */
export function remember(id, known) {
  const games = all();
  games[id] = { ...games[id], ...known, seen: Date.now() };
  const kept = Object.entries(games).sort(([, one], [, other]) => other.seen - one.seen);
  keep(KEY, Object.fromEntries(kept.slice(0, MOST)));
}

export function forget(id) {
  sessionStorage.removeItem(`${KEY}.${id}`);
  const games = all();
  delete games[id];
  keep(KEY, games);
}

/** Games that are not over, the latest first. */
export function underWay() {
  return Object.entries(all())
    .map(([id, known]) => ({ id, ...known }))
    .filter((game) => game.token && !game.over)
    .sort((one, other) => other.seen - one.seen);
}

/** Take a token out of the address, so that it is in no history, and keep it. */
export function takeToken(id) {
  const token = decodeURIComponent(location.hash.slice(1));
  if (!token) return;
  history.replaceState(null, "", location.pathname + location.search);
  const known = all()[id];
  const taken = token.startsWith(INVITATION) ? { token: newToken(), invitation: token } : { token };
  // Somebody who has a seat here and opens another link plays both, each in a tab of its own.
  if (known?.token && known.token !== token) sessionStorage.setItem(`${KEY}.${id}`, JSON.stringify(taken));
  else remember(id, taken);
}

/** A token of our own, for which an invitation is exchanged. */
function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  const letters = btoa(String.fromCharCode(...bytes));
  return `s.${letters.replaceAll("+", "-").replaceAll("/", "_")}`;
}
