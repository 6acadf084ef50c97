/** A player beside the board: face, name, whether it is their turn, the pieces they took, and the score. */

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

/** How long somebody's words are seen, in milliseconds. */
const SAID = 5000;

export class PlayerPlate {
  /** @param {SideId} side */
  constructor(side) {
    this.side = side;
    this.name = make("span", { class: "plate-name" });
    this.kind = make("span", { class: "plate-kind" });
    this.presence = make("span", { class: "presence", hidden: true });
    this.taken = make("span", { class: "plate-taken", role: "img", hidden: true });
    this.score = make("span", { class: "plate-score", hidden: true });
    this.said = make("span", { class: "plate-said", hidden: true });
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.drawn = this.face();
    this.element = make(
      "div",
      { class: `plate ${side}` },
      this.drawn,
      make(
        "span",
        { class: "plate-words" },
        this.name,
        make("span", { class: "plate-more" }, this.kind, this.presence, this.taken),
      ),
      this.score,
      this.said,
    );
  }

  face(forward = 1) {
    return drawFace(this.side, forward);
  }

  /**
   * Something that this player says, for a moment.
   * @param {string} words
   */
  say(words) {
    clearTimeout(this.timer);
    this.said.textContent = words;
    show(this.said, true);
    this.timer = setTimeout(() => show(this.said, false), SAID);
  }

  /**
   * @param {LiveView} view
   * @param {number | null} score Games won against each other; null if this is their first.
   */
  show(view, score) {
    const { side } = this;
    const isYou = view.you === side;
    const isPerson = view.kinds[side] === "person";
    this.name.textContent = nameOf(view, side);
    const [kind, more] = isPerson ? [""] : view.players[side].split(/(?= \()/);
    fill(this.kind, kind, more ? make("span", { class: "kind-more" }, more) : null);
    this.element.classList.toggle("right", leftSide(view) !== side);
    this.element.classList.toggle("asked", view.asked.includes(side));
    this.element.classList.toggle("won", view.result?.winner === side);
    const isBeaten = Boolean(view.result?.winner) && view.result?.winner !== side;
    this.drawn.classList.toggle("sad", isBeaten);
    show(this.score, score !== null);
    this.score.textContent = `${score ?? ""}`;
    this.score.title = text("gamesWon", { count: `${score ?? 0}` });
    const isElsewhere = isPerson && view.you !== "both" && !isYou;
    const word =
      isElsewhere && !view.joined ? "notJoined" : view.presence[side] ? "present" : "away";
    show(this.presence, isElsewhere);
    this.presence.textContent = text(word);
    this.presence.className = `presence ${word}`;
    const gone = view.board.pieces.filter((piece) => piece.side !== side && piece.at === null);
    show(this.taken, gone.length > 0);
    fill(this.taken, ...gone.map((piece) => drawFace(piece.side, 1)));
    this.taken.setAttribute(
      "aria-label",
      text("takenPieces", { pieces: gone.map((piece) => piece.name).join(", ") }),
    );
  }
}
