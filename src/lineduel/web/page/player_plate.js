/** A player beside the board: face, name, whether it is their turn, and the pieces they lost. */

import { fill, make, show } from "./dom.js";
import { drawFace } from "./faces.js";
import { leftSide } from "./game_state.js";
import { text } from "./texts.js";

/** @import { LiveView } from "./documents.js" */
/** @import { SideId } from "./faces.js" */

/**
 * What a player is called on the screen of the person here.
 * @param {LiveView} view
 * @param {SideId} side
 */
export function nameOf({ you, names }, side) {
  return you === side ? text("you") : names[side];
}

export class PlayerPlate {
  /** @param {SideId} side */
  constructor(side) {
    this.side = side;
    this.name = make("span", { class: "plate-name" });
    this.kind = make("span", { class: "plate-kind" });
    this.presence = make("span", { class: "presence", hidden: true });
    this.taken = make("span", { class: "plate-taken", role: "img", hidden: true });
    this.element = make(
      "div",
      { class: `plate ${side}` },
      this.face(),
      make("span", { class: "plate-words" }, this.name, this.kind, this.presence),
      this.taken,
    );
  }

  face(forward = 1) {
    return drawFace(this.side, forward);
  }

  /** @param {LiveView} view */
  show(view) {
    const { side } = this;
    const isYou = view.you === side;
    const isPerson = view.kinds[side] === "person";
    this.name.textContent = nameOf(view, side);
    this.kind.textContent = isPerson ? "" : view.players[side];
    this.element.classList.toggle("right", leftSide(view) !== side);
    this.element.classList.toggle("asked", view.asked.includes(side));
    this.element.classList.toggle("won", view.result?.winner === side);
    const isElsewhere = isPerson && view.you !== "both" && !isYou;
    const word =
      isElsewhere && !view.joined ? "notJoined" : view.presence[side] ? "present" : "away";
    show(this.presence, isElsewhere);
    this.presence.textContent = text(word);
    this.presence.className = `presence ${word}`;
    const gone = view.board.pieces.filter((piece) => piece.side === side && piece.at === null);
    show(this.taken, gone.length > 0);
    fill(this.taken, ...gone.map(() => this.face()));
    this.taken.setAttribute(
      "aria-label",
      text("takenPieces", { pieces: gone.map((piece) => piece.name).join(", ") }),
    );
  }
}
