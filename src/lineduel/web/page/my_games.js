/** All games of this browser, running and finished. The keys of the seats stay here. */

import { get, post, sentenceOf } from "./api.js";
import { fill, make, show } from "./dom.js";
import { inShort } from "./game_state.js";
import { go } from "./router.js";
import { exported, imported, known, remember } from "./seats.js";
import { text } from "./texts.js";

/** @import { KnownGame } from "./seats.js" */

/** How many running games are asked about at once. */
const ASKED = 12;

/** @param {HTMLElement} main */
export function open(main) {
  const page = new MyGames();
  fill(main, page.element);
  page.refresh();
}

class MyGames {
  constructor() {
    this.problem = make("p", { class: "problem", role: "alert", hidden: true });
    this.lists = make("div", { class: "game-lists" });
    this.element = make(
      "div",
      { class: "my-games" },
      make("h1", {}, text("navGames")),
      make("p", { class: "lead" }, text("gamesLead")),
      this.problem,
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
    const running = games.filter((game) => !game.over).sort(yoursFirst);
    const finished = games.filter((game) => game.over);
    fill(
      this.lists,
      games.length ? null : make("p", { class: "quietly" }, text("noGames")),
      section(text("running"), running),
      section(text("finished"), finished),
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
 * @param {KnownGame[]} games
 */
function section(title, games) {
  if (!games.length) return null;
  return make(
    "section",
    {},
    make("h2", {}, title),
    make("ul", { class: "game-list" }, ...games.map(line)),
  );
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
async function playAgain({ id, token = "", spectator }) {
  const view = await post(
    /** @type {"/api/live/{id}/{action}"} */ (`/api/live/${id}/rematch`),
    {},
    { token },
  ).catch(() => null);
  const next = view?.rematch.id;
  if (next) remember(next, { token, spectator, again: true });
  go(`/game/${next ?? id}`);
}

/** @param {KnownGame} game */
function line(game) {
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
  const when = game.seen ? new Date(game.seen).toLocaleDateString() : "";
  const about = [
    game.against ? text("againstName", { name: game.against }) : "",
    game.turn ? text("turnsPlayed", { turns: game.turn }) : "",
    when,
  ];
  return make(
    "li",
    {},
    make(
      "a",
      { class: "game-line", href: `/game/${game.id}` },
      make("strong", {}, game.title ?? text("aGame")),
      make("span", { class: `state ${kind}` }, state),
      make("span", { class: "quietly" }, about.filter(Boolean).join(" · ")),
    ),
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
  );
}
