/** How a battle is decided, in a few words made from the rulebook. */

import { text } from "./texts.js";

/** @import { BattleTable } from "./documents.js" */

/**
 * Which number wins, what becomes of the loser, and what of a tie.
 * @param {BattleTable} battle
 */
export function battleRules({ numbers, wins, loser = "sent home", tie = "both" }) {
  const fate = loser === "captured" ? "captured" : "home";
  const half = (numbers - 1) / 2;
  const beaten = half > 1 ? text("manyBelow", { half }) : text("oneBelow");
  return [
    text(`beats-${wins}`, { numbers, beaten }),
    `${text(`loser-${fate}`)} ${text(`tie-${tie}-${fate}`)}`,
  ].join(" ");
}
