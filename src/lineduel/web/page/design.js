/** Design a rulebook: a form and its text beside a board, and what the rules are worth with every change. */

import { get, isGivenUp, listen, post, sentenceOf } from "./api.js";
import { catalogue } from "./catalogue.js";
import { DesignForm, grouped, problemInWords } from "./design_form.js";
import { NearbyRulebooks } from "./design_nearby.js";
import { WorkProgress } from "./design_progress.js";
import { TrialBoard } from "./design_trial.js";
import { askInMiddle } from "./dialogs.js";
import { fill, make, pill, say, show, styled } from "./dom.js";
import { SIDES } from "./faces.js";
import { gameOptions } from "./game_picker.js";
import { beginGame } from "./home.js";
import { forgetDesign, keepDesign, keptDesigns } from "./my_designs.js";
import { settings } from "./settings.js";
import { shareLink } from "./share.js";
import { text, textOr } from "./texts.js";
import { drawMeter } from "./value_meter.js";
import { inTotal, kindOf, propertyName } from "./verdicts.js";

/** @import { DesignChoice, DesignDocument, DesignForm as Described } from "./documents.js" */
/** @import { DesignMessage, FormerVerdicts, FoundValue, ProblemDocument } from "./documents.js" */
/** @import { ShownGame, ShownVerdict, WorkError } from "./documents.js" */
/** @import { Changes } from "./design_nearby.js" */
/** @import { SideId } from "./faces.js" */
/** @import { TextKey } from "./texts.js" */

/** What the list of designs has besides games: a new one, and those of this browser. */
const NEW = "new:";
const OWN = "own:";

const PAUSE = 250;
const PATIENCE = 500;
const FIRST_LEVEL = "level:3";
/** How many mistakes are told beside the board; the others are told in their places. */
const MOST_TOLD = 2;
const TABS = /** @type {const} */ (["board", "rules", "verdicts"]);
/** What a new design begins with: two runners on seven cells. */
const BLANK = `title = "My duel"
summary = "Be the first to reach the other end."

[track]
first = 1
last = 7

[player1]
pieces = { A = 1 }
goal = [7]

[player2]
pieces = { B = 7 }
goal = [1]

[turn]
first = "player1"

[move]
steps = [1, 2]

[meet]
enemy = "sent home"
`;

/** @param {HTMLElement} main */
export async function open(main) {
  const [{ games }, described] = await Promise.all([
    catalogue(),
    get("/api/design/form", {}),
    styled("/page/design.css"),
  ]);
  const page = new DesignPage(games, described);
  fill(main, page.element);
  await page.begin();
  const opened = () => location.pathname === "/design" && page.begin();
  addEventListener("hashchange", opened);
  return () => {
    removeEventListener("hashchange", opened);
    page.leave();
  };
}

