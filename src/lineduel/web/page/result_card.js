/** The end of a game: how well it was played, and what to do next. */

import { get, post } from "./api.js";
import { fill, make } from "./dom.js";
import { text } from "./texts.js";

/** @import { LiveView, ReviewPageDocument } from "./documents.js" */
/** @import { SideId } from "./faces.js" */

const TURNING = ["?", "??"];
/** Fewer turns say little about how well somebody plays. */
const LEAST_TURNS = 6;

/**
 * How well a side played, from 0 to 100, and the turn that decided the game.
 * @param {ReviewPageDocument} review
 * @param {SideId | "both" | null} you
 */
export function inShort({ review, moves, turning_point }, you) {
  const side = you === "P2" ? "player2" : "player1";
  const share = you === "P1" || you === "P2" ? review.accuracy[side].share : null;
  const worst = moves.findLast((one) => TURNING.includes(one.mark));
  return {
    percent: share === null ? null : Math.round(share * 100),
    turn: turning_point ?? worst?.n ?? null,
  };
}

/**
 * @param {string} label
 * @param {Element | string} value
 */
function fact(label, value) {
  return make(
    "p",
    { class: "fact" },
    make("span", { class: "fact-label" }, label),
    " ",
    make("strong", {}, value),
  );
}

export class ResultCard {
  constructor() {
    this.facts = make("div", { class: "result-facts" });
    this.buttons = make("div", { class: "row" });
    /** Another thing to do, beside the buttons of every end. @type {HTMLElement | null} */
    this.next = null;
    this.element = make(
      "section",
      { class: "result-card", hidden: true, "aria-label": text("summary") },
      this.facts,
      this.buttons,
    );
  }

  /** @param {HTMLElement[]} buttons */
  show(buttons) {
    const [first, ...others] = buttons;
    fill(this.buttons, first, this.next, ...others);
  }

  /**
   * One more thing to do.
   * @param {HTMLElement} button
   */
  offer(button) {
    this.next = button;
    this.buttons.firstElementChild?.after(button);
  }

  /**
   * Ask how well it was played, if it was played to its end and has turns enough to tell. The
   * first answer of a game takes seconds; the place for it is kept free.
   * @param {LiveView} view
   * @param {string} token
   */
  async judge(view, token) {
    const isPlayedOut = Boolean(view.last?.events.some((event) => event.kind === "won"));
    if (!isPlayedOut || view.turn < LEAST_TURNS) return;
    const isPlayer = view.you === "P1" || view.you === "P2";
    fill(this.facts, fact(text(isPlayer ? "accuracy" : "turningPoint"), "…"));
    this.facts.setAttribute("aria-busy", "true");
    try {
      const record = await get("/api/live/{id}/record", { id: view.id }, { token });
      const found = inShort(await post("/api/review", { record, you: view.you }), view.you);
      const { percent, turn } = found;
      const href = `/review/${view.id}`;
      fill(
        this.facts,
        percent === null ? null : fact(text("accuracy"), text("percent", { percent })),
        turn === null
          ? make("p", {}, text("noMistakes"))
          : fact(
              text("turningPoint"),
              make("a", { href: `${href}?turn=${turn}` }, text("turnNumber", { turn })),
            ),
      );
    } catch {
      fill(this.facts);
    }
    this.facts.removeAttribute("aria-busy");
  }
}
