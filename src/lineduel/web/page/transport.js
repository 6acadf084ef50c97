/** The buttons that step through a game: start, back, play, next, end. */

import { draw, make } from "./dom.js";
import { text } from "./texts.js";

/** @import { TextKey } from "./texts.js" */

/** Each picture is drawn in a square of 24. */
const PICTURES = {
  first: "M6 5v14M19 5 9 12l10 7z",
  previous: "M15 5 8 12l7 7",
  replayRun: "M8 5v14l11-7z",
  replayPause: "M8 5v14M16 5v14",
  next: "M9 5l7 7-7 7",
  last: "M18 5v14M5 5l10 7-10 7z",
};

export class Transport {
  /**
   * `go(to)` shows the start, the turn before or after, or the end; `run(wanted)` lets the game
   * play itself.
   * @param {(to: "first" | "previous" | "next" | "last") => void} go
   * @param {(wanted: boolean) => void} run
   */
  constructor(go, run) {
    this.isRunning = false;
    this.running = icon("replayRun", () => run(!this.isRunning), "icon run");
    /** @param {"first" | "previous" | "next" | "last"} key */
    const step = (key) => icon(key, () => go(key));
    this.element = make(
      "div",
      { class: "transport", role: "group", "aria-label": text("transport") },
      step("first"),
      step("previous"),
      this.running,
      step("next"),
      step("last"),
    );
  }

  /** @param {boolean} isRunning */
  tell(isRunning) {
    this.isRunning = isRunning;
    const key = isRunning ? "replayPause" : "replayRun";
    this.running.replaceChildren(picture(key));
    this.running.setAttribute("aria-label", text(key));
    this.running.title = text(key);
  }
}

/**
 * @param {keyof typeof PICTURES & TextKey} key
 * @param {() => void} onclick
 */
function icon(key, onclick, kind = "icon") {
  return make(
    "button",
    { type: "button", class: kind, "aria-label": text(key), title: text(key), onclick },
    picture(key),
  );
}

/** @param {keyof typeof PICTURES} key */
function picture(key) {
  return draw(
    "svg",
    { viewBox: "0 0 24 24", "aria-hidden": "true" },
    draw("path", { d: PICTURES[key] }),
  );
}