class DesignPage {
  /**
   * @param {ShownGame[]} games
   * @param {Described} described
   */
  constructor(games, described) {
    this.games = games;
    this.asked = new AbortController();
    /** @type {FormerVerdicts | null} */
    this.former = null;
    /** @type {DesignDocument | null} */
    this.shown = null;
    /** @type {DesignDocument | null} The rulebook before the track was resized. */
    this.unsized = null;
    /** @type {DesignDocument | null} The last rulebook without mistakes. */
    this.valid = null;
    /** @type {string[]} */
    this.earlier = [];
    /** @type {string | null} Which of your designs this is. */
    this.design = null;
    /** The title of the game that was begun with; a changed one gets its own. */
    this.template = "";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.form = new DesignForm(described, () =>
      this.soon(() => {
        const wanted = { rulebook: this.form.rulebook(), toml: this.toml.value };
        const resized = resizing(this.unsized, this.shown?.rulebook, wanted.rulebook);
        if (resized) this.try(resized, { isResized: true, orElse: wanted });
        else this.try(wanted, { from: "form" });
      }),
    );
    this.trial = new TrialBoard((sentence) => this.complain(sentence), {
      home: (piece, cell) => this.settle(piece, cell),
      goal: (side, cell) => this.toggleGoal(side, cell),
    });
    this.nearby = new NearbyRulebooks((changes) => this.takeOver(changes));
    this.progress = new WorkProgress();
    this.problem = make("p", { class: "problem", role: "alert", hidden: true });
    this.meter = make("div", { class: "meter-box" });
    this.sentence = make("p", { class: "sentence", tabindex: -1 });
    this.difference = make("p", { class: "difference" });
    this.rules = make("div", { class: "summary" });
    this.verdicts = make("ul", { class: "verdicts", "data-wait": text("testing") });
    this.toml = make("textarea", {
      class: "toml",
      rows: 30,
      spellcheck: "false",
      autocomplete: "off",
      "aria-label": text("asToml"),
      "aria-describedby": "toml-problems",
      oninput: () => this.soon(() => this.try({ toml: this.toml.value }, { from: "text" })),
    });
    this.problems = make("ul", { class: "toml-problems", id: "toml-problems" });
    this.gutter = make("div", { class: "gutter", "aria-hidden": "true" });
    this.toml.addEventListener("scroll", () => {
      this.gutter.scrollTop = this.toml.scrollTop;
    });
    this.written = make(
      "div",
      { class: "written", hidden: true },
      this.problems,
      make("div", { class: "toml-box" }, this.gutter, this.toml),
    );
    this.undo = make(
      "button",
      {
        type: "button",
        class: "quiet small",
        "aria-disabled": "true",
        onclick: () => this.goBack(),
      },
      text("undoChange"),
    );
    this.picked = this.picker();
    this.report = make("a", { class: "quiet button" }, text("audit"));
    /** @type {HTMLButtonElement[]} What needs a rulebook without mistakes. */
    this.playable = [];
    this.outdated = make("p", { class: "outdated-note" }, text("outdatedVerdicts"));
    this.playing = make(
      "button",
      {
        type: "button",
        class: "primary",
        "aria-label": text("playComputer"),
        onclick: () => this.play(this.level),
      },
      text("navPlay"),
    );
    this.acting = this.actions();
    this.total = make("p", { class: "verdict-total" });
    this.remove = make(
      "button",
      { type: "button", class: "quiet small", hidden: true, onclick: () => this.forget() },
      text("forgetDesign"),
    );
    this.more = make(
      "div",
      { class: "design-more" },
      make(
        "section",
        { class: "panel verdicts-panel" },
        make("h2", {}, text("verdicts")),
        this.outdated,
        this.total,
        this.verdicts,
      ),
      this.nearby.element,
      make("section", { class: "panel" }, make("h2", {}, text("inWords")), this.rules),
    );
    this.element = make(
      "div",
      { class: "duel" },
      make(
        "div",
        { class: "duel-head" },
        make("h1", { class: "duel-title" }, text("navDesign")),
        this.picked,
        this.undo,
        this.remove,
        make("a", { class: "quiet-link", href: "/gallery" }, text("gallery")),
      ),
      make(
        "div",
        { class: "designer", "data-tab": "board" },
        make("div", { class: "design-trial" }, this.problem, this.trial.element),
        make(
          "section",
          { class: "worth", "aria-label": text("worth") },
          this.meter,
          this.sentence,
          this.difference,
          this.progress.element,
        ),
        this.acting,
        make(
          "section",
          { class: "panel design-rules", "aria-label": text("navDesign") },
          this.views(),
          this.form.element,
          this.written,
        ),
        this.more,
      ),
      this.tabs(),
    );
  }

  /** On narrow screens one part is shown at a time, and Play is always in sight. */
  tabs() {
    this.tabButtons = TABS.map((tab) =>
      make(
        "button",
        {
          type: "button",
          class: "tab",
          "aria-pressed": `${tab === "board"}`,
          onclick: () => {
            this.openTab(tab);
            scrollTo(0, 0);
          },
        },
        text(`tab-${tab}`),
      ),
    );
    return make(
      "div",
      { class: "design-tabs", role: "group", "aria-label": text("tabs") },
      ...this.tabButtons,
      this.playing,
    );
  }

  /** @param {typeof TABS[number]} tab */
  openTab(tab) {
    this.element.querySelector(".designer")?.setAttribute("data-tab", tab);
    for (const [index, one] of this.tabButtons?.entries() ?? [])
      one.setAttribute("aria-pressed", `${TABS[index] === tab}`);
  }

  get level() {
    return settings.opponent.startsWith("level:") ? settings.opponent : FIRST_LEVEL;
  }

  /**
   * Give a piece another home.
   * @param {string} piece
   * @param {number} cell
   */
  settle(piece, cell) {
    for (const key of ["player1.pieces", "player2.pieces"]) {
      const pieces = this.form.value(key);
      if (pieces && typeof pieces === "object" && piece in pieces)
        this.form.set(key, { ...pieces, [piece]: cell });
    }
  }

