/** The first page: every game as a living board, and a click on one begins it. */

import { get, post, sentenceOf } from "./api.js";
import { catalogue } from "./catalogue.js";
import { fill, make, pill } from "./dom.js";
import { SKILFUL } from "./duel_chips.js";
import { drawFace } from "./faces.js";
import { live } from "./living_board.js";
import { go } from "./router.js";
import { known, remember } from "./seats.js";
import { finishedLessons, LONGEST_NAME, set, settings } from "./settings.js";
import { text, textOr } from "./texts.js";

/** @import { NewGame, ShownGame, ShownOpponent } from "./documents.js" */

const FIRST_LESSON = "first-duel";

/** @param {HTMLElement} main */
export async function open(main) {
  const duel = make("section", { class: "first-duel" });
  const problem = make("p", { class: "problem", role: "alert", hidden: true });
  const cards = make("div", { class: "games" });
  const watch = make("nav", { class: "resume", "aria-label": text("tournaments"), hidden: true });
  const setup = make("div", { class: "setup" });
  const starts = make("div", { class: "row hero-starts" });
  fill(
    main,
    make(
      "section",
      { class: "hero" },
      make(
        "div",
        { class: "hero-words" },
        make("h1", {}, text("heroTitle")),
        make("p", { class: "lead" }, text("heroLead")),
        starts,
        resume(),
      ),
      duel,
    ),
    setup,
    problem,
    cards,
    make(
      "p",
      { class: "more-games" },
      make("a", { class: "quiet button", href: "/gallery" }, text("galleryLink")),
    ),
    watch,
  );
  let left = false;
  /** @param {NewGame} wanted */
  const begin = (wanted) =>
    beginGame(wanted).catch((error) => complain(problem, sentenceOf(error)));
  let catalog;
  try {
    catalog = await catalogue();
  } catch (error) {
    complain(problem, sentenceOf(error));
    duel.hidden = true;
    return undefined;
  }
  const [first] = catalog.games;
  fill(starts, playNow(first, begin), firstLesson());
  fill(setup, ...opponentChoice(catalog.opponents));
  const shown = catalog.games.map((game) => gameCard(game, game === first, begin));
  fill(cards, ...shown.map(({ element }) => element), designCard());
  for (const { live } of shown) live(() => left);
  beginDuel(duel);
  getGamePageReady();
  linkTournaments(watch);
  return () => {
    left = true;
  };
}

/**
 * Links to the tournaments that this server shows, if there are any.
 * @param {HTMLElement} nav
 */
async function linkTournaments(nav) {
  const found = await get("/api/tournaments", {}).catch(() => []);
  const links = found
    .slice(0, 3)
    .map((one) => make("a", { href: `/tournament/${encodeURIComponent(one.name)}` }, one.title));
  if (found.length > links.length)
    links.push(make("a", { href: "/tournament" }, text("tournaments")));
  fill(nav, make("span", {}, text("watchTournament")), ...links);
  nav.hidden = !found.length;
}

/**
 * Put the first duel in its place.
 * @param {HTMLElement} place
 */
async function beginDuel(place) {
  const { FirstDuel } = await import("./first_duel.js");
  const duel = new FirstDuel();
  place.replaceWith(duel.element);
  duel.begin();
}

/** Load what a game needs while somebody looks at the boards, so that the click is answered at once. */
function getGamePageReady() {
  const load = () => void import("./game.js");
  if ("requestIdleCallback" in window) requestIdleCallback(load);
  else setTimeout(load, 1500);
}

/**
 * @param {HTMLElement} problem
 * @param {string} sentence
 */
function complain(problem, sentence) {
  problem.textContent = sentence;
  problem.hidden = false;
  problem.scrollIntoView({ block: "nearest" });
}

/**
 * Create a live game as chosen here, and go there.
 * @param {NewGame} wanted
 */
export async function beginGame(wanted) {
  /** @type {NewGame} */
  const body = { opponent: settings.opponent, ...wanted };
  body.seat ??= await seatIn(body);
  body.watch = true;
  if (body.opponent === "friend" && settings.days) body.days = settings.days;
  if (settings.name) body.name = settings.name;
  const made = await post("/api/live", body);
  const [token] = Object.values(made.seats);
  const { game, variant, opponent } = body;
  remember(made.id, {
    token,
    invite: made.invite,
    spectator: made.spectator,
    ...(game ? { begun: { game, variant, opponent } } : {}),
  });
  await go(`/game/${made.id}`);
}

/**
 * The seat to begin in. The better one is given only against the computer: it wins with best play.
 * @param {NewGame} wanted
 */
async function seatIn({ game, variant, opponent }) {
  const { seat } = settings;
  if (seat !== "best") return seat;
  const { games, opponents } = await catalogue();
  const isProgram = opponents.some((one) => one.id === opponent);
  const figures = games.find((one) => one.id === game && isProgram && !variant)?.figures;
  const [low, high] = figures?.value ?? [0, 0];
  return low > 0 ? "P1" : high < 0 ? "P2" : "random";
}

/**
 * The first game of the list, one tap away on every screen.
 * @param {ShownGame} game
 * @param {(wanted: NewGame) => unknown} begin
 */
