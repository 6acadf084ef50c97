/** All games of this browser, running and finished. The keys of the seats stay here. */

import { get, post, sentenceOf } from "./api.js";
import { Board } from "./board.js";
import { askInMiddle } from "./dialogs.js";
import { fill, make, pill, show } from "./dom.js";
import { inShort, seriesWith } from "./game_state.js";
import { go } from "./router.js";
import { exported, forget, imported, known, remember } from "./seats.js";
import { text } from "./texts.js";

/** @import { KnownGame } from "./seats.js" */

/** How many running games are asked about at once. */
const ASKED = 12;
/** How many games are listed before somebody asks for more. */
const LISTED = 20;
/** How many of the latest results of a game are drawn. */
const RESULTS = 10;

/** How a day is written. @type {Intl.DateTimeFormatOptions} */
const DAY = { day: "numeric", month: "short" };

/** Which games are shown, by the name of the choice. */
const SHOWN = {
  /** @param {KnownGame} _ */
  all: (_) => true,
  /** @param {KnownGame} game */
  running: ({ over }) => !over,
  /** @param {KnownGame} game */
  won: ({ outcome }) => outcome === "won",
  /** @param {KnownGame} game */
  lost: ({ outcome }) => outcome === "lost",
};

/** @param {HTMLElement} main */
export function open(main) {
  const page = new MyGames();
  fill(main, page.element);
  page.refresh();
}

class MyGames {
  constructor() {
    /** @type {keyof typeof SHOWN} */
    this.shown = "all";
    this.most = LISTED;
    this.problem = make("p", { class: "problem", role: "alert", hidden: true });
    this.records = make("ul", { class: "records", "aria-label": text("records") });
    this.lists = make("div", { class: "game-lists" });
    this.choice = make(
      "div",
      { class: "pills", role: "group", "aria-label": text("whichGames") },
      /** @type {(keyof typeof SHOWN)[]} */ (Object.keys(SHOWN)).map((name) =>
        pill("which-games", text(`games-${name}`), name === "all", () => {
          this.shown = name;
          this.list();
        }),
      ),
    );
    this.element = make(
      "div",
      { class: "my-games" },
      make("h1", {}, text("navGames")),
      make("p", { class: "lead" }, text("gamesLead")),
      this.problem,
      this.records,
      this.choice,
      this.lists,
      this.tools(),
    );
    this.list();
  }

  tools() {
    const file = make("input", {
      type: "file",
      accept: ".json,application/json",
      class: "unseen",
      onchange: () => void this.read(file.files?.[0]),
    });
    return make(
      "div",
      { class: "row" },
      make("a", { class: "quiet button", href: "/review" }, text("openRecord")),
      make(
        "button",
        { type: "button", class: "quiet", onclick: () => this.download() },
        text("exportGames"),
      ),
      make("label", { class: "quiet button" }, file, text("importGames")),
    );
  }

  list() {
    const games = known();
    const found = games.filter(SHOWN[this.shown]);
    const listed = found.slice(0, this.most);
    const draw = (/** @type {KnownGame} */ game) => this.line(game);
    const more = () => {
      this.most += LISTED;
      this.list();
    };
    show(this.choice, games.length > 0);
    fill(this.records, ...recordLines(games));
    fill(
      this.lists,
      found.length
        ? null
        : make("p", { class: "quietly" }, text(games.length ? "noSuchGames" : "noGames")),
      section(
        text("running"),
        listed
          .filter((game) => !game.over)
          .sort(yoursFirst)
          .map(draw),
      ),
      section(text("finished"), listed.filter((game) => game.over).map(draw)),
      found.length > listed.length
        ? make("button", { type: "button", class: "quiet", onclick: more }, text("olderGames"))
        : null,
    );
  }

  /** @param {KnownGame} game */
  remove({ id, over }) {
    askInMiddle(text(over ? "deleteSure" : "deleteRunning"), {
      yes: text("delete"),
      agreed: () => {
        forget(id);
        this.list();
      },
    });
  }

  /** @param {KnownGame} game */
  line(game) {
    const { state, kind } = stateOf(game);
    const when = game.seen ? new Date(game.seen).toLocaleDateString(text("language"), DAY) : "";
    const about = [
      game.against ? text("againstName", { name: game.against }) : "",
      levelOf(game),
      game.turn ? text(game.turn === 1 ? "turnPlayed" : "turnsPlayed", { turns: game.turn }) : "",
      when.replaceAll(" ", "\u00a0"), // a day stays on one line
    ];
    const title = game.title ?? text("aGame");
    return make(
      "li",
      {},
      make(
        "a",
        { class: "game-line", href: `/game/${game.id}` },
        picture(game),
        make(
          "span",
          { class: "game-words" },
          make("strong", {}, title),
          make("span", { class: `state ${kind}` }, state),
          make("span", { class: "quietly" }, about.filter(Boolean).join(" · ")),
        ),
      ),
      make(
        "div",
        { class: "row" },
        game.over
          ? null
          : make("a", { class: "primary button", href: `/game/${game.id}` }, text("goOnPlaying")),
        game.over
          ? make(
              "button",
              { type: "button", class: "quiet", onclick: () => playAgain(game) },
              text("rematch"),
            )
          : null,
        game.over
          ? make("a", { class: "quiet button", href: `/review/${game.id}` }, text("review"))
          : null,
        make(
          "button",
          {
            type: "button",
            class: "plain",
            "aria-label": text("deleteGame", { title }),
            onclick: () => this.remove(game),
          },
          text("delete"),
        ),
      ),
    );
  }

