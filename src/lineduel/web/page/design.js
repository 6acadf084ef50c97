/** Design a rulebook: a form beside a board, and what the rules are worth with every change. */

import { post } from "./api.js";
import { Board } from "./board.js";
import { BoardInput } from "./board_input.js";
import { catalogue } from "./catalogue.js";
import { askInMiddle } from "./dialogs.js";
import { fill, make, say, show } from "./dom.js";
import { beginGame } from "./home.js";
import { RulebookForm } from "./rulebook_form.js";
import { shareLink } from "./share.js";
import { text } from "./texts.js";
import { drawMeter } from "./value_meter.js";

const PAUSE = 350;

export async function open(main) {
  const { games } = await catalogue();
  const page = new DesignPage(games);
  fill(main, page.element);
  await page.begin();
  return () => page.leave();
}

class DesignPage {
  constructor(games) {
    this.games = games;
    this.asked = new AbortController();
    this.form = new RulebookForm(() => this.changed());
    this.board = new Board();
    this.input = new BoardInput(this.board, () => {}); // to look at, cell by cell
    this.problem = make("p", { class: "problem", role: "alert", hidden: true });
    this.meter = make("div", { class: "meter-box" });
    this.sentence = make("p", { class: "sentence" });
    this.difference = make("p", { class: "happened" });
    this.rules = make("div", { class: "summary" });
    this.verdicts = make("ul", { class: "verdicts" });
    this.element = make(
      "div",
      { class: "duel" },
      make("div", { class: "duel-head" }, make("h1", { class: "duel-title" }, text("navDesign")), this.picker()),
      make(
        "div",
        { class: "designer" },
        make("section", { class: "panel" }, this.form.element),
        make(
          "div",
          { class: "duel" },
          make("div", { class: "stage" }, this.board.element),
          this.meter,
          make("div", { class: "call" }, this.sentence, this.difference),
          this.problem,
          this.actions(),
          make("section", { class: "panel" }, make("h2", {}, text("verdicts")), this.verdicts),
          make("section", { class: "panel" }, make("h2", {}, text("inWords")), this.rules),
        ),
      ),
    );
  }

  /** A game, or one of its variants, to begin with. */
  picker() {
    const options = this.games.flatMap((game) => [
      make("option", { value: game.id }, game.title),
      ...game.variants.map((one) => make("option", { value: `${game.id}:${one.name}` }, text("variantName", { title: game.title, variant: one.name }))),
    ]);
    const picker = make("select", { "aria-label": text("beginWith"), onchange: () => this.takeGame(picker.value) }, ...options);
    return picker;
  }

  async takeGame(name) {
    const [game, variant] = name.split(":");
    try {
      const { rulebook } = await post("/api/rules", { game, ...(variant ? { variant } : {}) });
      await this.take(rulebook);
    } catch (error) {
      this.complain(error.message);
    }
  }

  actions() {
    const action = (key, onclick, kind = "quiet") => make("button", { type: "button", class: kind, onclick }, text(key));
    return make(
      "div",
      { class: "actions" },
      action("tryIt", () => this.tryIt(), "primary"),
      action("shareIt", () => this.share()),
      action("downloadToml", () => this.download()),
    );
  }

  /** The rulebook of the address, or the first game. */
  async begin() {
    const shared = await unpacked(location.hash.slice(1));
    if (shared) {
      try {
        const { rulebook } = await post("/api/rules", { toml: shared });
        await this.take(rulebook);
        return;
      } catch (error) {
        this.complain(error.message);
      }
    }
    await this.take(this.games[0].rulebook);
  }

  take(rulebook) {
    this.form.fill(rulebook);
    this.before = null;
    return this.look();
  }

  changed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(), PAUSE);
  }

  complain(sentence) {
    this.problem.textContent = sentence;
    show(this.problem, Boolean(sentence));
  }

  /** Ask what the rules are worth now; an answer to an older question is dropped. */
  async look() {
    this.asked.abort();
    this.asked = new AbortController();
    const { signal } = this.asked;
    const toml = this.form.toml();
    history.replaceState(null, "", `/design#${await packed(toml)}`);
    try {
      const { valid, problems } = await post("/api/validate", { toml }, { signal });
      const others = this.form.complain(problems);
      this.complain(others.map(({ key, holds, allowed }) => `${key}: ${text("problem", { holds, allowed })}`).join("\n"));
      if (!valid) return;
      const page = await post("/api/rules", { toml }, { signal });
      await this.board.show(page.board);
      this.input.offer([]);
      fill(this.rules, ...page.rules.map((sentence) => make("p", {}, sentence)));
      await this.value(toml, signal);
      await this.judge(toml, signal);
    } catch (error) {
      if (error.name !== "AbortError") this.complain(error.message);
    }
  }

  async value(toml, signal) {
    this.sentence.textContent = text("loading");
    const { value, sentence } = await post("/api/study", { toml }, { signal });
    fill(this.meter, value ? drawMeter(value) : null);
    this.sentence.textContent = sentence;
    const isOther = this.before && this.before !== sentence;
    this.difference.textContent = isOther ? text("wasBefore", { sentence: this.before }) : "";
    if (isOther || !this.before) say(sentence);
    this.before = sentence;
  }

  async judge(toml, signal) {
    this.verdicts.setAttribute("aria-busy", "true");
    const { audit } = await post("/api/audit", { toml, all: true }, { signal });
    this.verdicts.removeAttribute("aria-busy");
    fill(
      this.verdicts,
      ...audit.claims.map((claim) =>
        make("li", { class: `verdict ${claim.verdict.replace(/\W/g, "-")}` }, make("strong", {}, claim.property), make("span", { class: "badge" }, claim.verdict), make("p", {}, claim.why)),
      ),
    );
  }

  async tryIt() {
    try {
      await beginGame({ toml: this.form.toml() });
    } catch (error) {
      this.complain(error.message);
    }
  }

  share() {
    askInMiddle(text("shareIt"), { inside: shareLink({ link: location.href, label: text("linkToRules"), title: text("navDesign"), withCode: true }) });
  }

  download() {
    const link = make("a", { href: URL.createObjectURL(new Blob([this.form.toml()], { type: "application/toml" })), download: "rulebook.toml" });
    link.click();
    URL.revokeObjectURL(link.href);
  }

  leave() {
    this.asked.abort();
    clearTimeout(this.timer);
  }
}

/** A text for the fragment of an address, made short. */
async function packed(plain) {
  const stream = new Blob([plain]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The text of a fragment; empty where there is none, or it is damaged. */
async function unpacked(fragment) {
  if (!fragment) return "";
  try {
    const bytes = Uint8Array.from(atob(fragment.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return await new Response(stream).text();
  } catch {
    return "";
  }
}
