/** Whether a rulebook keeps its promises: every claim with its verdict and what shows it. */

import { get, isGivenUp, listen, sentenceOf } from "./api.js";
import { Board } from "./board.js";
import { BoardInput } from "./board_input.js";
import { catalogue } from "./catalogue.js";
import { WorkProgress } from "./design_progress.js";
import { draw, fill, make, say, show, styled } from "./dom.js";
import { chipList, duelChips } from "./duel_chips.js";
import { GameReplay } from "./game_replay.js";
import { beginGame } from "./home.js";
import { text } from "./texts.js";
import { drawMeter } from "./value_meter.js";
import { inTotal, kindOf } from "./verdicts.js";

/** @import { DesignMessage, FoundAudit, FoundValue, ShownClaim, WorkError } from "./documents.js" */

const SIGNS = { proved: "✓", "holds in part": "~", refuted: "✗" };
/** Turns that the chart of lengths shows at most; more are put together. */
const MOST_BARS = 60;

/** @param {HTMLElement} main */
export async function open(main) {
  await Promise.all([styled("/page/gallery.css"), styled("/page/score_tables.css")]);
  const asked = new URLSearchParams(location.search);
  const [game, variant, packed] = ["game", "variant", "rulebook"].map((name) => asked.get(name));
  if (!game && !packed) {
    fill(main, await choice());
    return undefined;
  }
  const page = new AuditPage(packed ? { packed } : { game, variant });
  fill(main, page.element);
  page.ask();
  return () => page.leave();
}

/** The games that can be audited. */
async function choice() {
  const [{ games }, duels] = await Promise.all([
    catalogue(),
    get("/api/gallery", {}).catch(() => []),
  ]);
  /**
   * @param {string} title
   * @param {string} summary
   * @param {string} href
   */
  const entry = (title, summary, href) =>
    make("li", {}, make("a", { href }, title), make("p", { class: "quietly" }, summary));
  return make(
    "div",
    { class: "gallery" },
    make("h1", { class: "gallery-title" }, text("auditChoice")),
    make("p", { class: "lead" }, text("auditLead")),
    make(
      "ul",
      { class: "audit-choice" },
      ...games.map((one) => entry(one.title, one.summary, `/audit?game=${one.id}`)),
      ...duels.map((one) => entry(one.title, one.summary, `/audit?rulebook=${one.packed}`)),
    ),
    make("p", {}, make("a", { href: "/design" }, text("auditOwn"))),
  );
}

/** @typedef {{ game?: string | null, variant?: string | null, packed?: string }} Audited */

class AuditPage {
  /** @param {Audited} what */
  constructor(what) {
    this.what = what;
    this.asked = new AbortController();
    /** @type {GameReplay[]} */
    this.replays = [];
    this.progress = new WorkProgress();
    this.problem = make("p", { class: "problem", role: "alert", hidden: true });
    this.title = make("h1", { class: "duel-title" }, text("audit"));
    this.links = make("div", { class: "row" });
    this.meter = make("div", { class: "meter-box" });
    this.sentence = make("p", { class: "sentence" }, text("auditWait"));
    this.found = make("div", { class: "duel" });
    this.element = make(
      "div",
      { class: "duel audit" },
      make("div", { class: "duel-head" }, this.title, this.links),
      this.problem,
      make("div", { class: "worth" }, this.meter, this.sentence, this.progress.element),
      this.found,
    );
  }

  async ask() {
    this.progress.start();
    try {
      await listen("/api/design/audit", this.what, (message) => this.hear(message), {
        signal: this.asked.signal,
      });
    } catch (error) {
      if (isGivenUp(error)) return;
      this.sentence.textContent = "";
      this.complain(error);
    }
    this.progress.stop();
  }

  /** @param {unknown} error */
  complain(error) {
    this.problem.textContent = sentenceOf(error);
    show(this.problem, true);
  }

  /** @param {Exclude<DesignMessage, WorkError>} message */
  hear(message) {
    if (message.type === "progress") this.progress.tell(message);
    if (message.type === "value") this.tellValue(message);
    if (message.type === "audit") this.present(message);
  }

  /** @param {FoundValue} worth */
  tellValue({ value, sentence }) {
    fill(this.meter, drawMeter(value));
    this.sentence.textContent = sentence;
  }

