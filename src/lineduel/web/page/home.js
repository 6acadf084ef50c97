/** The first page: every game as a living board, and a click on one begins it. */

import { get, post, sentenceOf } from "./api.js";
import { catalogue } from "./catalogue.js";
import { fill, make, pill, say, wantsCalm } from "./dom.js";
import { go } from "./router.js";
import { known, remember } from "./seats.js";
import { finishedLessons, set, settings } from "./settings.js";
import { text, textOr } from "./texts.js";

/** @import { BoardPiece, NewGame, ShownGame, ShownOpponent } from "./documents.js" */

const FIRST_LESSON = "first-duel";
const PAUSE = 900;
const REST = 3200;

/** @param {HTMLElement} main */
export async function open(main) {
  const duel = make("section", { class: "first-duel" });
  const problem = make("p", { class: "problem", role: "alert", hidden: true });
  const cards = make("div", { class: "games" });
  const watch = make("nav", { class: "resume", "aria-label": text("tournaments"), hidden: true });
  const chosen = make("span", { class: "chosen" });
  const choices = make("div", { class: "choices" });
  const setup = make(
    "details",
    { class: "setup" },
    make(
      "summary",
      {},
      make("span", {}, text("against")),
      " ",
      chosen,
      make("span", { class: "change" }, text("change")),
    ),
    choices,
  );
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
        firstLesson(),
        resume(),
      ),
      duel,
    ),
    watch,
    setup,
    problem,
    cards,
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
  const tell = () => {
    chosen.textContent = inWords(catalog.opponents);
  };
  fill(choices, opponentChoice(catalog.opponents), seatChoice());
  choices.addEventListener("change", tell);
  tell();
  const shown = catalog.games.map((game) => gameCard(game, begin));
  fill(cards, ...shown.map(({ element }) => element), ownRulebook(begin));
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
  const body = { opponent: settings.opponent, seat: settings.seat, ...wanted };
  body.watch = true;
  if (body.opponent === "friend" && settings.days) body.days = settings.days;
  if (settings.name) body.name = settings.name;
  const made = await post("/api/live", body);
  const [token] = Object.values(made.seats);
  remember(made.id, { token, invite: made.invite, spectator: made.spectator });
  await go(`/game/${made.id}`);
}

