/** Which page an address means, and going from one to another without loading the page again. */

import { find, within } from "./dom.js";

/**
 * @typedef {object} Page
 * @property {(main: HTMLElement, id?: string) => Leave | Promise<Leave>} open
 *
 * @typedef {(() => void) | undefined | void} Leave What to do when the page is left.
 */

/** @type {[RegExp, () => Promise<Page>][]} */
const PAGES = [
  [/^\/$/, () => import("./home.js")],
  [/^\/game\/([0-9a-z]{1,40})$/, () => import("./game.js")],
  [/^\/games$/, () => import("./my_games.js")],
  [/^\/replay\/([0-9a-z]{1,40})$/, () => import("./replay.js")],
  [/^\/about$/, () => import("./about.js")],
  [/^\/study(?:\/([^/]+))?$/, () => import("./study.js")],
  [/^\/review(?:\/([^/]+))?$/, () => import("./review.js")],
  [/^\/lessons(?:\/([^/]+))?$/, () => import("./lessons.js")],
  [/^\/design$/, () => import("./design.js")],
  [/^\/gallery$/, () => import("./gallery.js")],
  [/^\/audit(?:\/([^/]+))?$/, () => import("./audit.js")],
  [/^\/puzzles(?:\/([^/]+))?$/, () => import("./puzzles.js")],
  [/^\/ladder(?:\/([^/]+))?$/, () => import("./ladder.js")],
  [/^\/tournament(?:\/([^/]+))?$/, () => import("./tournament.js")],
];

/** Pages that are reached from one of the bar's, which is marked there.
 * @type {[RegExp, string][]} */
const PARTS = [
  [/^\/gallery$/, "/"],
  [/^\/audit(\/|$)/, "/design"],
  [/^\/review(\/|$)/, "/games"],
];

/** @type {() => void} */
let leave = () => {};
let visit = 0;

/**
 * A part of an address as text; as it is where a broken link has a "%" that stands for nothing.
 * @param {string} part
 */
export function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Open the page of the present address. */
async function open({ keepFocus = false } = {}) {
  visit += 1;
  const mine = visit;
  const main = find("main", HTMLElement);
  const { pathname } = location;
  const [pattern, load] = PAGES.find(([path]) => path.test(pathname)) ?? [
    /^/,
    () => import("./missing.js"),
  ];
  const id = pattern.exec(pathname)?.[1];
  const page = await load();
  if (mine !== visit) return;
  leave();
  leave = () => {};
  main.replaceChildren();
  document.title = "lineduel";
  find("icon", HTMLLinkElement).href = "/page/icon.svg";
  for (const link of find("bar", HTMLElement).querySelectorAll("a")) {
    if (!link.closest("nav")) continue;
    const path = new URL(link.href).pathname;
    const isHere = path === "/" ? pathname === "/" : pathname.startsWith(path);
    const isWithin = PARTS.some(([pattern, whole]) => whole === path && pattern.test(pathname));
    if (isHere) link.setAttribute("aria-current", "page");
    else if (isWithin) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  const left = await page.open(main, id === undefined ? undefined : decoded(id));
  if (mine !== visit) left?.();
  else leave = left ?? (() => {});
  if (!keepFocus && mine === visit) main.focus({ preventScroll: true });
}

/**
 * Go to another address of this site.
 * @param {string} address
 * @param {{ replace?: boolean }} [how]
 */
export function go(address, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", address);
  scrollTo(0, 0);
  return open();
}

/** Follow links and the browser's own buttons. */
export function start() {
  addEventListener("popstate", () => open());
  document.addEventListener("click", (event) => {
    const link = within(event, "a[href]");
    const isPlain =
      event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (
      !(link instanceof HTMLAnchorElement) ||
      !isPlain ||
      link.target ||
      link.hasAttribute("download")
    )
      return;
    const url = new URL(link.href);
    if (
      url.origin !== location.origin ||
      url.pathname.startsWith("/api") ||
      url.pathname.startsWith("/page")
    )
      return;
    if (link.getAttribute("href")?.startsWith("#")) return;
    event.preventDefault();
    go(url.pathname + url.search + url.hash);
  });
  open({ keepFocus: true });
}
