/** The games and the opponents, asked for once. */

import { get } from "./api.js";

/** @import { ShownGame, ShownOpponent } from "./documents.js" */

/** @type {Promise<{ games: ShownGame[], opponents: ShownOpponent[] }> | null} */
let known = null;

export async function catalogue() {
  known ??= Promise.all([get("/api/games", {}), get("/api/opponents", {})]).then(
    ([games, opponents]) => ({ games, opponents }),
  );
  try {
    return await known;
  } catch (error) {
    known = null;
    throw error;
  }
}
