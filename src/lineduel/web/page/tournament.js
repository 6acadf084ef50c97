/** A tournament between programs, watched while it is played: table, pairings, and its newest games. */

import { get, sentenceOf } from "./api.js";
import { fill, make, say, show, styled } from "./dom.js";
import { GameReplay } from "./game_replay.js";
import { crossTable, panel, strengthTable } from "./score_tables.js";
import { text } from "./texts.js";

/** @import { TournamentGame, WatchedTournament } from "./documents.js" */

/**
 * @param {HTMLElement} main
 * @param {string} [name]
 */
export async function open(main, name) {
  await styled("/page/score_tables.css");
  if (name === undefined) return listTournaments(main);
  const page = new TournamentPage(name);
  fill(main, page.element);
  page.watch();
  return () => page.leave();
}

/** @param {HTMLElement} main */
async function listTournaments(main) {
  const body = make("div", {});
  fill(
    main,
    make(
      "div",
      { class: "duel tournament" },
      make("h1", { class: "duel-title" }, text("tournaments")),
      body,
    ),
  );
  try {
    const found = await get("/api/tournaments", {});
    const links = found.map((one) =>
      make(
        "li",
        {},
        make("a", { href: `/tournament/${encodeURIComponent(one.name)}` }, one.title),
        make("span", { class: "quietly" }, ` ${one.name}: ${one.players.join(", ")}`),
      ),
    );
    fill(
      body,
      found.length
        ? make("ul", { class: "tournament-list" }, ...links)
        : make("p", { class: "quietly" }, text("noTournaments")),
    );
  } catch (error) {
    fill(body, make("p", { class: "problem", role: "alert" }, sentenceOf(error)));
  }
  return undefined;
}

class TournamentPage {
  /** @param {string} name */
  constructor(name) {
    this.name = name;
    /** @type {EventSource | null} */
    this.events = null;
    /** @type {WatchedTournament | null} */
    this.watched = null;
    /** @type {HTMLElement | null} */
    this.cross = null;
    this.title = make("h1", { class: "duel-title" }, text("tournament"));
    this.problem = make("p", { class: "problem", role: "alert", hidden: true });
    this.state = make("p", { class: "quietly" }, text("loading"));
    this.progress = make("progress", { max: 1, value: 0, "aria-label": text("gamesPlayed") });
    this.table = make("div", {
      class: "wide-table",
      tabindex: 0,
      role: "region",
      "aria-label": text("standings"),
    });
    this.faults = make("div", {});
    this.scores = make("div", {});
    this.newest = make("ol", { class: "newest-games" });
    this.replay = new GameReplay();
    this.shown = make(
      "div",
      { class: "duel", hidden: true },
      panel(
        text("standings"),
        this.table,
        this.faults,
        make("p", { class: "quietly" }, text("standingsLegend")),
      ),
      panel(
        text("pointsAgainst"),
        this.scores,
        make("p", { class: "quietly" }, text("pointsLegend")),
      ),
      panel(
        text("newestGames"),
        make("p", { class: "quietly" }, text("newestLegend")),
        this.newest,
        this.replay.element,
      ),
    );
    this.element = make(
      "div",
      { class: "duel tournament" },
      make(
        "div",
        { class: "duel-head" },
        this.title,
        make("a", { class: "quiet-link", href: "/tournament" }, text("tournaments")),
      ),
      this.problem,
      this.progress,
      this.state,
      this.shown,
    );
  }

  /** Follow it; a line that breaks is connected again by the browser itself. */
  watch() {
    const events = new EventSource(`/api/tournaments/${encodeURIComponent(this.name)}/events`);
    events.onmessage = (event) => this.present(JSON.parse(event.data));
    events.onerror = () => this.broken(events);
    this.events = events;
  }

  /** @param {EventSource} events */
  async broken(events) {
    if (events.readyState !== EventSource.CLOSED) {
      this.state.textContent = text("reconnecting");
      return;
    }
    try {
      this.present(await get("/api/tournaments/{name}", { name: this.name }));
    } catch (error) {
      this.complain(error);
      this.state.textContent = "";
    }
  }