  /** Ask the server how the running games stand. */
  async refresh() {
    const running = known().filter((game) => !game.over && game.token);
    await Promise.all(
      running.slice(0, ASKED).map(async ({ id, token = "" }) => {
        const view = await get("/api/live/{id}", { id }, { token }).catch(() => null);
        if (view) remember(id, inShort(view), false);
      }),
    );
    this.list();
  }

  download() {
    const link = make("a", {
      href: URL.createObjectURL(new Blob([exported()], { type: "application/json" })),
      download: "lineduel-games.json",
    });
    link.click();
    URL.revokeObjectURL(link.href);
  }

  /** @param {File} [given] */
  async read(given) {
    if (!given) return;
    try {
      imported(await given.text());
      show(this.problem, false);
      this.list();
      this.refresh();
    } catch (error) {
      this.problem.textContent = sentenceOf(error);
      show(this.problem, true);
    }
  }
}

/**
 * @param {KnownGame} one
 * @param {KnownGame} other
 */
function yoursFirst(one, other) {
  return Number(other.yours ?? false) - Number(one.yours ?? false);
}

/**
 * @param {string} title
 * @param {HTMLElement[]} lines
 */
function section(title, lines) {
  if (!lines.length) return null;
  return make("section", {}, make("h2", {}, title), make("ul", { class: "game-list" }, ...lines));
}

/**
 * For each title how often you won, and the latest results, the last one on the right.
 * @param {KnownGame[]} games
 */
function recordLines(games) {
  const decided = games.filter(({ outcome }) => outcome === "won" || outcome === "lost");
  const titles = [...new Set(decided.map((game) => game.title ?? ""))];
  return titles.map((title) => {
    const played = decided.filter((game) => game.title === title);
    const won = played.filter((game) => game.outcome === "won").length;
    const dots = played
      .slice(0, RESULTS)
      .reverse()
      .map((game) => make("span", { class: `dot ${game.outcome}` }));
    return make(
      "li",
      {},
      make("strong", {}, title),
      make("span", {}, text("yourRecord", { won, played: played.length })),
      make("span", { class: "dots", "aria-hidden": "true" }, ...dots),
    );
  });
}

/**
 * A time within the next days, as people say it.
 * @param {number} seconds
 */
export function dayAndTime(seconds) {
  return new Date(seconds * 1000).toLocaleString([], {
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
}

/**
 * Play a finished game again: at once against the computer, else when the friend agrees.
 * @param {KnownGame} game
 */
async function playAgain({ id, token = "", spectator, begun, series: before, outcome }) {
  const view = await post(
    /** @type {"/api/live/{id}/{action}"} */ (`/api/live/${id}/rematch`),
    {},
    { token },
  ).catch(() => null);
  const next = view?.rematch.id;
  const series = seriesWith(before, outcome);
  if (next) remember(next, { token, spectator, again: true, series, ...(begun ? { begun } : {}) });
  go(`/game/${next ?? id}`);
}

/**
 * The level of the computer in a game that was begun in this browser; empty in others.
 * @param {KnownGame} game
 */
function levelOf({ begun }) {
  const [kind, number] = begun?.opponent?.split(":") ?? [];
  return kind === "level" ? text("levelShort", { number }) : "";
}

/**
 * How a game stands, in words and as the class of them.
 * @param {KnownGame} game
 */
function stateOf(game) {
  const state = game.over
    ? game.ended || text("isOver")
    : game.yours
      ? game.deadline
        ? text("yourTurnUntil", { time: dayAndTime(game.deadline) })
        : text("yourTurn")
      : game.deadline
        ? text("theirTurnUntil", { time: dayAndTime(game.deadline) })
        : text("theirTurn");
  const kind = game.over ? game.outcome || "ended" : game.yours ? "yours" : "theirs";
  return { state, kind };
}

/**
 * A small picture of how a game stands, your side on the left.
 * @param {KnownGame} game
 */
function picture({ board, side, title = "" }) {
  if (!board) return null;
  const small = new Board({ small: true, label: text("boardOf", { title }) });
  small.flipped = side === "P2";
  small.show(board);
  return make("div", { class: "game-picture" }, small.element);
}
