/** What reasons point at, drawn on a board: an arrow for what a piece does, marks on pieces and cells. */

/** @import { Board } from "./board.js" */
/** @import { DeedDocument, ReasonDocument } from "./documents.js" */

/** @typedef {Pick<ReasonDocument, "pieces" | "cells"> & { deed?: Pick<DeedDocument, "from" | "to"> & { side: number } | null }} Pointer */

/**
 * Mark what reasons are about; none clears the board of such marks.
 * @param {Board} board
 * @param {Pointer[]} reasons
 */
export function markReasons(board, reasons) {
  const pieces = new Set(reasons.flatMap((one) => one.pieces));
  const cells = new Set(reasons.flatMap((one) => one.cells));
  for (const [name, { element }] of board.pieces) element.classList.toggle("why", pieces.has(name));
  for (const [cell, element] of board.cells) element.classList.toggle("why", cells.has(cell));
  board.drawLines([
    ...board.drawn.filter((line) => !line.kind.startsWith("why")),
    ...arrows(reasons),
  ]);
}

/** @param {Pointer[]} reasons */
function arrows(reasons) {
  return reasons.flatMap(({ deed }) =>
    deed ? [{ from: deed.from, to: deed.to, kind: `why P${deed.side}` }] : [],
  );
}