function playNow({ id, title }, begin) {
  return make(
    "button",
    { type: "button", class: "primary large", onclick: () => begin({ game: id }) },
    text("playNow", { title }),
  );
}

/** The lesson for newcomers, until it has been finished in this browser. */
function firstLesson() {
  if (FIRST_LESSON in finishedLessons()) return null;
  return make(
    "a",
    { class: "quiet button large", href: `/lessons/${FIRST_LESSON}` },
    text("lessonStart"),
  );
}

function resume() {
  const games = known()
    .filter((game) => game.token && !game.over)
    .slice(0, 3);
  if (!games.length) return null;
  return make(
    "nav",
    { class: "resume", "aria-label": text("goOn") },
    make("span", {}, text("goOn")),
    ...games.map((game) => make("a", { href: `/game/${game.id}` }, game.title ?? text("aGame"))),
  );
}

/**
 * Whom you play: the computer, a friend elsewhere, or somebody here. The rest is folded below.
 * @param {ShownOpponent[]} opponents
 */
function opponentChoice(opponents) {
  const ids = [...opponents.map((one) => one.id), "here", "friend"];
  if (!ids.includes(settings.opponent)) set("opponent", opponents[0]?.id ?? "here");
  const isProgram = () => opponents.some((one) => one.id === settings.opponent);
  const about = make("p", { class: "about" });
  const chosen = make("span", { class: "chosen" });
  const level = make(
    "select",
    { "aria-label": text("level"), onchange: () => void choose(level.value) },
    ...opponents.map((one) => make("option", { value: one.id }, opponentName(one))),
  );
  level.value = isProgram() ? settings.opponent : "level:3";
  const pace = paceChoice();
  const levels = make(
    "fieldset",
    { class: "choice" },
    make("legend", {}, text("level")),
    level,
    about,
  );
  const tell = () => {
    const program = opponents.find((one) => one.id === settings.opponent);
    about.textContent = program?.character ?? "";
    levels.hidden = !program;
    pace.hidden = settings.opponent !== "friend";
    chosen.textContent = text("chosen", {
      opponent: program ? opponentName(program) : textOr(`about-${settings.opponent}`, ""),
      seat: text(`as-${settings.seat === "best" && !program ? "random" : settings.seat}`),
    });
  };
  /** @param {string} opponent */
  const choose = (opponent) => {
    set("opponent", opponent);
    tell();
  };
  const kinds = /** @type {const} */ (["computer", "friend", "here"]).map((kind) => {
    const isComputer = kind === "computer";
    return make(
      "label",
      { class: "kind" },
      make("input", {
        type: "radio",
        name: "opponent",
        checked: isComputer ? isProgram() : settings.opponent === kind,
        onchange: () => choose(isComputer ? level.value : kind),
      }),
      make("span", {}, make("strong", {}, text(kind)), make("small", {}, text(`kind-${kind}`))),
    );
  });
  const seats = seatChoice();
  seats.addEventListener("change", tell);
  tell();
  return [
    make(
      "fieldset",
      { class: "kinds" },
      make("legend", {}, text("opponent")),
      make("div", { class: "kind-row" }, kinds),
    ),
    make(
      "details",
      { class: "choices" },
      make("summary", {}, chosen, make("span", { class: "change" }, text("change"))),
      make("div", { class: "choices-body" }, levels, pace, seats, nameChoice()),
    ),
  ];
}

/**
 * A program as a choice: `Level 3 (easy)`, `Perfect play`.
 * @param {ShownOpponent} one
 */
function opponentName({ id, name }) {
  const [kind, number] = id.split(":");
  return number ? text("levelChoice", { number, name }) : textOr(`program-${kind}`, name);
}

/**
 * A level within a sentence: `level 3 (easy)`.
 * @param {ShownOpponent} one
 */
export function levelName({ id, name }) {
  return text("levelName", { number: id.split(":")[1], name });
}

/** How long each player has for a turn against a friend. */
function paceChoice() {
  const pills = /** @type {const} */ ([0, 1, 3, 7]).map((days) =>
    pill("pace", text(`pace-${days}`), settings.days === days, () => set("days", days)),
  );
  return make(
    "fieldset",
    { class: "choice" },
    make("legend", {}, text("pace")),
    make("div", { class: "pills" }, ...pills),
    make("p", { class: "about" }, text("paceAbout")),
  );
}

function seatChoice() {
  const pills = /** @type {const} */ (["best", "P1", "P2", "random"]).map((seat) =>
    pill("seat", text(`seat-${seat}`), settings.seat === seat, () => set("seat", seat)),
  );
  return make(
    "fieldset",
    { class: "choice" },
    make("legend", {}, text("seat")),
    make("div", { class: "pills" }, ...pills),
  );
}

function nameChoice() {
  const name = make("input", {
    type: "text",
    class: "name",
    maxlength: LONGEST_NAME,
    value: settings.name,
    placeholder: text("namePlaceholder"),
    autocomplete: "nickname",
    onchange: () => void set("name", name.value.trim()),
  });
  return make(
    "label",
    { class: "choice" },
    make("span", { class: "choice-label" }, text("yourName")),
    name,
  );
}

