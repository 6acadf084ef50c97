/** The games and the opponents: most pages bring them along, others ask for them once. */

import { get } from "./api.js";

/** @import { ShownGame, ShownOpponent } from "./documents.js" */

/** @type {Promise<{ games: ShownGame[], opponents: ShownOpponent[] }> | null} */
let known = null;

export async function catalogue() {
  known ??= inPage() ?? ask();
  try {
    return await known;
  } catch (error) {
    known = null;
    throw error;
  }
}

function inPage() {
  const brought = document.getElementById("catalogue")?.textContent;
  return brought ? Promise.resolve(JSON.parse(brought)) : null;
}

async function ask() {
  const [games, opponents] = await Promise.all([get("/api/games", {}), get("/api/opponents", {})]);
  return { games, opponents };
}
