/** Elements made by script; whatever is shown to people goes in as text. */

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element: `make("p", {class: "lead", onclick}, "Hello", child)`. */
export function make(tag, given = {}, ...children) {
  return filled(document.createElement(tag), given, children);
}

/** An SVG element with its attributes and children. */
export function draw(tag, given = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), given, children);
}

function filled(element, given, children) {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in PROPERTIES) element[PROPERTIES[name]] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

const PROPERTIES = { value: "value", checked: "checked" };

/** Replace what is inside an element. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Show or hide an element, for everyone. */
export function show(element, shown) {
  element.hidden = !shown;
  return element;
}

/** Whether this person wants as little motion as possible. */
export function wantsCalm() {
  return document.documentElement.classList.contains("calm") || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

const busy = new WeakMap();

/** Say something to a screen reader. */
export function say(sentence) {
  const region = document.getElementById("said");
  if (!region || !sentence) return;
  clearTimeout(busy.get(region));
  region.textContent = "";
  busy.set(region, setTimeout(() => (region.textContent = sentence), 40));
}
