/** The games and the opponents, asked for once; on the first page before anything else has loaded. */

import { get } from "./api.js";

let known = null;

export async function catalogue() {
  known ??= Promise.all([get("/api/games"), get("/api/opponents")]).then(([games, opponents]) => ({ games, opponents }));
  try {
    return await known;
  } catch (error) {
    known = null;
    throw error;
  }
}

if (location.pathname === "/") catalogue().catch(() => {}); // the page asks again, and says what is wrong
