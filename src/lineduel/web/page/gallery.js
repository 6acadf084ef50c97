/** The gallery: duels that searches found, and examples to start from, each ready to be played. */

import { get, sentenceOf } from "./api.js";
import { fill, make, say, show, styled } from "./dom.js";
import { chipList, duelChips } from "./duel_chips.js";
import { beginGame, showRules } from "./home.js";
import { live } from "./living_board.js";
import { text } from "./texts.js";

/** @import { GalleryDuel } from "./documents.js" */
/** @import { Chip } from "./duel_chips.js" */

/** How the duels can be sorted; the least comes first. */
const ORDERS = {
  found: () => 0,
  fairest: (/** @type {GalleryDuel} */ { figures: { value } }) =>
    Math.max(...value.map((one) => Math.abs(one))),
  shortest: (/** @type {GalleryDuel} */ { figures: { turns } }) => turns ?? Infinity,
  skill: (/** @type {GalleryDuel} */ { figures: { skill } }) => -skill,
};
const NAMES = /** @type {const} */ (["fairest", "shortest", "skill", "found"]);
/** Turns that a short game takes at most. */
const SHORT = 25;
/** Which duels are shown. */
const KINDS = {
  all: () => true,
  fair: (/** @type {GalleryDuel} */ duel) => duelChips(duel.figures)[0].good,
  short: (/** @type {GalleryDuel} */ { figures: { turns } }) => turns !== null && turns <= SHORT,
  single: (/** @type {GalleryDuel} */ { board }) => board.pieces.length === 2,
  several: (/** @type {GalleryDuel} */ { board }) => board.pieces.length > 2,
};
const KIND_NAMES = /** @type {const} */ (["all", "fair", "short", "single", "several"]);

/** @param {HTMLElement} main */
export async function open(main) {
  const problem = make("p", { class: "problem", role: "alert", hidden: true });
  const lists = make("div", { class: "gallery-lists" }, make("p", {}, text("loading")));
  const order = make(
    "select",
    { id: "gallery-order", onchange: () => arrange() },
    ...NAMES.map((name) => make("option", { value: name }, text(`order-${name}`))),
  );
  const kind = make(
    "select",
    { id: "gallery-kind", onchange: () => arrange() },
    ...KIND_NAMES.map((name) =>
      make("option", { value: name }, text(`kinds-${name}`, { turns: SHORT })),
    ),
  );
  fill(
    main,
    make(
      "div",
      { class: "gallery" },
      make("h1", { class: "gallery-title" }, text("gallery")),
      make("p", { class: "lead" }, text("galleryLead")),
      problem,
      make(
        "div",
        { class: "row gallery-ways" },
        make("label", { class: "unseen", for: "gallery-kind" }, text("whichGames")),
        kind,
        make("label", { class: "unseen", for: "gallery-order" }, text("order")),
        order,
        make("a", { class: "quiet-link", href: "/design" }, text("ownDesign")),
      ),
      lists,
    ),
  );
  /** @param {unknown} error */
  const complain = (error) => {
    problem.textContent = sentenceOf(error);
    show(problem, true);
    problem.scrollIntoView({ block: "nearest" });
  };
  let left = false;
  let wasAsked = false;
  /** @type {{ duel: GalleryDuel, element: HTMLElement }[]} */
  let cards = [];
  const arrange = () => {
    const chosen = NAMES.find((name) => name === order.value) ?? "found";
    const fits = KINDS[KIND_NAMES.find((name) => name === kind.value) ?? "all"];
    const worth = ORDERS[chosen];
    const shown = cards
      .filter((one) => fits(one.duel))
      .sort((one, other) => worth(one.duel) - worth(other.duel));
    fill(
      lists,
      ...[true, false].map((found) =>
        section(
          found,
          shown.filter((one) => one.duel.found === found),
        ),
      ),
    );
    if (wasAsked) say(text("galleryCount", { count: shown.length }));
    wasAsked = true;
  };
  try {
    const [duels] = await Promise.all([get("/api/gallery", {}), styled("/page/gallery.css")]);
    cards = duels.map((duel) => ({ duel, element: card(duel, () => left, complain) }));
    arrange();
  } catch (error) {
    fill(lists);
    complain(error);
  }
  return () => {
    left = true;
  };
}

/**
 * What the figures of a duel mean, in a window of their own.
 * @param {string} title
 * @param {Chip[]} chips
 */
async function showFigures(title, chips) {
  const { askInMiddle } = await import("./dialogs.js");
  const inside = make("ul", {}, ...chips.map(({ meaning }) => make("li", {}, meaning)));
  askInMiddle(text("figuresOf", { title }), { inside });
}

/**
 * @param {boolean} found
 * @param {{ element: HTMLElement }[]} cards
 */
function section(found, cards) {
  if (!cards.length) return null;
  return make(
    "section",
    {},
    make("h2", { class: "gallery-heading" }, text(found ? "galleryFound" : "galleryExamples")),
    make("p", { class: "quietly" }, text(found ? "galleryFoundLead" : "galleryExamplesLead")),
    make("div", { class: "games" }, ...cards.map(({ element }) => element)),
  );
}

/**
 * @param {GalleryDuel} duel
 * @param {() => boolean} isLeft
 * @param {(error: unknown) => void} complain
 */
function card(duel, isLeft, complain) {
  const { title, summary, toml, packed, figures } = duel;
  const place = make("div", { class: "game-board" });
  const chips = duelChips(figures);
  live(place, duel, isLeft);
  return make(
    "article",
    { class: "game gallery-card", id: duel.id },
    place,
    make("h3", { class: "card-title" }, title),
    make("p", { class: "card-summary" }, summary),
    chipList(chips),
    make(
      "div",
      { class: "game-more" },
      make(
        "button",
        {
          type: "button",
          class: "primary card-start",
          "aria-label": text("playGame", { title }),
          onclick: () => beginGame({ toml }).catch(complain),
        },
        text("navPlay"),
      ),
      make(
        "button",
        {
          type: "button",
          class: "quiet",
          "aria-label": text("rulesOf", { title }),
          onclick: () => showRules({ toml }).catch(complain),
        },
        text("rules"),
      ),
      make(
        "details",
        { class: "menu" },
        make("summary", { class: "quiet", "aria-label": text("moreOf", { title }) }, "⋯"),
        make(
          "div",
          { class: "menu-body" },
          make(
            "button",
            { type: "button", class: "quiet", onclick: () => showFigures(title, chips) },
            text("allFigures"),
          ),
          make("a", { href: `/design#${packed}` }, text("openDesigner")),
          make("a", { href: `/audit?rulebook=${packed}` }, text("audit")),
        ),
      ),
    ),
  );
}