/** The lesson for newcomers, until it has been finished in this browser. */
function firstLesson() {
  if (FIRST_LESSON in finishedLessons()) return null;
  return make(
    "p",
    { class: "first-lesson" },
    text("lessonOffer"),
    " ",
    make("a", { href: `/lessons/${FIRST_LESSON}` }, text("lessonStart")),
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
 * What is chosen, in one line.
 * @param {ShownOpponent[]} opponents
 */
function inWords(opponents) {
  const level = opponents.find(
    (one) => one.id === settings.opponent && one.id.startsWith("level:"),
  );
  const name = level
    ? text("computerAt", { level: levelName(level) })
    : textOr(`against-${settings.opponent}`, settings.opponent);
  return text("chosen", { opponent: name, seat: text(`as-${settings.seat}`) });
}

/**
 * Who to play against: a level, perfect play, somebody here, or a friend elsewhere.
 * @param {ShownOpponent[]} opponents
 */
function opponentChoice(opponents) {
  const levels = opponents.filter((one) => one.id.startsWith("level:"));
  const others = opponents.filter((one) => !one.id.startsWith("level:"));
  const ids = [...opponents.map((one) => one.id), "here", "friend"];
  if (!ids.includes(settings.opponent)) set("opponent", levels[0]?.id ?? "here");
  const isLevel = () => settings.opponent.startsWith("level:");
  const about = make("p", { class: "about" });
  const level = make(
    "select",
    {
      "aria-label": text("level"),
      onchange: () => {
        set("opponent", level.value);
        tell();
      },
    },
    ...levels.map((one) => make("option", { value: one.id }, levelName(one))),
  );
  level.value = isLevel() ? settings.opponent : "level:3";
  const pace = paceChoice();
  const tell = () => {
    const one = opponents.find((other) => other.id === settings.opponent);
    about.textContent = one ? one.character : textOr(`about-${settings.opponent}`, "");
    level.classList.toggle("off", !isLevel());
    pace.hidden = settings.opponent !== "friend";
  };
  const kinds = [
    ["computer", text("computer")],
    ...others.map((one) => [one.id, textOr(`program-${one.id}`, one.name)]),
    ["here", text("here")],
    ["friend", text("friend")],
  ];
  const pills = kinds.map(([kind, name]) =>
    pill("opponent", name, kind === "computer" ? isLevel() : settings.opponent === kind, () => {
      set("opponent", kind === "computer" ? level.value : kind);
      tell();
    }),
  );
  tell();
  return make(
    "fieldset",
    { class: "choice" },
    make("legend", {}, text("opponent")),
    make("div", { class: "pills" }, pills[0], level, ...pills.slice(1)),
    about,
    pace,
  );
}

/**
 * A level with its name: `level 3 (easy)`.
 * @param {ShownOpponent} one
 */
export function levelName(one) {
  return text("levelName", { number: one.id.split(":")[1], name: one.name });
}

/** How long each player has for a turn against a friend. */
function paceChoice() {
  const pills = /** @type {const} */ ([0, 1, 3, 7]).map((days) =>
    pill("pace", text(`pace-${days}`), settings.days === days, () => set("days", days)),
  );
  return make(
    "div",
    { class: "pace", role: "group", "aria-label": text("pace") },
    make("div", { class: "pills" }, ...pills),
    make("p", { class: "about" }, text("paceAbout")),
  );
}

function seatChoice() {
  const pills = /** @type {const} */ (["P1", "P2", "random"]).map((seat) =>
    pill("seat", text(`seat-${seat}`), settings.seat === seat, () => set("seat", seat)),
  );
  const name = make("input", {
    type: "text",
    class: "name",
    maxlength: 30,
    value: settings.name,
    placeholder: text("namePlaceholder"),
    "aria-label": text("yourName"),
    autocomplete: "nickname",
    onchange: () => void set("name", name.value.trim()),
  });
  return make(
    "fieldset",
    { class: "choice" },
    make("legend", {}, text("seat")),
    make("div", { class: "pills" }, ...pills, name),
  );
}

/**
 * @param {ShownGame} game
 * @param {(wanted: NewGame) => unknown} begin
 */
function gameCard(game, begin) {
  const place = make("div", { class: "game-board" });
  const variant = variantChoice(game);
  const chosen = () => ({ game: game.id, ...(variant?.value ? { variant: variant.value } : {}) });
  const start = make(
    "button",
    {
      type: "button",
      class: "primary card-start",
      "aria-label": text("playGame", { title: game.title }),
      onclick: () => begin(chosen()),
    },
    text("navPlay"),
  );
  const element = make(
    "article",
    { class: "game" },
    place,
    make("h2", { class: "card-title" }, game.title),
    make("p", { class: "card-summary" }, game.summary),
    variant,
    make(
      "div",
      { class: "game-more" },
      start,
      make(
        "button",
        {
          type: "button",
          class: "quiet",
          "aria-label": text("rulesOf", { title: game.title }),
          onclick: () => showRules(chosen()),
        },
        text("rules"),
      ),
      make("a", { class: "quiet-link", href: `/study/${game.id}` }, text("navStudy")),
      make("a", { class: "quiet-link", href: `/ladder/${game.id}` }, text("ladder")),
    ),
  );
  /** @param {() => boolean} isLeft */
  const play = (isLeft) => live(place, game, isLeft);
  return { element, live: play };
}

/** @param {ShownGame} game */
function variantChoice(game) {
  if (!game.variants.length) return null;
  return make(
    "select",
    { class: "variant", "aria-label": text("variantOf", { title: game.title }) },
    make("option", { value: "" }, text("asPrinted")),
    ...game.variants.map((one) => make("option", { value: one.name }, one.summary)),
  );
}

/**
 * The rules of a game in a window of their own.
 * @param {NewGame} wanted
 */
async function showRules({ game, variant }) {
  const [page, { rulesSheet }, { askInMiddle }] = await Promise.all([
    post("/api/rules", { game, variant }),
    import("./rules_sheet.js"),
    import("./dialogs.js"),
  ]);
  askInMiddle(text("rulesOf", { title: page.title }), { inside: rulesSheet(page, "P1") });
}

/**
 * A game that plays itself on a small board, again and again while it is in sight.
 * @param {HTMLElement} place
 * @param {ShownGame} game
 * @param {() => boolean} isLeft
 */
async function live(place, game, isLeft) {
  const { Board } = await import("./board.js"); // every card can be clicked before its board is there
  const board = new Board({ small: true, label: text("boardOf", { title: game.title }) });
  fill(place, board.element);
  await board.show(game.board);
  let seen = false;
  const observer = new IntersectionObserver(([entry]) => {
    seen = entry.isIntersecting;
  });
  observer.observe(board.element);
  await wait(REST * Math.random());
  while (!isLeft()) {
    for (const turn of game.sample) {
      do await wait(PAUSE + Math.random() * PAUSE);
      while ((!seen || document.hidden || wantsCalm()) && !isLeft());
      if (isLeft()) return;
      await board.show(
        { ...game.board, pieces: moved(game.board.pieces, turn.at), battle: turn.battle },
        turn.events,
      );
    }
    await wait(REST);
    await board.show(game.board);
  }
}

/**
 * @param {BoardPiece[]} pieces
 * @param {(number | null)[]} at
 */
function moved(pieces, at) {
  return pieces.map((piece, index) => ({ ...piece, at: at[index] }));
}

/** @param {number} time */
function wait(time) {
  return new Promise((resolve) => setTimeout(resolve, time));
}

/**
 * A rulebook of your own, pasted or dropped as a TOML file.
 * @param {(wanted: NewGame) => unknown} begin
 */
function ownRulebook(begin) {
  const field = make("textarea", {
    rows: 5,
    spellcheck: "false",
    placeholder: text("ownPlaceholder"),
    "aria-label": text("ownTitle"),
  });
  const file = make("input", {
    type: "file",
    accept: ".toml,text/plain",
    class: "unseen",
    onchange: () => void read(file.files?.[0]),
  });
  /** @param {File} [given] */
  const read = async (given) => {
    if (!given) return;
    field.value = await given.text();
    say(text("ownRead", { file: given.name }));
  };
  const element = make(
    "article",
    { class: "game own" },
    make("h2", { class: "card-title" }, text("ownTitle")),
    make("p", { class: "card-summary" }, text("ownLead")),
    field,
    make(
      "div",
      { class: "row" },
      make(
        "button",
        { type: "button", class: "primary", onclick: () => begin({ toml: field.value }) },
        text("ownPlay"),
      ),
      make("label", { class: "quiet button" }, file, text("ownFile")),
      make("a", { class: "quiet-link", href: "/design" }, text("ownDesign")),
    ),
  );
  element.addEventListener("dragover", (event) => {
    event.preventDefault();
    element.classList.add("over");
  });
  element.addEventListener("dragleave", () => element.classList.remove("over"));
  element.addEventListener("drop", (event) => {
    event.preventDefault();
    element.classList.remove("over");
    read(event.dataTransfer?.files[0]);
  });
  return element;
}