/**
 * @param {ShownGame} game
 * @param {boolean} isFirst Whether it is the one to begin with.
 * @param {(wanted: NewGame) => unknown} begin
 */
function gameCard(game, isFirst, begin) {
  const { id, title } = game;
  const place = make("div", { class: "game-board" });
  const summary = make("p", { class: "card-summary" }, game.summary);
  const variant = variantChoice(game, (chosen) => {
    summary.textContent = chosen || game.summary;
  });
  const chosen = () => ({ game: id, ...(variant?.value ? { variant: variant.value } : {}) });
  const record = recordOf(game);
  const badge = isFirst && !record ? make("p", { class: "badge" }, text("goodFirst")) : null;
  const element = make(
    "article",
    { class: "game" },
    place,
    make("div", { class: "card-head" }, make("h2", { class: "card-title" }, title), badge),
    summary,
    make("p", { class: "card-facts" }, factsOf(game)),
    make(
      "div",
      { class: "game-more" },
      make(
        "button",
        {
          type: "button",
          class: "primary card-start",
          "aria-label": text("playGame", { title }),
          onclick: () => begin(chosen()),
        },
        text("navPlay"),
      ),
      make(
        "button",
        {
          type: "button",
          class: "quiet",
          "aria-label": text("rulesOf", { title }),
          onclick: () => showRules(chosen()),
        },
        text("rules"),
      ),
      record ? make("span", { class: "card-record" }, record) : null,
      make(
        "details",
        { class: "menu" },
        make("summary", { class: "quiet", "aria-label": text("moreOf", { title }) }, "⋯"),
        make(
          "div",
          { class: "menu-body" },
          make(
            "button",
            { type: "button", class: "menu-rules", onclick: () => showRules(chosen()) },
            text("rules"),
          ),
          variant ? make("label", { class: "share-label" }, text("variant"), variant) : null,
          make("a", { href: `/study/${id}` }, text("studyGame")),
          make("a", { href: `/ladder/${id}` }, text("ladderGame")),
        ),
      ),
    ),
  );
  /** @param {() => boolean} isLeft */
  const play = (isLeft) => live(place, game, isLeft);
  return { element, live: play };
}

/**
 * How large a game is, how long it takes, and whether skill decides it.
 * @param {ShownGame} game
 */
function factsOf({ rulebook, figures: { turns, skill } }) {
  const counts = [rulebook.player1, rulebook.player2].map(
    ({ pieces }) => Object.keys(pieces).length,
  );
  const [count] = counts;
  const pieces = count === 1 ? text("onePieceEach") : text("piecesEach", { count });
  return [
    counts[1] === count ? pieces : "",
    turns === null ? text("lengthOpen") : text("lengthAbout", { turns: Math.round(turns) }),
    skill >= SKILFUL ? text("skilful") : "",
  ]
    .filter(Boolean)
    .flatMap((fact, at) => [at ? " · " : "", make("span", { class: "unbroken" }, fact)]);
}

/**
 * How often you won it in this browser; empty before the first game.
 * @param {ShownGame} game
 */
function recordOf({ id, title }) {
  const played = known().filter(
    (one) =>
      (one.game?.split(":")[0] === id || one.title === title) &&
      (one.outcome === "won" || one.outcome === "lost"),
  );
  const won = played.filter((one) => one.outcome === "won").length;
  return played.length ? text("yourRecord", { won, played: played.length }) : "";
}

/**
 * @param {ShownGame} game
 * @param {(summary: string) => void} changed
 */
function variantChoice(game, changed) {
  if (!game.variants.length) return null;
  const choice = make(
    "select",
    {
      class: "variant",
      "aria-label": text("variantOf", { title: game.title }),
      onchange: () => void changed(choice.value ? choice.selectedOptions[0].text : ""),
    },
    make("option", { value: "" }, text("asPrinted")),
    ...game.variants.map((one) => make("option", { value: one.name }, one.summary)),
  );
  return choice;
}

/**
 * The rules of a game in a window of their own.
 * @param {import("./documents.js").RulebookChoice} wanted
 */
export async function showRules(wanted) {
  const [page, { rulesSheet }, { askInMiddle }] = await Promise.all([
    post("/api/rules", wanted),
    import("./rules_sheet.js"),
    import("./dialogs.js"),
  ]);
  askInMiddle(text("rulesOf", { title: page.title }), { inside: rulesSheet(page, "P1") });
}

/** The way to a rulebook of your own. */
function designCard() {
  return make(
    "article",
    { class: "game own" },
    make(
      "div",
      { class: "game-board own-board", "aria-hidden": "true" },
      drawFace("P1", 1),
      make("span", {}, "?"),
      drawFace("P2", -1),
    ),
    make("h2", { class: "card-title" }, text("ownTitle")),
    make("p", { class: "card-summary" }, text("ownLead")),
    make(
      "div",
      { class: "game-more" },
      make("a", { class: "quiet button card-link", href: "/design" }, text("ownDesign")),
      make("a", { class: "quiet-link", href: "/gallery" }, text("gallery")),
    ),
  );
}