  /** @param {FoundAudit} audit */
  present(audit) {
    const { title, summary, packed, board } = audit;
    const held = (/** @type {{ verdict: string }} */ { verdict }) => Number(verdict === "proved");
    const claims = [...audit.claims].sort((one, other) => held(one) - held(other)); // news first
    document.title = `${title} · ${text("audit")}`;
    this.title.textContent = text("auditOf", { title });
    const { game, variant } = this.what;
    const address = game
      ? new URLSearchParams({ game, ...(variant ? { variant } : {}) })
      : new URLSearchParams({ rulebook: packed });
    const begun = game ? { game, variant } : { toml: audit.toml };
    fill(
      this.links,
      make(
        "button",
        {
          type: "button",
          class: "primary",
          onclick: () => beginGame(begun).catch((error) => this.complain(error)),
        },
        text("navPlay"),
      ),
      make("a", { class: "quiet button", href: `/design#${packed}` }, text("openDesigner")),
      make(
        "a",
        { class: "quiet button", href: `/audit/report?${address}`, download: fileName(title) },
        text("saveReport"),
      ),
    );
    this.tellValue(audit.worth);
    const drawn = new Board();
    new BoardInput(drawn, () => {}); // to look at, cell by cell
    const names = claims.map(({ property }) => capital(property));
    fill(
      this.found,
      make("p", { class: "hold" }, inTotal(claims)),
      chipList(duelChips(audit.figures)),
      make("p", { class: "lead" }, summary),
      make("div", { class: "stage low" }, drawn.element),
      ...audit.notes.map((note) => make("p", { class: "quietly" }, note)),
      make(
        "details",
        { class: "panel folded" },
        make("summary", {}, text("inWords")),
        make("ul", { class: "rule-words" }, ...audit.rules.map((rule) => make("li", {}, rule))),
      ),
      make(
        "div",
        { class: "audit-body" },
        make(
          "nav",
          { class: "audit-list", "aria-label": text("claims") },
          make(
            "ol",
            {},
            ...claims.map(({ verdict }, index) =>
              make(
                "li",
                {},
                make(
                  "a",
                  {
                    class: kindOf(verdict),
                    href: `#claim-${index}`,
                    onclick: (event) => this.jump(event, index),
                  },
                  make("span", { "aria-hidden": "true" }, SIGNS[verdict]),
                  names[index],
                  make("span", { class: "unseen" }, `: ${verdict}`),
                ),
              ),
            ),
          ),
        ),
        make(
          "div",
          { class: "audit-claims" },
          ...claims.map((claim, index) => this.claim(claim, index, names[index])),
        ),
      ),
      ...more(audit),
    );
    drawn.show(board);
    say([this.sentence.textContent, inTotal(claims)].join(" "));
  }

  /**
   * Open a claim and go there; the address stays that of the audit.
   * @param {Event} event
   * @param {number} index
   */
  jump(event, index) {
    const claim = document.getElementById(`claim-${index}`);
    if (!(claim instanceof HTMLDetailsElement)) return;
    event.preventDefault();
    claim.open = true;
    claim.scrollIntoView({ block: "start" });
    claim.querySelector("summary")?.focus({ preventScroll: true });
  }

  /**
   * @param {ShownClaim} claim
   * @param {number} index
   * @param {string} name
   */
  claim(claim, index, name) {
    const { says, claimed, not_tested: beyond, verdict, why, evidence } = claim;
    const shown = make("div", { class: "audit-evidence" });
    return make(
      "details",
      {
        class: `panel folded claim ${kindOf(verdict)}`,
        id: `claim-${index}`,
        ontoggle: () => !shown.hasChildNodes() && this.prove(claim, shown),
      },
      make(
        "summary",
        {},
        make("span", { class: "sign", "aria-hidden": "true" }, SIGNS[verdict]),
        make("span", { class: "claim-name" }, name),
        make("span", { class: "badge" }, verdict),
        make("span", { class: "claim-why" }, why),
      ),
      make("p", {}, claimed ? text("claimed", { says }) : text("notClaimed")),
      beyond ? make("p", { class: "quietly" }, text("beyond", { beyond })) : null,
      make("p", { class: "quietly" }, evidence),
      shown,
    );
  }

  /**
   * The line of play or the position that shows it, drawn when somebody looks.
   * @param {ShownClaim} claim
   * @param {HTMLElement} place
   */
  async prove({ replay, board }, place) {
    if (replay) {
      const player = new GameReplay();
      this.replays.push(player);
      fill(place, player.element);
      await player.open({ ...replay, sentence: replay.turns.at(-1)?.text ?? "" });
    } else if (board) {
      const drawn = new Board();
      new BoardInput(drawn, () => {});
      fill(place, make("div", { class: "stage low" }, drawn.element));
      await drawn.show(board);
    }
  }

