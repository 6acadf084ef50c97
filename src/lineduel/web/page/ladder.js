/** How strong each level is in a game, computed exactly: Elo, every pairing, and the two seats. */

import { get, sentenceOf } from "./api.js";
import { catalogue } from "./catalogue.js";
import { fill, make, pill, say, styled } from "./dom.js";
import { gamePicker } from "./game_picker.js";
import { levelName } from "./home.js";
import { go } from "./router.js";
import { crossTable, head, panel, points, strengthTable } from "./score_tables.js";
import { text, textOr } from "./texts.js";

/** @import { LadderDocument, PairDocument, ShownOpponent } from "./documents.js" */

const SEATS = /** @type {const} */ (["both", "P1", "P2"]);
/** @typedef {typeof SEATS[number]} Seat */

/**
 * @param {HTMLElement} main
 * @param {string} [id]
 */
export async function open(main, id) {
  const [{ games, opponents }] = await Promise.all([catalogue(), styled("/page/score_tables.css")]);
  const game = games.find((one) => one.id === id?.split(":")[0]);
  if (!game || !id) {
    await go(`/ladder/${games[0].id}`, { replace: true });
    return undefined;
  }
  const body = make(
    "div",
    { class: "duel" },
    make("p", { class: "quietly", role: "status" }, text("ladderWait")),
  );
  fill(
    main,
    make(
      "div",
      { class: "duel ladder" },
      make(
        "div",
        { class: "duel-head" },
        make("h1", { class: "duel-title" }, text("ladderOf", { title: game.title })),
        gamePicker(games, id, (chosen) => go(`/ladder/${chosen}`)),
        make("a", { class: "quiet-link", href: `/study/${id}` }, text("navStudy")),
      ),
      make("p", { class: "quietly" }, text("ladderLead")),
      body,
    ),
  );
  let left = false;
  get("/api/ladder/{game}", { game: id }).then(
    (ladder) => left || present(body, new LadderView(ladder, opponents)),
    (error) =>
      left || fill(body, make("p", { class: "problem", role: "alert" }, sentenceOf(error))),
  );
  return () => {
    left = true;
  };
}

/**
 * @param {HTMLElement} body
 * @param {LadderView} view
 */
function present(body, view) {
  fill(body, view.strengths(), view.scores(), view.seats());
  say(text("ladderReady"));
}

class LadderView {
  /**
   * @param {LadderDocument} ladder
   * @param {ShownOpponent[]} opponents
   */
  constructor(ladder, opponents) {
    this.ladder = ladder;
    this.players = [...ladder.players].reverse(); // the strongest first
    this.opponents = new Map(opponents.map((one) => [one.id, one]));
    this.results = new Map(ladder.results.map((one) => [`${one.player1} ${one.player2}`, one]));
    this.names = this.players.map((id) => this.name(id));
    this.heads = this.players.map((id) => (id.startsWith("level:") ? id.split(":")[1] : id));
  }

  /** @param {string} id */
  name(id) {
    const opponent = id.startsWith("level:") ? this.opponents.get(id) : undefined;
    return opponent ? levelName(opponent) : textOr(`player-${id}`, id);
  }

  strengths() {
    const { elo, range, chain } = this.ladder;
    const rows = this.players.map((id, index) => ({ name: this.names[index], elo: elo[id] }));
    const fields = { first: this.names.at(-1), last: this.names[0], elo: Math.round(range) };
    return panel(
      text("strength"),
      strengthTable(rows),
      make("p", { class: "quietly" }, text("ladderRange", fields)),
      ...(this.players.includes("fallible")
        ? [make("p", { class: "quietly" }, text("carelessMeans"))]
        : []),
      make(
        "p",
        { class: "quietly" },
        text("ladderChain", { chain: chain.map((id) => this.name(id)).join(" › ") }),
      ),
    );
  }

  scores() {
    const table = make("div", {});
    /** @param {Seat} seat */
    const draw = (seat) =>
      fill(
        table,
        crossTable(
          this.names,
          this.heads,
          (row, column) => this.score(row, column, seat),
          (row, column) => this.detail(row, column),
        ),
      );
    draw("both");
    const choice = make(
      "fieldset",
      { class: "choice" },
      make("legend", {}, text("rowPlays")),
      make(
        "div",
        { class: "pills" },
        ...SEATS.map((seat) =>
          pill("ladder-seat", text(`row-${seat}`), seat === "both", () => draw(seat)),
        ),
      ),
    );
    return panel(
      text("pointsAgainst"),
      choice,
      table,
      make("p", { class: "quietly" }, text("pointsLegend")),
    );
  }

  /**
   * The games of one player against another.
   * @param {string} player1
   * @param {string} player2
   */
  result(player1, player2) {
    const found = this.results.get(`${player1} ${player2}`);
    if (!found) throw new Error(`The ladder has no pairing of ${player1} and ${player2}.`);
    return found;
  }

  /**
   * What a row scores against a column: in one seat, or on average over both.
   * @param {number} row
   * @param {number} column
   * @param {Seat} seat
   * @returns {number}
   */
  score(row, column, seat) {
    if (seat === "both") return (this.score(row, column, "P1") + this.score(row, column, "P2")) / 2;
    const [player, opponent] = [this.players[row], this.players[column]];
    const { win1, win2, endless } =
      seat === "P1" ? this.result(player, opponent) : this.result(opponent, player);
    return (seat === "P1" ? win1 : win2) + endless / 2;
  }

  /**
   * @param {number} row
   * @param {number} column
   */
  detail(row, column) {
    const [both, first, second] = SEATS.map((seat) => points(this.score(row, column, seat)));
    return text("scoreDetail", {
      player: this.names[row],
      opponent: this.names[column],
      both,
      first,
      second,
    });
  }

  seats() {
    const heads = [
      head(text("player")),
      make("td", { class: "strength-head" }),
      .../** @type {const} */ (["seatOne", "seatTwo", "neverEnds", "turnsOnAverage"]).map((key) =>
        head(text(key), "figure"),
      ),
    ];
    const rows = this.players.map((id, index) =>
      this.seatRow(this.names[index], this.result(id, id)),
    );
    return panel(
      text("againstItself"),
      make(
        "div",
        { class: "wide-table", tabindex: 0, role: "region", "aria-label": text("againstItself") },
        make(
          "table",
          { class: "strengths seat-table" },
          make("thead", {}, make("tr", {}, ...heads)),
          make("tbody", {}, ...rows),
        ),
      ),
      make("p", { class: "quietly" }, text("againstItselfLegend")),
    );
  }

  /**
   * @param {string} name
   * @param {PairDocument} result
   */
  seatRow(name, { win1, win2, endless, plies }) {
    const shares = { P1: win1, never: endless, P2: win2 };
    const parts = Object.entries(shares).map(([kind, share]) => {
      const part = make("span", { class: `seat-part ${kind}` });
      part.style.width = `${share * 100}%`;
      return part;
    });
    return make(
      "tr",
      {},
      make("th", { scope: "row" }, name),
      make(
        "td",
        { class: "strength-cell", "aria-hidden": "true" },
        make("span", { class: "seat-bar" }, ...parts),
      ),
      ...[win1, win2, endless].map((share) => make("td", { class: "figure" }, `${points(share)}%`)),
      make("td", { class: "figure" }, plies === null ? "–" : plies.toFixed(1)),
    );
  }
}