  /**
   * Make a cell a goal, or none.
   * @param {SideId} side
   * @param {number} cell
   */
  toggleGoal(side, cell) {
    const key = side === "P1" ? "player1.goal" : "player2.goal";
    const goal = this.form.value(key);
    const cells = Array.isArray(goal) ? goal : [];
    const others = cells.filter((one) => one !== cell);
    const next = others.length < cells.length ? others : [...cells, cell];
    this.form.set(
      key,
      next.sort((one, other) => one - other),
    );
  }

  /** A new design, one of yours, or a game or one of its variants to begin with. */
  picker() {
    const picker = make("select", {
      "aria-label": text("beginWith"),
      onchange: () => void this.take(picker.value),
    });
    return picker;
  }

  /**
   * What can be chosen; `chosen` is what is shown now.
   * @param {string} chosen
   */
  offerDesigns(chosen) {
    const designs = keptDesigns();
    const group = (/** @type {TextKey} */ key, /** @type {HTMLElement[]} */ options) =>
      options.length ? make("optgroup", { label: text(key) }, ...options) : null;
    fill(
      this.picked,
      make("option", { value: "", hidden: true }, text("yourRulebook")),
      make("option", { value: NEW }, text("newDesign")),
      group(
        "myDesigns",
        designs.map(({ id, title }) => make("option", { value: OWN + id }, title)),
      ),
      group("templates", gameOptions(this.games)),
    );
    this.picked.value = chosen;
    show(this.remove, chosen.startsWith(OWN));
  }

  /** @param {string} name */
  take(name) {
    this.former = null;
    this.design = null;
    this.template = "";
    if (name === NEW) return this.try({ toml: BLANK }, { isNew: true });
    const own = keptDesigns().find((one) => OWN + one.id === name);
    if (own) {
      this.design = own.id;
      return this.try({ packed: own.packed }, { isNew: true });
    }
    const [game, variant] = name.split(":");
    return this.try({ game, ...(variant ? { variant } : {}) }, { isNew: true });
  }

  /** Keep a changed rulebook among your designs.
   * @param {DesignDocument} found
   */
  keep({ title, packed }) {
    this.design ??= `${Date.now()}`;
    keepDesign({ id: this.design, title, packed });
  }

  forget() {
    if (this.design) forgetDesign(this.design);
    return this.take(NEW);
  }

  /** The form, or the text of the file. */
  views() {
    const [form, toml] = [
      pill("view", text("asForm"), true, () => this.editAs(false)),
      pill("view", text("asToml"), false, () => this.editAs(true)),
    ];
    this.asText = toml.querySelector("input");
    return make(
      "fieldset",
      { class: "views" },
      make("legend", { class: "unseen" }, text("editAs")),
      make("div", { class: "pills" }, form, toml),
    );
  }

  /** @param {boolean} written Whether as text. */
  editAs(written) {
    show(this.form.element, !written);
    show(this.written, written);
    if (written && this.asText) this.asText.checked = true;
    if (written) this.gutter.scrollTop = this.toml.scrollTop;
  }

  actions() {
    /**
     * @param {TextKey} key
     * @param {() => unknown} onclick
     */
    const action = (key, onclick, kind = "quiet") =>
      make("button", { type: "button", class: kind, onclick }, text(key));
    this.playable = [
      this.playing,
      action("playComputer", () => this.play(this.level), "primary"),
      action("playFriend", () => this.play("friend")),
    ];
    const file = make("input", {
      type: "file",
      accept: ".toml,text/plain",
      class: "unseen",
      onchange: () => void this.openFile(file),
    });
    return make(
      "div",
      { class: "actions design-actions" },
      ...this.playable.slice(1),
      action("shareIt", () => this.share()),
      action("downloadToml", () => this.download()),
      make("label", { class: "quiet button" }, file, text("ownFile")),
      this.report,
    );
  }

  /** The rulebook of the address, or the first game. */
  begin() {
    const packed = location.hash.slice(1);
    if (packed && packed === this.shown?.packed) return undefined;
    this.former = null;
    this.design = keptDesigns().find((one) => one.packed === packed)?.id ?? null;
    return packed
      ? this.try({ packed }, { isNew: true, orElse: { game: this.games[0].id } })
      : this.try({ game: this.games[0].id }, { isNew: true });
  }

  /**
   * Take what somebody types once they pause.
   * @param {() => void} work
   */
  soon(work) {
    clearTimeout(this.timer);
    this.timer = setTimeout(work, PAUSE);
  }