  leave() {
    this.asked.abort();
    for (const one of this.replays) one.leave();
  }
}

/**
 * First moves, lengths, players against themselves, rules that count and all figures, folded.
 * @param {FoundAudit} audit
 */
function more({ openings, lengths, equals, words, all_figures: figures }) {
  return [
    folded(
      text("openings"),
      table(
        [text("firstMove"), text("leadsTo")],
        openings.map((one) => [one.move, one.text]),
      ),
    ),
    folded(text("lengths"), make("p", { class: "quietly" }, text("lengthsLead")), chart(lengths)),
    folded(
      text("againstItself"),
      make("p", { class: "quietly" }, text("againstItselfLead")),
      table(
        [
          text("player"),
          text("seatOne"),
          text("seatTwo"),
          text("neverEnds"),
          text("turnsOnAverage"),
        ],
        equals.map((one) => [
          one.player,
          ...[one.win1, one.win2, one.endless].map(share),
          one.plies === null ? "–" : one.plies.toFixed(1),
        ]),
      ),
    ),
    folded(
      text("wordsCount"),
      make("p", { class: "quietly" }, text("wordsLead")),
      table(
        [text("word"), text("positions"), text("inBestPlay")],
        words.map((one) => [capital(one.word), grouped(one.positions), grouped(one.in_best_play)]),
      ),
    ),
    folded(
      text("allFigures"),
      table(
        [text("figure"), text("value"), text("meaning"), text("source")],
        figures.map((one) => [one.title, one.shown, capital(one.meaning), one.source]),
      ),
    ),
  ];
}

/**
 * @param {string} title
 * @param {...HTMLElement | SVGElement} inside
 */
function folded(title, ...inside) {
  return make("details", { class: "panel folded" }, make("summary", {}, title), ...inside);
}

/**
 * @param {string[]} heads
 * @param {string[][]} rows
 */
function table(heads, rows) {
  return make(
    "div",
    { class: "wide-table", tabindex: 0, role: "region", "aria-label": heads.join(", ") },
    make(
      "table",
      { class: "audit-table" },
      make("thead", {}, make("tr", {}, ...heads.map((one) => make("th", { scope: "col" }, one)))),
      make(
        "tbody",
        {},
        ...rows.map(([first, ...rest]) =>
          make(
            "tr",
            {},
            make("th", { scope: "row" }, first),
            ...rest.map((one) => make("td", {}, one)),
          ),
        ),
      ),
    ),
  );
}

/**
 * How likely each length of a game is, as bars.
 * @param {number[]} lengths
 */
function chart(lengths) {
  const wide = Math.max(1, Math.ceil(lengths.length / MOST_BARS));
  const bars = Array.from({ length: Math.ceil(lengths.length / wide) }, (_, index) =>
    lengths.slice(index * wide, (index + 1) * wide).reduce((sum, one) => sum + one, 0),
  );
  const most = Math.max(...bars, 0.001);
  const every = Math.max(1, Math.round(bars.length / 10));
  const likeliest = lengths.indexOf(Math.max(...lengths));
  return draw(
    "svg",
    {
      class: "length-chart",
      viewBox: "0 0 600 150",
      role: "img",
      "aria-label": text("likeliest", { turns: likeliest }),
    },
    ...bars.map((one, index) => {
      const height = (one / most) * 120;
      const width = 600 / bars.length;
      return draw("rect", {
        x: index * width + 1,
        y: 126 - height,
        width: width - 2,
        height,
        rx: 2,
      });
    }),
    ...bars.flatMap((_, index) =>
      index % every
        ? []
        : [
            draw(
              "text",
              { x: ((index + 0.5) * 600) / bars.length, y: 144, "text-anchor": "middle" },
              `${index * wide}`,
            ),
          ],
    ),
  );
}

/** @param {string} word */
function capital(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** @param {number} part */
function share(part) {
  return text("percent", { percent: Math.round(part * 100) });
}

/** @param {number} number */
function grouped(number) {
  return number.toLocaleString(text("language"));
}

/** @param {string} title */
function fileName(title) {
  return `${title.toLowerCase().replace(/[^a-z0-9]+/g, "-")}-audit.html`;
}
