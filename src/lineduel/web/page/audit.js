/** Whether a rulebook keeps its promises: every claim with its verdict and what shows it. */

import { get, isGivenUp, listen, sentenceOf } from "./api.js";
import { Board } from "./board.js";
import { BoardInput } from "./board_input.js";
import { WorkProgress } from "./design_progress.js";
import { draw, fill, make, pill, say, show, styled } from "./dom.js";
import { chipList, duelChips } from "./duel_chips.js";
import { GameReplay } from "./game_replay.js";
import { beginGame } from "./home.js";
import { text } from "./texts.js";
import { drawMeter } from "./value_meter.js";
import { inTotal, kindOf, propertyName } from "./verdicts.js";

/** @import { AuditedGame, DesignMessage, FoundAudit, FoundValue, ShownClaim, WorkError } from "./documents.js" */

const SIGNS = { proved: "✓", "holds in part": "~", refuted: "✗" };
/** Turns that the chart of lengths shows at most; more are put together. */
const MOST_BARS = 60;

/**
 * The address names a game, `flag-chase` or `flag-chase:may-stay`, or holds a rulebook.
 * @param {HTMLElement} main
 * @param {string} [id]
 */
export async function open(main, id) {
  await Promise.all([styled("/page/gallery.css"), styled("/page/score_tables.css")]);
  const asked = new URLSearchParams(location.search);
  const packed = asked.get("rulebook");
  const [game = asked.get("game"), variant = asked.get("variant")] = id?.split(":") ?? [];
  if (!game && !packed) {
    fill(main, await choice());
    return undefined;
  }
  const page = new AuditPage(packed ? { packed } : { game, variant });
  fill(main, page.element);
  page.ask();
  return () => page.leave();
}

/** Which games are listed. */
const SHOWN = /** @type {const} */ ({
  all: () => true,
  kept: (/** @type {AuditedGame} */ { kept, promised }) => kept === promised,
  broken: (/** @type {AuditedGame} */ { kept, promised }) => kept < promised,
});
const SHOWN_NAMES = /** @type {const} */ (["all", "kept", "broken"]);

/** The games that can be audited, with what is known of them. */
async function choice() {
  const games = await get("/api/audits", {});
  const list = make("ul", { class: "games" });
  const cards = games.map((game) => ({ game, element: auditCard(game) }));
  /** @param {typeof SHOWN_NAMES[number]} shown */
  const arrange = (shown) =>
    fill(list, ...cards.filter(({ game }) => SHOWN[shown](game)).map(({ element }) => element));
  arrange("all");
  return make(
    "div",
    { class: "gallery" },
    make("h1", { class: "gallery-title" }, text("auditChoice")),
    make("p", { class: "lead" }, text("auditLead")),
    make(
      "fieldset",
      { class: "audit-kinds" },
      make("legend", { class: "unseen" }, text("whichGames")),
      make(
        "div",
        { class: "pills" },
        ...SHOWN_NAMES.map((name) =>
          pill("audits", text(`audits-${name}`), name === "all", () => arrange(name)),
        ),
      ),
    ),
    list,
    make("p", {}, make("a", { href: "/design" }, text("auditOwn"))),
  );
}

/** @param {AuditedGame} game */
function auditCard({ id, title, summary, packed, board, kept, promised, figures }) {
  const drawn = new Board({ small: true, label: text("boardOf", { title }) });
  drawn.show(board);
  return make(
    "li",
    { class: kept === promised ? "game audit-card all" : "game audit-card" },
    make("div", { class: "game-board" }, drawn.element),
    make(
      "h2",
      { class: "card-title" },
      make(
        "a",
        { class: "card-link", href: packed ? `/audit?rulebook=${packed}` : `/audit/${id}` },
        title,
      ),
    ),
    make("p", { class: "kept" }, text("keptOf", { kept, promised })),
    make("p", { class: "card-summary" }, summary),
    chipList(duelChips(figures)),
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
    const [promised, others] = [true, false].map((kind) =>
      claims.filter(({ claimed }) => claimed === kind),
    );
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
      this.claims("promised", promised),
      this.claims("otherTests", others),
      ...more(audit),
    );
    drawn.show(board);
    say([this.sentence.textContent, inTotal(claims)].join(" "));
  }

  /**
   * Claims of one kind, under what there is to say about them together.
   * @param {"promised" | "otherTests"} kind
   * @param {ShownClaim[]} claims
   */
  claims(kind, claims) {
    if (!claims.length) return null;
    const proved = claims.filter(({ verdict }) => verdict === "proved").length;
    return make(
      "section",
      { class: "audit-claims" },
      make(
        "h2",
        {},
        text(kind),
        make("span", { class: "count" }, text("heldOf", { held: proved, total: claims.length })),
      ),
      ...claims.map((claim) => this.claim(claim)),
    );
  }

  /** @param {ShownClaim} claim */
  claim(claim) {
    const { property, says, claimed, not_tested: beyond, verdict, why, evidence } = claim;
    const shown = make("div", { class: "audit-evidence" });
    return make(
      "details",
      {
        class: `panel folded claim ${kindOf(verdict)}`,
        ontoggle: () => !shown.hasChildNodes() && this.prove(claim, shown),
      },
      make(
        "summary",
        {},
        make("span", { class: "sign", "aria-hidden": "true" }, SIGNS[verdict]),
        make("span", { class: "claim-name" }, propertyName(property)),
        make("span", { class: "badge" }, verdict),
        make("span", { class: "claim-why" }, why),
      ),
      claimed ? make("p", {}, text("claimed", { says })) : null,
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
