/** What somebody is about to move on a board, as a value; every change gives a new one. */

/** @import { BoardPiece, PossibleMove } from "./documents.js" */

/**
 * @template {PossibleMove} [Move=PossibleMove]
 * @typedef {object} Selection
 * @property {Move[]} moves The moves that may be played now; none while it is somebody else's turn.
 * @property {string | null} picked The piece that is to move.
 * @property {number | null} looked The cell that is looked at: under the mouse, or with the focus.
 * @property {PossibleMove | null} hinted A move that the list of moves points to.
 */

/**
 * @template {PossibleMove} [Move=PossibleMove]
 * @typedef {{ type: "offer", moves: Move[] } | { type: "pick", piece: string | null }
 *   | { type: "look", cell: number | null } | { type: "hint", move: PossibleMove | null }} SelectionEvent
 */

/** @type {Selection<never>} */
export const NOTHING = { moves: [], picked: null, looked: null, hinted: null };

/**
 * What is selected after something happened.
 * @template {PossibleMove} Move
 * @param {Selection<Move>} selection
 * @param {SelectionEvent<Move>} event
 * @returns {Selection<Move>}
 */
export function select(selection, event) {
  switch (event.type) {
    case "offer":
      return {
        ...selection,
        moves: event.moves,
        picked: stillPicked(selection.picked, event.moves),
        looked: null,
      };
    case "pick":
      return { ...selection, picked: event.piece ?? stillPicked(null, selection.moves) };
    case "look":
      return { ...selection, looked: event.cell };
    case "hint":
      return { ...selection, hinted: event.move };
  }
}

/**
 * A piece that can no longer move is let go, and the only one that can is picked.
 * @param {string | null} picked
 * @param {PossibleMove[]} moves
 */
function stillPicked(picked, moves) {
  const movable = new Set(moves.map((move) => move.piece));
  if (movable.size === 1) return moves[0].piece;
  return movable.has(picked) ? picked : null;
}

/**
 * The moves of one piece.
 * @template {PossibleMove} Move
 * @param {Selection<Move>} selection
 * @param {string} name
 */
export function movesOf({ moves }, name) {
  return moves.filter((move) => move.piece === name);
}

/**
 * Those of some pieces that can move.
 * @param {Selection} selection
 * @param {BoardPiece[]} pieces
 */
export function movable(selection, pieces) {
  return pieces.filter((piece) => movesOf(selection, piece.name).length);
}

/**
 * The moves by which the picked piece stays where it is.
 * @template {PossibleMove} Move
 * @param {Selection<Move>} selection
 */
export function stays(selection) {
  const { picked } = selection;
  return picked ? movesOf(selection, picked).filter((move) => move.from === move.to) : [];
}

/**
 * What choosing a cell means, with the pieces that stand on it: moves to choose from, or a piece
 * to pick. A picked piece that is chosen once more is let go; nothing is ever played by it.
 * @template {PossibleMove} Move
 * @param {Selection<Move>} selection
 * @param {number} cell
 * @param {BoardPiece[]} pieces
 * @returns {{ moves: Move[] } | { piece: string | null }}
 */
export function chosen(selection, cell, pieces) {
  const { picked } = selection;
  const own = movable(selection, pieces);
  const isPickedHere = own.some((piece) => piece.name === picked);
  const arrivals = (picked ? movesOf(selection, picked) : selection.moves).filter(
    (move) => move.to === cell && move.from !== cell,
  );
  if (arrivals.length && !isPickedHere && (picked || !own.length)) return { moves: arrivals };
  if (own.length > 1)
    return { piece: own[own.findIndex((piece) => piece.name === picked) + 1]?.name ?? null };
  return { piece: isPickedHere ? null : (own[0]?.name ?? null) };
}