  /** @param {string} sentence */
  complain(sentence) {
    this.problem.textContent = sentence;
    show(this.problem, Boolean(sentence));
  }

  /**
   * Try a rulebook; an answer to an older question is dropped. `from` is where somebody typed it,
   * `isNew` begins with another one, and `isUndo` goes back to the one before.
   * @param {DesignChoice} wanted
   * @param {{ from?: "form" | "text", isNew?: boolean, isUndo?: boolean, isResized?: boolean, orElse?: DesignChoice }} [how]
   * @returns {Promise<void>}
   */
  async try(wanted, { from, isNew = false, isUndo = false, isResized = false, orElse } = {}) {
    clearTimeout(this.timer);
    this.asked.abort();
    this.asked = new AbortController();
    const { signal } = this.asked;
    try {
      let found = await post("/api/design", wanted, { signal });
      this.complain("");
      const isRenamed = !isNew && from !== "text" && found.valid && found.title === this.template;
      if (isRenamed) {
        const title = text("myVersion", { title: found.title });
        const rulebook = { ...found.rulebook, title };
        found = await post("/api/design", { rulebook, toml: found.toml }, { signal });
      }
      if (isNew) this.template = wanted.game ? found.title : "";
      const moved = isResized ? followed(this.shown?.rulebook, found.rulebook) : "";
      this.remember(found, isNew, isUndo);
      if (!isResized && found.valid) this.unsized = found;
      if (found.valid) this.valid = found;
      if (!isNew && found.valid) this.keep(found);
      this.offerDesigns(
        this.design
          ? OWN + this.design
          : wanted.game
            ? [wanted.game, wanted.variant].filter(Boolean).join(":")
            : "",
      );
      if (from !== "text") this.toml.value = found.toml;
      if ((from !== "form" || isRenamed) && found.rulebook) this.form.fill(found.rulebook);
      this.form.tell("track.last", moved);
      await this.present(found);
      if (found.valid) await this.judge(found.toml, signal);
    } catch (error) {
      if (isGivenUp(error)) return;
      if (orElse) await this.try(orElse, isResized ? { from: "form" } : { isNew: true });
      if (isResized) return; // the form has said what is wrong
      this.complain(sentenceOf(error));
    }
  }

  /**
   * Keep what was shown until now, to go back to it.
   * @param {DesignDocument} found
   * @param {boolean} isNew
   * @param {boolean} isUndo
   */
  remember(found, isNew, isUndo) {
    if (isNew) this.earlier = [];
    else if (!isUndo && this.shown && this.shown.toml !== found.toml)
      this.earlier.push(this.shown.toml);
    this.shown = found;
    this.undo.setAttribute("aria-disabled", `${!this.earlier.length}`);
  }

  /** @param {DesignDocument} found */
  async present(found) {
    history.replaceState(null, "", `/design#${found.packed}`);
    document.title = text("designing", { title: found.title });
    this.report.href = `/audit?rulebook=${found.packed}`;
    this.tellProblems(found.problems);
    this.element.classList.toggle("stale", !found.start);
    this.more.inert = !found.start;
    this.report.inert = !found.start;
    for (const button of this.playable) button.disabled = !found.start;
    this.outdated.textContent = text(found.start ? "outdatedVerdicts" : "staleVerdicts");
    this.element.classList.add("outdated", "outdated-worth");
    if (!found.start) {
      this.progress.stop();
      this.verdicts.removeAttribute("aria-busy");
      return;
    }
    this.difference.textContent = this.former ? text("outdatedWorth") : "";
    fill(this.rules, ...found.rules.map((sentence) => make("p", {}, sentence)));
    this.nearby.begin(found.toml, found.variants.length > 0);
    await this.trial.begin(found.start, found.toml);
  }