  /** @param {unknown} error */
  complain(error) {
    this.problem.textContent = sentenceOf(error);
    show(this.problem, true);
  }

  /** @param {WatchedTournament} watched */
  present(watched) {
    const { tournament, names, played, total, done, changed } = watched;
    const isOver = done >= 1;
    if (isOver && this.watched && this.watched.done < 1) say(text("tournamentOver"));
    this.watched = watched;
    show(this.problem, false);
    this.title.textContent = text("tournamentOf", { title: tournament.title });
    this.progress.value = done;
    const fields = {
      played: grouped(played),
      total: grouped(total),
      time: new Date(changed * 1000).toLocaleTimeString(),
    };
    this.state.textContent = text(isOver ? "tournamentDone" : "tournamentUnderWay", fields);
    const rows = tournament.table.map((row) => ({
      name: names[row.player],
      elo: row.elo,
      margin: row.margin,
      more: [row.points, row.games, row.won, row.lost, row.unfinished].map(grouped),
    }));
    fill(
      this.table,
      strengthTable(
        rows,
        /** @type {const} */ (["points", "games", "won", "lost", "unfinished"]).map((key) =>
          text(key),
        ),
      ),
    );
    fill(
      this.faults,
      ...tournament.faults.map((one) =>
        make(
          "p",
          {},
          text("forfeits", { player: names[one.player], games: grouped(one.games), why: one.why }),
        ),
      ),
    );
    this.presentScores(watched);
    this.presentNewest(watched);
    show(this.shown, true);
  }

  /** @param {WatchedTournament} watched */
  presentScores({ tournament, names }) {
    const players = tournament.table.map((row) => row.player);
    /**
     * @param {number} row
     * @param {number} column
     */
    const pairing = (row, column) => {
      const [one, other] = [players[row], players[column]];
      const found = tournament.pairings.find((pair) =>
        [pair.player, pair.opponent].every((player) => player === one || player === other),
      );
      return found?.games
        ? {
            share: (found.player === one ? found.points : found.games - found.points) / found.games,
            games: found.games,
          }
        : null;
    };
    const called = players.map((player) => names[player]);
    const heads = players.map((player) =>
      player.startsWith("level:") ? player.split(":")[1] : names[player],
    );
    /**
     * @param {number} row
     * @param {number} column
     */
    const detail = (row, column) =>
      text("sampledDetail", {
        player: called[row],
        opponent: called[column],
        games: grouped(pairing(row, column)?.games ?? 0),
      });
    const table = crossTable(
      called,
      heads,
      (row, column) => pairing(row, column)?.share ?? null,
      detail,
    );
    if (this.cross) this.cross.replaceChildren(...table.children);
    else fill(this.scores, table);
    this.cross ??= table;
  }

  /**
   * The list holds still while somebody is about to choose from it.
   * @param {WatchedTournament} watched
   */
  presentNewest({ newest, names }) {
    if (this.newest.matches(":hover, :focus-within")) return;
    fill(
      this.newest,
      ...newest.map((game) =>
        make(
          "li",
          { class: game.result === "1" ? "P1" : game.result === "2" ? "P2" : "both" },
          make(
            "button",
            { type: "button", class: "step", onclick: () => this.watchGame(game.line) },
            gameInWords(game, names),
          ),
        ),
      ),
    );
  }

  /** @param {number} line */
  async watchGame(line) {
    try {
      await this.replay.open(
        await get("/api/tournaments/{name}/games/{line}", { name: this.name, line }),
      );
    } catch (error) {
      this.complain(error);
    }
  }

  leave() {
    this.events?.close();
    this.replay.leave();
  }
}

/**
 * @param {TournamentGame} game
 * @param {Record<string, string>} names
 */
function gameInWords({ player1, player2, result, plies }, names) {
  const [one, two] = [names[player1], names[player2]];
  const fields = result === "2" ? { winner: two, loser: one } : { winner: one, loser: two };
  return text(result === "*" ? "gameStopped" : "gameWon", {
    ...fields,
    seat: result,
    turns: plies,
  });
}

/** @param {number} number */
function grouped(number) {
  return number.toLocaleString(text("language"));
}
