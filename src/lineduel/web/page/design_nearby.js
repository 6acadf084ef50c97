/** Rulebooks close to the one in the form: repairs, single changes and variants. */

import { isGivenUp, listen, sentenceOf } from "./api.js";
import { Board } from "./board.js";
import { WorkProgress } from "./design_progress.js";
import { fill, make, say, show } from "./dom.js";
import { text, textOr } from "./texts.js";

/** @import { DesignMessage, NearbyRulebook, WorkError } from "./documents.js" */

const KINDS = /** @type {const} */ (["repairs", "changes", "variants"]);
const EFFECTS = /** @type {const} */ (["value", "length", "unknown", "none"]);

/** @typedef {{ set?: string[], variant?: string }} Changes */

export class NearbyRulebooks {
  /**
   * `take(changes)` is called with `{set}` or `{variant}` when one is chosen.
   * @param {(changes: Changes) => void} take
   */
  constructor(take) {
    this.take = take;
    this.toml = "";
    this.asked = new AbortController();
    this.progress = new WorkProgress();
    this.problem = make("p", { class: "problem", role: "alert", hidden: true });
    this.sentence = make("p", { class: "nearby-sentence" });
    this.found = make("div", { class: "nearby" });
    const [repairs, changes, variants] = KINDS.map((kind) =>
      make(
        "button",
        { type: "button", class: "quiet", onclick: () => this.search(kind) },
        text(`find-${kind}`),
      ),
    );
    this.variants = variants;
    this.element = make(
      "section",
      { class: "panel" },
      make("h2", {}, text("nearby")),
      make("div", { class: "row" }, repairs, changes, variants),
      this.progress.element,
      this.problem,
      this.sentence,
      this.found,
    );
  }

  /**
   * Look from here: a rulebook that may be tried.
   * @param {string} toml
   * @param {boolean} hasVariants
   */
  begin(toml, hasVariants) {
    if (toml !== this.toml) this.clear();
    this.toml = toml;
    show(this.variants, hasVariants);
  }

  clear() {
    this.asked.abort();
    this.progress.stop();
    show(this.problem, false);
    this.sentence.textContent = "";
    fill(this.found);
  }

  /**
   * Look for rulebooks close by; with `all`, repairs have to mend what nobody promised, too.
   * @param {typeof KINDS[number]} kind
   */
  async search(kind, all = false) {
    this.clear();
    this.asked = new AbortController();
    const { signal } = this.asked;
    this.progress.start(() => this.clear());
    try {
      await listen(
        `/api/design/${kind}`,
        { toml: this.toml, ...(all ? { all } : {}) },
        (message) => this.hear(kind, message),
        { signal },
      );
    } catch (error) {
      if (isGivenUp(error)) return;
      this.problem.textContent = sentenceOf(error);
      show(this.problem, true);
    }
    this.progress.stop();
  }

  /**
   * @param {typeof KINDS[number]} kind
   * @param {Exclude<DesignMessage, WorkError>} message
   */
  hear(kind, message) {
    if (message.type === "progress") this.progress.tell(message);
    if (message.type !== "rulebooks") return;
    this.sentence.textContent = message.sentence;
    say(message.sentence || text("foundCount", { count: message.rulebooks.length }));
    if (message.unpromised) {
      const onclick = () => this.search("repairs", true);
      fill(
        this.found,
        make("button", { type: "button", class: "quiet", onclick }, text("repairThose")),
      );
      return;
    }
    fill(
      this.found,
      ...(kind === "changes"
        ? this.changes(message.rulebooks)
        : [
            make(
              "div",
              { class: "nearby-cards" },
              ...message.rulebooks.map((one) => this.card(one)),
            ),
          ]),
    );
  }

  /** @param {NearbyRulebook} one */
  use(one) {
    return make(
      "button",
      {
        type: "button",
        class: "quiet small",
        onclick: () =>
          this.take(one.variant === undefined ? { set: one.set } : { variant: one.variant }),
      },
      text("useThis"),
      make("span", { class: "unseen" }, `: ${one.changes.join("; ")}`),
    );
  }

  /**
   * A rulebook with its track.
   * @param {NearbyRulebook} one
   */
  card(one) {
    const name = one.changes.join("; ");
    const board = new Board({ small: true, label: text("boardOf", { title: name }) });
    board.show(one.board);
    const verdicts = one.rulings.map(({ property, verdict, why }) =>
      make(
        "li",
        { class: `chip ${verdict.replace(/\W/g, "-")}`, title: why },
        property,
        make("span", { class: "unseen" }, `: ${verdict}`),
      ),
    );
    return make(
      "article",
      { class: "nearby-card" },
      make("h3", {}, name),
      board.element,
      ...one.sentences.map((sentence) => make("p", { class: "quietly" }, sentence)),
      make("p", {}, one.sentence),
      one.fair ? make("p", {}, text("fairSeats")) : null,
      verdicts.length ? make("ul", { class: "chips" }, ...verdicts) : null,
      this.use(one),
    );
  }

  /**
   * Single changes by their effect; those that make no difference are folded.
   * @param {NearbyRulebook[]} rulebooks
   */
  changes(rulebooks) {
    return EFFECTS.map((effect) => ({
      effect,
      some: rulebooks.filter((one) => one.effect === effect),
    }))
      .filter(({ some }) => some.length)
      .map(({ effect, some }) =>
        make(
          "details",
          { open: effect !== "none" },
          make("summary", {}, text(`effect-${effect}`, { count: some.length })),
          make("div", { class: "change-tables" }, ...this.tables(some)),
        ),
      );
  }

  /**
   * A table for each key that is changed.
   * @param {NearbyRulebook[]} rulebooks
   */
  tables(rulebooks) {
    /** @type {Map<string, NearbyRulebook[]>} */
    const groups = new Map();
    for (const one of rulebooks) groups.set(one.about, [...(groups.get(one.about) ?? []), one]);
    const heads = /** @type {const} */ (["change", "value", "useThis"]).map((key) =>
      make("th", { scope: "col" }, text(key)),
    );
    return [...groups].map(([about, some]) =>
      make(
        "table",
        { class: "changes" },
        make("caption", {}, textOr(`key-${about}`, about)),
        make(
          "thead",
          { class: "unseen" },
          make("tr", {}, ...heads.map((head) => head.cloneNode(true))),
        ),
        make(
          "tbody",
          {},
          ...some.map((one) =>
            make(
              "tr",
              {},
              make("td", {}, shortened(one)),
              make("td", {}, one.short),
              make("td", {}, this.use(one)),
            ),
          ),
        ),
      ),
    );
  }

  leave() {
    this.asked.abort();
  }
}

/**
 * A single change without what it is about, which stands above it.
 * @param {NearbyRulebook} change
 */
function shortened({ about, changes: [change] }) {
  return change.replace(new RegExp(`^${about.replace(".", "\\.")}[= ]`), "");
}
