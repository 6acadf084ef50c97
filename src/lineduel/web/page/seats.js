/** The games this browser takes part in, with the tokens of its seats. Tokens stay in this browser. */

import { keep, recall } from "./settings.js";

const KEY = "lineduel.games";
const MOST = 40;

function all() {
  return recall(KEY) ?? {};
}

/** What this browser knows of a game: {token, invite, spectator, title, seen}. */
export function remembered(id) {
  return all()[id] ?? null;
}

/** Add to what is known of a game; the oldest games are forgotten. */
export function remember(id, known) {
  const games = all();
  games[id] = { ...games[id], ...known, seen: Date.now() };
  const kept = Object.entries(games).sort(([, one], [, other]) => other.seen - one.seen);
  keep(KEY, Object.fromEntries(kept.slice(0, MOST)));
}

export function forget(id) {
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
  const token = location.hash.slice(1);
  if (!token) return;
  history.replaceState(null, "", location.pathname + location.search);
  remember(id, { token: decodeURIComponent(token) });
}
