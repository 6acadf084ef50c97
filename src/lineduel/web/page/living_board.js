/** A game that plays itself on a small board, again and again while it is in sight. */

import { fill, wantsCalm } from "./dom.js";
import { text } from "./texts.js";

/** @import { BoardDocument, BoardPiece, SampleTurn } from "./documents.js" */

const PAUSE = 900;
const REST = 3200;

/**
 * Put a living board in its place; it stops when `isLeft()` says that the page was left.
 * @param {HTMLElement} place
 * @param {{ title: string, board: BoardDocument, sample: SampleTurn[] }} game
 * @param {() => boolean} isLeft
 */
export async function live(place, game, isLeft) {
  const { Board } = await import("./board.js"); // every card can be clicked before its board is there
  const board = new Board({ small: true, label: text("boardOf", { title: game.title }) });
  fill(place, board.element);
  await board.show(game.board);
  let seen = false;
  const observer = new IntersectionObserver(([entry]) => {
    seen = entry.isIntersecting;
  });
  observer.observe(board.element);
  await wait(REST * Math.random());
  while (!isLeft()) {
    for (const turn of game.sample) {
      do await wait(PAUSE + Math.random() * PAUSE);
      while ((!seen || document.hidden || wantsCalm()) && !isLeft());
      if (isLeft()) return;
      await board.show(
        { ...game.board, pieces: moved(game.board.pieces, turn.at), battle: turn.battle },
        turn.events,
      );
    }
    await wait(REST);
    await board.show(game.board);
  }
}

/**
 * @param {BoardPiece[]} pieces
 * @param {(number | null)[]} at
 */
function moved(pieces, at) {
  return pieces.map((piece, index) => ({ ...piece, at: at[index] }));
}

/** @param {number} time */
function wait(time) {
  return new Promise((resolve) => setTimeout(resolve, time));
}