  /** @param {ProblemDocument[]} found */
  tellProblems(found) {
    const problems = grouped(found);
    this.form.complain(problems);
    /** @param {ProblemDocument} problem */
    const told = (problem) => {
      const words = problemInWords(problem);
      return problem.key === "not TOML" ? words : `${problem.key}: ${words}`;
    };
    if (problems.length)
      fill(
        this.difference,
        make("strong", {}, text("hasMistakes")),
        ...problems
          .slice(0, MOST_TOLD)
          .map((one) =>
            make(
              "button",
              { type: "button", class: "step", onclick: () => this.goToProblem(one) },
              problemOfKey(one),
            ),
          ),
        make("span", {}, text("asBefore")),
      );
    const { valid, shown } = this;
    const repair = problems.length ? resizing(valid, valid?.rulebook, shown?.rulebook) : null;
    fill(
      this.problems,
      ...problems.map((one) =>
        make(
          "li",
          {},
          make(
            "button",
            { type: "button", class: "step", onclick: () => this.goToLine(one.line) },
            text("inLine", { line: one.line, problem: told(one) }),
          ),
        ),
      ),
    );
    if (repair)
      this.problems.append(
        make(
          "li",
          {},
          make(
            "button",
            {
              type: "button",
              class: "quiet small",
              onclick: () => this.try(repair, { isResized: true }),
            },
            text("followTrack"),
          ),
        ),
      );
    this.number(problems.map((one) => one.line));
    if (problems.length) {
      this.showLine(problems[0].line);
      say(told(problems[0]));
    }
  }

  /**
   * Go to what is wrong, in the text or in the form, whichever is open.
   * @param {ProblemDocument} problem
   */
  goToProblem(problem) {
    this.openTab("rules");
    if (this.written.hidden && this.form.goTo(problem)) return;
    this.editAs(true);
    this.goToLine(problem.line);
  }

  /**
   * Number the lines of the text, and mark those with a mistake.
   * @param {(number | null)[]} wrong
   */
  number(wrong) {
    const count = this.toml.value.split("\n").length;
    fill(
      this.gutter,
      ...Array.from({ length: count }, (_, index) =>
        make("span", { class: wrong.includes(index + 1) ? "wrong" : "" }, `${index + 1}`),
      ),
    );
    this.gutter.scrollTop = this.toml.scrollTop;
  }

  /**
   * Select a line of the text.
   * @param {number | null} line
   */
  goToLine(line) {
    const lines = this.toml.value.split("\n");
    const at = Math.min(lines.length, Math.max(1, line ?? 1)) - 1;
    const start = lines.slice(0, at).join("\n").length + (at ? 1 : 0);
    this.toml.focus();
    this.toml.setSelectionRange(start, start + lines[at].length);
    this.showLine(at + 1);
    this.toml.scrollIntoView({ block: "nearest" });
  }

  /**
   * Scroll the text to a line that is out of sight.
   * @param {number} line
   */
  showLine(line) {
    const { toml } = this;
    const high = toml.scrollHeight / toml.value.split("\n").length;
    const top = (line - 1) * high;
    if (top < toml.scrollTop || top + high > toml.scrollTop + toml.clientHeight)
      toml.scrollTop = Math.max(0, top - 3 * high);
  }

  /**
   * Ask who wins and which claims hold; the answer comes in parts.
   * @param {string} toml
   * @param {AbortSignal} signal
   */
  async judge(toml, signal) {
    const slow = setTimeout(() => this.progress.start(), PATIENCE);
    this.verdicts.setAttribute("aria-busy", "true");
    try {
      const body = { toml, ...(this.former ? { before: this.former } : {}) };
      await listen("/api/design/verdicts", body, (message) => this.hear(message), { signal });
      this.verdicts.removeAttribute("aria-busy");
    } catch (error) {
      if (isGivenUp(error)) return;
      this.former = null;
      fill(this.verdicts);
      this.total.textContent = "";
      fill(this.meter);
      this.verdicts.removeAttribute("aria-busy");
      this.sentence.textContent = "";
      this.difference.textContent = "";
      this.complain(sentenceOf(error));
    } finally {
      clearTimeout(slow);
      if (!signal.aborted) this.progress.stop();
    }
  }

  /** @param {Exclude<DesignMessage, WorkError>} message */
  hear(message) {
    if (message.type === "progress") this.progress.tell(message);
    if (message.type === "value") this.tellValue(message);
    if (message.type !== "verdicts") return;
    this.tellValue(message.worth);
    this.difference.textContent = message.changed;
    say([message.worth.sentence, message.changed].filter(Boolean).join(" "));
    fill(this.verdicts, ...message.verdicts.map(verdictLine));
    this.total.textContent = inTotal(message.verdicts);
    this.element.classList.remove("outdated");
    this.former = {
      sentence: message.worth.sentence,
      verdicts: Object.fromEntries(message.verdicts.map((one) => [one.property, one.verdict])),
    };
  }

  /** @param {FoundValue} worth */
  tellValue({ value, sentence }) {
    this.difference.textContent = "";
    this.element.classList.remove("outdated-worth");
    if (this.sentence.textContent === sentence) return;
    fill(this.meter, drawMeter(value));
    this.sentence.textContent = sentence;
  }

