/** How strong each level is in a game, computed exactly: Elo, every pairing, and the two seats. */

import { get } from "./api.js";
import { catalogue } from "./catalogue.js";
import { fill, make, say } from "./dom.js";
import { gamePicker } from "./game_picker.js";
import { levelName, pill } from "./home.js";
import { go } from "./router.js";
import { crossTable, head, points, strengthTable } from "./score_tables.js";
import { text } from "./texts.js";

const SEATS = ["both", "P1", "P2"];

export async function open(main, id) {
  const { games, opponents } = await catalogue();
  if (!games.some((one) => one.id === id?.split(":")[0])) {
    await go(`/ladder/${games[0].id}`, { replace: true });
    return undefined;
  }
  const body = make("div", { class: "duel" }, make("p", { class: "quietly", role: "status" }, text("ladderWait")));
  const title = games.find((one) => one.id === id.split(":")[0]).title;
  fill(
    main,
    make(
      "div",
      { class: "duel ladder" },
      make(
        "div",
        { class: "duel-head" },
        make("h1", { class: "duel-title" }, text("ladderOf", { title })),
        gamePicker(games, id, (chosen) => go(`/ladder/${chosen}`)),
        make("a", { class: "quiet-link", href: `/study/${id}` }, text("navStudy")),
      ),
      make("p", { class: "quietly" }, text("ladderLead")),
      body,
    ),
  );
  let left = false;
  get(`/api/ladder/${encodeURIComponent(id)}`).then(
    (ladder) => left || present(body, new LadderView(ladder, opponents)),
    (error) => left || fill(body, make("p", { class: "problem", role: "alert" }, error.message)),
  );
  return () => {
    left = true;
  };
}

function present(body, view) {
  fill(body, view.strengths(), view.scores(), view.seats());
  say(text("ladderReady"));
}

class LadderView {
  constructor(ladder, opponents) {
    this.ladder = ladder;
    this.players = [...ladder.players].reverse(); // the strongest first
    this.opponents = new Map(opponents.map((one) => [one.id, one]));
    this.results = new Map(ladder.results.map((one) => [`${one.player1} ${one.player2}`, one]));
    this.names = this.players.map((id) => this.name(id));
    this.heads = this.players.map((id) => (id.startsWith("level:") ? id.split(":")[1] : id));
  }

  name(id) {
    return id.startsWith("level:") ? levelName(this.opponents.get(id)) : id;
  }

  strengths() {
    const { elo, range, chain } = this.ladder;
    const rows = this.players.map((id, index) => ({ name: this.names[index], elo: elo[id] }));
    const fields = { first: this.names.at(-1), last: this.names[0], elo: Math.round(range) };
    return panel(
      text("strength"),
      strengthTable(rows),
      make("p", { class: "quietly" }, text("ladderRange", fields)),
      make("p", { class: "quietly" }, text("ladderChain", { chain: chain.map((id) => this.name(id)).join(" › ") })),
    );
  }

  scores() {
    const table = make("div", {});
    const draw = (seat) =>
      fill(table, crossTable(this.names, this.heads, (row, column) => this.score(row, column, seat), (row, column) => this.detail(row, column)));
    draw("both");
    const choice = make(
      "fieldset",
      { class: "choice" },
      make("legend", {}, text("rowPlays")),
      make("div", { class: "pills" }, ...SEATS.map((seat) => pill("ladder-seat", text(`row-${seat}`), seat === "both", () => draw(seat)))),
    );
    return panel(text("pointsAgainst"), choice, table, make("p", { class: "quietly" }, text("pointsLegend")));
  }

  /** What a row scores against a column: in one seat, or on average over both. */
  score(row, column, seat) {
    if (seat === "both") return (this.score(row, column, "P1") + this.score(row, column, "P2")) / 2;
    const isFirst = seat === "P1";
    const pair = isFirst ? [row, column] : [column, row];
    const one = this.results.get(pair.map((at) => this.players[at]).join(" "));
    return (isFirst ? one.win1 : one.win2) + one.endless / 2;
  }

  detail(row, column) {
    const [both, first, second] = SEATS.map((seat) => points(this.score(row, column, seat)));
    return text("scoreDetail", { player: this.names[row], opponent: this.names[column], both, first, second });
  }

  seats() {
    const heads = [head(text("player")), make("td", { class: "strength-head" }), ...["seatOne", "seatTwo", "neverEnds", "turnsOnAverage"].map((key) => head(text(key), "figure"))];
    const rows = this.players.map((id, index) => this.seatRow(this.names[index], this.results.get(`${id} ${id}`)));
    return panel(
      text("againstItself"),
      make(
        "div",
        { class: "wide-table", tabindex: 0, role: "region", "aria-label": text("againstItself") },
        make("table", { class: "strengths" }, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows)),
      ),
      make("p", { class: "quietly" }, text("againstItselfLegend")),
    );
  }

  seatRow(name, { win1, win2, endless, plies }) {
    const parts = [
      ["P1", win1],
      ["never", endless],
      ["P2", win2],
    ].map(([kind, share]) => {
      const part = make("span", { class: `seat-part ${kind}` });
      part.style.width = `${share * 100}%`;
      return part;
    });
    return make(
      "tr",
      {},
      make("th", { scope: "row" }, name),
      make("td", { class: "strength-cell", "aria-hidden": "true" }, make("span", { class: "seat-bar" }, ...parts)),
      ...[win1, win2, endless].map((share) => make("td", { class: "figure" }, `${points(share)}%`)),
      make("td", { class: "figure" }, plies === null ? "–" : plies.toFixed(1)),
    );
  }
}

function panel(title, ...children) {
  return make("section", { class: "panel stacked" }, make("h2", {}, title), ...children);
}
