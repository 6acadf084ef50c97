/** Elements made by script; all that people read goes in as text. */

/**
 * @typedef {string | number | boolean | null | undefined} Value
 * @typedef {Node | string | null | undefined} Child
 * @typedef {HTMLElementEventMap} Events
 * @typedef {{ [Kind in keyof Events as `on${Kind}`]?: ((event: Events[Kind]) => unknown) | null }} Handlers
 * @typedef {"accept" | "alt" | "autocapitalize" | "autocomplete" | "checked" | "class" | "download" | "for"
 *   | "disabled" | "height" | "src" | "width"
 *   | "hidden" | "href" | "id" | "label" | "max" | "maxlength" | "method" | "name" | "open" | "placeholder"
 *   | "readonly" | "rel" | "role" | "rows" | "scope" | "spellcheck" | "tabindex" | "target"
 *   | "title" | "type" | "value"} Attribute
 * @typedef {{ [name: `aria-${string}` | `data-${string}`]: Value }} OpenAttributes
 * @typedef {Handlers & { [Name in Attribute]?: Value } & OpenAttributes} Given
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element: `make("p", {class: "lead", onclick}, "Hello", child)`.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Given} [given]
 * @param {...(Child | Child[])} children
 */
export function make(tag, given = {}, ...children) {
  return filled(document.createElement(tag), given, children);
}

/**
 * An SVG element with its attributes and children.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number>} [given]
 * @param {...(Child | Child[])} children
 */
export function draw(tag, given = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), given, children);
}

/**
 * @template {Element} Made
 * @param {Made} element
 * @param {object} given
 * @param {(Child | Child[])[]} children
 */
function filled(element, given, children) {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") Object.assign(element, { [name]: value });
    else element.setAttribute(name, value === true ? "" : `${value}`);
  }
  element.append(...present(children));
  return element;
}

/** @param {(Child | Child[])[]} children */
function present(children) {
  return children.flat().filter((child) => child !== null && child !== undefined);
}

/**
 * Replace what is inside an element.
 * @template {Element} Filled
 * @param {Filled} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  element.replaceChildren(...present(children));
  return element;
}

/**
 * A sentence in which no move such as `P1-B 1→2` is broken between two lines.
 * @param {string} sentence
 */
export function unbroken(sentence) {
  return sentence
    .split(/(\S+ \S+→\S+)/)
    .map((part, index) => (index % 2 ? make("span", { class: "unbroken" }, part) : part));
}

/**
 * Load the style of a page that is not opened often, once.
 * @param {string} href
 */
export async function styled(href) {
  if (document.querySelector(`link[href="${href}"]`)) return;
  await new Promise((resolve) => {
    document.head.append(
      make("link", { rel: "stylesheet", href, onload: resolve, onerror: resolve }),
    );
  });
}

/**
 * One of several choices, as a button that stays pressed.
 * @param {string} group
 * @param {string} label
 * @param {boolean} checked
 * @param {() => void} onchange
 */
export function pill(group, label, checked, onchange) {
  return make(
    "label",
    { class: "pill" },
    make("input", { type: "radio", name: group, checked, onchange }),
    make("span", {}, label),
  );
}

/**
 * Show or hide an element, for everyone.
 * @param {HTMLElement} element
 * @param {boolean} shown
 */
export function show(element, shown) {
  element.hidden = !shown;
}

/**
 * An element of `index.html`.
 * @template {HTMLElement} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 */
export function find(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`index.html has no such element: ${id}`);
  return found;
}

/**
 * The element that something happened in, if it is one of those a selector means.
 * @param {Event} event
 * @param {string} selector
 */
export function within({ target }, selector) {
  return target instanceof Element ? target.closest(selector) : null;
}

/**
 * Mark the present line of a list, and keep it in sight there; the page itself stays where it is.
 * @param {HTMLElement} list
 * @param {Element} line
 * @param {boolean} isNow
 */
export function followed(list, line, isNow) {
  line.classList.toggle("now", isNow);
  if (!isNow || !(line instanceof HTMLElement)) return;
  const top = line.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + line.offsetHeight > list.scrollTop + list.clientHeight)
    list.scrollTop = top + line.offsetHeight - list.clientHeight;
}

/** Whether this person wants as little motion as possible. */
export function wantsCalm() {
  return (
    document.documentElement.classList.contains("calm") ||
    matchMedia("(prefers-reduced-motion: reduce)").matches
  );
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let saying;

/**
 * Say something to a screen reader.
 * @param {string} sentence
 */
export function say(sentence) {
  if (!sentence) return;
  const region = find("said", HTMLElement);
  clearTimeout(saying);
  region.textContent = "";
  saying = setTimeout(() => {
    region.textContent = sentence;
  }, 40);
}