  /**
   * Take over a repair, a single change or a variant.
   * @param {Changes} changes
   */
  async takeOver(changes) {
    this.sentence.focus();
    await this.try({ toml: this.shown?.toml, ...changes });
  }

  goBack() {
    const toml = this.earlier.pop();
    return toml === undefined ? undefined : this.try({ toml }, { isUndo: true });
  }

  /** @param {HTMLInputElement} file */
  async openFile(file) {
    const given = file.files?.[0];
    if (!given) return;
    this.former = null;
    await this.try({ toml: await given.text() }, { isNew: true });
    file.value = "";
  }

  /** @param {string} opponent */
  async play(opponent) {
    try {
      await beginGame({ toml: this.shown?.toml, opponent });
    } catch (error) {
      this.complain(sentenceOf(error));
    }
  }

  share() {
    askInMiddle(text("shareIt"), {
      inside: shareLink({
        link: location.href,
        label: text("linkToRules"),
        title: this.shown?.title ?? "",
        withCode: true,
      }),
    });
  }

  download() {
    if (!this.shown) return;
    const name =
      this.shown.title
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, "-")
        .replace(/^-|-$/g, "") || "rulebook";
    const link = make("a", {
      href: URL.createObjectURL(new Blob([this.shown.toml], { type: "application/toml" })),
      download: `${name}.toml`,
    });
    link.click();
    URL.revokeObjectURL(link.href);
  }

  leave() {
    this.asked.abort();
    this.nearby.leave();
    clearTimeout(this.timer);
  }
}

/**
 * A claim and the verdict on it.
 * @param {ShownVerdict} claim
 */
function verdictLine({ property, says, claimed, verdict, why, changed }) {
  return make(
    "li",
    { class: `verdict ${kindOf(verdict)}${changed ? " changed" : ""}` },
    make("strong", {}, propertyName(property)),
    changed ? make("span", { class: "changed-mark" }, text("changed")) : null,
    make("span", { class: "badge" }, verdict),
    claimed ? make("p", { class: "says" }, text("claimed", { says })) : null,
    make("p", {}, why),
  );
}

/**
 * A problem with the name that its key has in the form.
 * @param {ProblemDocument} problem
 */
function problemOfKey(problem) {
  const { key } = problem;
  if (key === "not TOML")
    return text("inLine", { line: problem.line, problem: problemInWords(problem) });
  const [table, name] = key.split(".");
  const label = [textOr(`table-${table}`, ""), name ? textOr(`key-${table}.${name}`, name) : ""];
  return `${label.filter(Boolean).join(", ") || key}: ${problemInWords(problem)}`;
}

/**
 * Which pieces and goals went elsewhere when the track was resized; empty if none did.
 * @param {Record<string, any> | null | undefined} before
 * @param {Record<string, any> | null} after
 */
function followed(before, after) {
  const what = SIDES.flatMap((side, index) => {
    const [old, now] = [before, after].map((one) => one?.[`player${index + 1}`] ?? {});
    const pieces = Object.entries(now.pieces ?? {}).flatMap(([piece, to]) => {
      const from = old.pieces?.[piece];
      return from === to ? [] : [text("pieceFollowed", { piece, from, to })];
    });
    const cells = (now.goal ?? []).join(", ");
    const isMoved = cells !== (old.goal ?? []).join(", ");
    return isMoved ? [...pieces, text("goalsFollowed", { player: text(side), cells })] : pieces;
  });
  return what.length ? text("followed", { what: what.join("; ") }) : "";
}

/**
 * Pieces and goals follow the track: another last cell and nothing else is a resized rulebook. It
 * is made from the one before the first change of the track, so that no digit on the way spoils
 * anything; null for any other change.
 * @param {DesignDocument | null} origin
 * @param {Record<string, any> | null | undefined} before
 * @param {Record<string, any> | null | undefined} wanted
 * @returns {DesignChoice | null}
 */
function resizing(origin, before, wanted) {
  const last = wanted?.track?.last;
  if (!origin?.valid || !wanted || !Number.isInteger(last) || last === before?.track?.last)
    return null;
  const same = { ...wanted, track: { ...wanted.track, last: before?.track?.last } };
  if (JSON.stringify(same) !== JSON.stringify(before)) return null;
  return { toml: origin.toml, set: [`track.length=${last - wanted.track.first + 1}`] };
}
