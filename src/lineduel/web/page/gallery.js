/** The gallery: duels that searches found, and examples to start from, each ready to be played. */

import { get, sentenceOf } from "./api.js";
import { fill, make, say, show, styled } from "./dom.js";
import { chipList, duelChips } from "./duel_chips.js";
import { beginGame, showRules } from "./home.js";
import { live } from "./living_board.js";
import { text } from "./texts.js";

/** @import { GalleryDuel } from "./documents.js" */

/** How the duels can be sorted; the least comes first. */
const ORDERS = {
  found: () => 0,
  fairest: (/** @type {GalleryDuel} */ { figures: { value } }) =>
    Math.max(...value.map((one) => Math.abs(one))),
  shortest: (/** @type {GalleryDuel} */ { figures: { turns } }) => turns ?? Infinity,
  skill: (/** @type {GalleryDuel} */ { figures: { skill } }) => -skill,
};
/** @typedef {keyof typeof ORDERS} Order */
const NAMES = /** @type {const} */ (["found", "fairest", "shortest", "skill"]);

/** @param {HTMLElement} main */
export async function open(main) {
  const problem = make("p", { class: "problem", role: "alert", hidden: true });
  const lists = make("div", { class: "gallery-lists" }, make("p", {}, text("loading")));
  const order = make(
    "select",
    { id: "gallery-order", onchange: () => arrange() },
    ...NAMES.map((name) => make("option", { value: name }, text(`order-${name}`))),
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
        { class: "row" },
        make("label", { for: "gallery-order" }, text("order")),
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
  /** @type {{ duel: GalleryDuel, element: HTMLElement }[]} */
  let cards = [];
  const arrange = () => {
    const chosen = NAMES.find((name) => name === order.value) ?? "found";
    const worth = ORDERS[chosen];
    const sorted = [...cards].sort((one, other) => worth(one.duel) - worth(other.duel));
    fill(
      lists,
      ...[true, false].map((found) =>
        section(
          found,
          sorted.filter((one) => one.duel.found === found),
        ),
      ),
    );
    if (chosen !== "found") say(text(`order-${chosen}`));
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
 * @param {boolean} found
 * @param {{ element: HTMLElement }[]} cards
 */
function section(found, cards) {
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
      "details",
      { class: "all-figures" },
      make("summary", {}, text("allFigures")),
      make("ul", {}, ...chips.map(({ meaning }) => make("li", {}, meaning))),
    ),
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
        "a",
        {
          class: "quiet-link",
          href: `/design#${packed}`,
          "aria-label": `${title}: ${text("openDesigner")}`,
        },
        text("designerShort"),
      ),
      make(
        "a",
        {
          class: "quiet-link",
          href: `/audit?rulebook=${packed}`,
          "aria-label": `${title}: ${text("audit")}`,
        },
        text("audit"),
      ),
    ),
  );
}
