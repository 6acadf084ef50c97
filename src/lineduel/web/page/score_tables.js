/** How strong players are, and what each scores against each other, as tables that are charts, too. */

import { make } from "./dom.js";
import { text } from "./texts.js";

const ROUNDING = 1e-12;

/** @typedef {{ name: string, elo: number, margin?: number | null, more?: string[] }} StrengthRow */

/**
 * Elo as bars on one scale. A row is `{name, elo, margin, more}`; a margin is drawn as an error bar.
 * @param {StrengthRow[]} rows
 * @param {string[]} [heads]
 */
export function strengthTable(rows, heads = []) {
  const low = Math.min(...rows.map(({ elo, margin }) => elo - (margin ?? 0)));
  const high = Math.max(...rows.map(({ elo, margin }) => elo + (margin ?? 0)), low + 1);
  /** @param {number} elo */
  const place = (elo) => `${((elo - low) / (high - low)) * 100}%`;
  return make(
    "table",
    { class: "strengths" },
    make(
      "thead",
      {},
      make(
        "tr",
        {},
        head(text("player")),
        head(text("elo"), "figure"),
        make("td", { class: "strength-head" }),
        ...heads.map((one) => head(one, "figure")),
      ),
    ),
    make(
      "tbody",
      {},
      ...rows.map(({ name, elo, margin, more = [] }) =>
        make(
          "tr",
          {},
          make("th", { scope: "row" }, name),
          make("td", { class: "figure" }, strengthInWords(elo, margin)),
          make(
            "td",
            { class: "strength-cell", "aria-hidden": "true" },
            strengthBar(place, elo, margin),
          ),
          ...more.map((one) => make("td", { class: "figure" }, one)),
        ),
      ),
    ),
  );
}

/**
 * @param {number} elo
 * @param {number | null} [margin]
 */
function strengthInWords(elo, margin) {
  const shown = `${Math.round(elo)}`;
  return margin === undefined || margin === null
    ? shown
    : text("eloBetween", { elo: shown, margin: `${Math.round(margin)}` });
}

/**
 * @param {(elo: number) => string} place
 * @param {number} elo
 * @param {number | null} [margin]
 */
function strengthBar(place, elo, margin) {
  const bar = make("span", { class: "strength-bar" });
  bar.style.width = place(elo);
  if (!margin) return make("span", { class: "strength" }, bar);
  const whisker = make("span", { class: "strength-margin" });
  whisker.style.left = place(elo - margin);
  whisker.style.right = `calc(100% - ${place(elo + margin)})`;
  return make("span", { class: "strength" }, bar, whisker);
}

/**
 * What each row's player scores against each column's; `score(row, column)` is from 0 to 1, or null.
 * @param {string[]} names
 * @param {string[]} heads
 * @param {(row: number, column: number) => number | null} score
 * @param {(row: number, column: number) => string} detail
 */
export function crossTable(names, heads, score, detail) {
  /**
   * @param {number} row
   * @param {number} column
   */
  const cell = (row, column) => {
    const share = row === column ? null : score(row, column);
    if (share === null) return make("td", { class: "none" }, row === column ? "·" : "");
    const element = make(
      "td",
      { class: share >= 0.5 ? "warm" : "cold", title: detail(row, column) },
      points(share),
    );
    element.style.setProperty("--depth", `${Math.round(Math.abs(share - 0.5) * 200)}%`);
    return element;
  };
  const places = names.map((_, index) => index);
  return make(
    "div",
    { class: "wide-table", tabindex: 0, role: "region", "aria-label": text("crossTable") },
    make(
      "table",
      { class: "scores" },
      make(
        "thead",
        {},
        make(
          "tr",
          {},
          make("td", {}),
          ...places.map((column) =>
            make("th", { scope: "col", title: names[column] }, heads[column]),
          ),
        ),
      ),
      make(
        "tbody",
        {},
        ...places.map((row) =>
          make(
            "tr",
            {},
            make("th", { scope: "row" }, names[row]),
            ...places.map((column) => cell(row, column)),
          ),
        ),
      ),
    ),
  );
}

/**
 * Points of 100 games: 0 and 100 only for what never or always happens.
 * @param {number} share
 */
export function points(share) {
  const shown = Math.round(share * 100);
  if (shown <= 0 && share > ROUNDING) return "<1";
  if (shown >= 100 && share < 1 - ROUNDING) return ">99";
  return `${shown}`;
}

/**
 * @param {string} name
 * @param {string | null} [kind]
 */
export function head(name, kind = null) {
  return make("th", { scope: "col", class: kind }, name);
}

/**
 * A part of the page with a title.
 * @param {string} title
 * @param {...Node} children
 */
export function panel(title, ...children) {
  return make("section", { class: "panel stacked" }, make("h2", {}, title), ...children);
}
