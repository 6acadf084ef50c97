/** How far the server is with something that takes a while. */

import { make, show } from "./dom.js";
import { text } from "./texts.js";

/** @import { WorkProgress as Told } from "./documents.js" */

export class WorkProgress {
  constructor() {
    this.doing = make("span", {});
    this.bar = make("progress", { "aria-label": text("progress") });
    this.cancel = make(
      "button",
      { type: "button", class: "quiet small", hidden: true, onclick: () => this.cancelled() },
      text("stop"),
    );
    this.element = make(
      "div",
      { class: "work-progress", hidden: true },
      this.doing,
      this.bar,
      this.cancel,
    );
    /** @type {() => void} */
    this.cancelled = () => {};
  }

  /**
   * Show that something is under way; with `cancelled` it can be stopped.
   * @param {(() => void) | null} [cancelled]
   */
  start(cancelled = null) {
    this.cancelled = cancelled ?? (() => {});
    show(this.cancel, Boolean(cancelled));
    this.tell({ doing: text("loading") });
    show(this.element, true);
  }

  /** @param {Pick<Told, "doing" | "done" | "total">} told */
  tell({ doing, done = 0, total = 0 }) {
    this.doing.textContent = doing;
    if (total) {
      this.bar.max = total;
      this.bar.value = done;
    } else {
      this.bar.removeAttribute("value");
    }
  }

  stop() {
    show(this.element, false);
  }
}
