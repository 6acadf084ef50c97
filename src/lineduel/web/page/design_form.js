/** The keys of a rulebook as a form. The server says which there are, and what is wrong. */

import { fill, make, show } from "./dom.js";
import { textOr, text } from "./texts.js";

/** Tables of which few people change anything; they are folded. */
const isFolded = ({ table, several }) => several || table.startsWith("words");

let numbered = 0;

export class DesignForm {
  /** `changed()` is called with every change. */
  constructor({ tables }, changed) {
    this.tables = tables;
    this.changed = changed;
    this.data = {};
    this.fields = new Map();
    this.parts = new Map();
    this.lists = new Map();
    this.element = make("form", { class: "rulebook-form", onsubmit: (event) => event.preventDefault() }, ...tables.map((table) => this.part(table)));
  }

  /** A table of the file, as a group of fields. */
  part(described) {
    const { table, meaning, several, keys } = described;
    const problem = make("p", { class: "field-problem" });
    const title = textOr(`table-${table}`, table);
    const lead = meaning ? make("p", { class: "hint" }, meaning) : null;
    const inside = several ? [this.list(described)] : keys.map((key) => this.field(key));
    const element = isFolded(described)
      ? make("details", { class: "rulebook-table" }, make("summary", {}, title), lead, problem, ...inside)
      : make("fieldset", { class: "rulebook-table" }, make("legend", { class: table ? "" : "unseen" }, title), problem, ...inside);
    this.parts.set(table, { described, element, problem });
    return element;
  }

  field(described) {
    const control = CONTROLS[described.kind](described, (value) => this.put(described, value));
    const { element, problem } = labelled(described, control);
    this.fields.set(described.key, { described, control, element, problem });
    return element;
  }

  /** A list of tables, such as the claims. */
  list({ table, keys }) {
    const rows = make("div", { class: "list-rows" });
    const add = make(
      "button",
      {
        type: "button",
        class: "quiet small",
        onclick: () => {
          const entry = Object.fromEntries(keys.filter((one) => one.required).map((one) => [nameOf(one.key), one.words[0]?.word ?? ""]));
          this.data[table] = [...(this.data[table] ?? []), entry];
          this.drawList(table);
          rows.lastElementChild.querySelector("select, input, textarea").focus();
          this.changed();
        },
      },
      text(`add-${table}`),
    );
    this.lists.set(table, { keys, rows, add });
    return make("div", { class: "list" }, rows, add);
  }

  drawList(table) {
    const { keys, rows, add } = this.lists.get(table);
    const entries = Array.isArray(this.data[table]) ? this.data[table] : [];
    fill(
      rows,
      ...entries.map((entry, index) => {
        const fields = keys.map((described) => {
          const control = CONTROLS[described.kind](described, (value) => {
            if (value === described.default) delete entry[nameOf(described.key)];
            else entry[nameOf(described.key)] = value;
            this.changed();
          });
          control.show(entry[nameOf(described.key)] ?? described.default ?? "");
          return labelled(described, control).element;
        });
        const remove = removeButton(text("removeEntry", { number: index + 1 }), () => {
          entries.splice(index, 1);
          if (!entries.length) delete this.data[table];
          this.drawList(table);
          add.focus();
          this.changed();
        });
        return make("div", { class: "list-row", role: "group", "aria-label": text("entry", { name: textOr(`table-${table}`, table), number: index + 1 }) }, ...fields, remove);
      }),
    );
  }

  /** Keep what was filled in; a text as it is by default is left out of the file. */
  put(described, value) {
    const path = described.key.split(".");
    const name = path.pop();
    let table = this.data;
    for (const one of path) table = isTable(table[one]) ? table[one] : (table[one] = {});
    if (described.kind === "text" && value === described.default) delete table[name];
    else table[name] = value;
    this.showNeeded();
    this.changed();
  }

  /** What a key holds, or would if the file left it out. */
  value(key) {
    const found = key.split(".").reduce((table, name) => (isTable(table) ? table[name] : undefined), this.data);
    return found ?? this.fields.get(key)?.described.default ?? undefined;
  }

  isNeeded({ needs }) {
    return !needs || needs.words.includes(this.value(needs.key));
  }

  /** Show the tables and keys that have a meaning now; what is new begins with something allowed. */
  showNeeded() {
    for (const { described, element } of this.parts.values()) {
      if (!described.needs) continue;
      const needed = this.isNeeded(described);
      show(element, needed);
      if (needed && !isTable(this.data[described.table])) {
        this.data[described.table] = Object.fromEntries(
          described.keys.filter((one) => one.required).map((one) => [nameOf(one.key), Math.floor((one.lowest + one.highest) / 2)]),
        );
        for (const one of described.keys) this.showField(one.key);
      }
    }
    for (const { described, element } of this.fields.values()) if (described.needs) show(element, this.isNeeded(described));
  }

  showField(key) {
    const { control } = this.fields.get(key);
    control.show(this.value(key) ?? "");
  }

  /** Fill in a rulebook as the server has read it. */
  fill(rulebook) {
    this.data = structuredClone(rulebook);
    for (const key of this.fields.keys()) this.showField(key);
    for (const table of this.lists.keys()) this.drawList(table);
    this.showNeeded();
  }

  /** The rulebook as data, without what has no meaning now. */
  rulebook() {
    const data = structuredClone(this.data);
    for (const { described } of this.parts.values()) if (!this.isNeeded(described)) delete data[described.table];
    for (const { described } of this.fields.values()) {
      const [table, name] = described.key.split(".");
      if (!this.isNeeded(described) && isTable(data[table])) delete data[table][name];
    }
    return data;
  }

  /** Say beside each key what is wrong with it; what belongs to no key of the form is returned. */
  complain(problems) {
    for (const { control, problem } of this.fields.values()) {
      problem.textContent = "";
      control.mark(false);
    }
    for (const { problem } of this.parts.values()) problem.textContent = "";
    return problems.filter((one) => !this.complainOf(one));
  }

  /** Say a problem beside the nearest key or table; whether there is one. */
  complainOf({ key, holds, allowed }) {
    const sentence = text("problem", { holds, allowed });
    for (let path = key; path; path = path.replace(/(^|[.[])[^.[]*$/, "")) {
      const field = this.fields.get(path);
      const place = field ?? this.parts.get(path);
      if (!place) continue;
      field?.control.mark(true);
      place.problem.append(place.problem.textContent ? ` ${sentence}` : path === key ? sentence : `${key.slice(path.length).replace(/^\./, "")}: ${sentence}`);
      place.problem.closest("details")?.setAttribute("open", "");
      return true;
    }
    return false;
  }
}

/** A label, a control, what the key means, and room for what is wrong. */
function labelled(described, control) {
  numbered += 1;
  const id = `field-${numbered}`;
  const hint = make("p", { class: "hint", id: `${id}-hint` });
  const problem = make("p", { class: "field-problem", id: `${id}-problem` });
  const label = textOr(`key-${described.key}`, nameOf(described.key));
  control.describe({ id, label, by: `${id}-hint ${id}-problem` });
  control.hint(hint);
  const head = control.isGroup
    ? make("span", { class: "field-label", id: `${id}-label` }, label)
    : make("label", { class: "field-label", for: id }, label);
  return { element: make("div", { class: `field kind-${described.kind}` }, head, control.element, hint, problem), problem };
}

/** A control of one element. */
function simple(element, { show: shown, hint = () => {} }) {
  return {
    element,
    show: shown,
    hint,
    mark: (wrong) => (wrong ? element.setAttribute("aria-invalid", "true") : element.removeAttribute("aria-invalid")),
    describe: ({ id, by }) => {
      element.id = id;
      element.setAttribute("aria-describedby", by);
    },
  };
}

function line(described, changed, { read, write, wide = false }) {
  const input = make("input", { type: "text", class: wide ? "" : "short", spellcheck: "false", autocomplete: "off", oninput: () => changed(read(input.value)) });
  return simple(input, {
    show: (value) => (input.value = write(value)),
    hint: (element) => (element.textContent = described.meaning),
  });
}

/** A text that grows with what is written; those of the game may have lines and fields. */
function written(described, changed) {
  const isSaid = described.key.startsWith("words.");
  const area = make("textarea", {
    rows: 1,
    class: isSaid ? "" : "one-sentence",
    spellcheck: "false",
    oninput: () => {
      fit();
      changed(area.value);
    },
    onkeydown: (event) => !isSaid && event.key === "Enter" && event.preventDefault(),
  });
  const fit = () => (area.rows = Math.min(8, area.value.split("\n").length));
  const fields = described.fields.map(({ name }) => `{${name}}`).join(", ");
  return simple(area, {
    show: (value) => {
      area.value = `${value}`;
      fit();
    },
    hint: (element) => (element.textContent = fields ? text("withFields", { meaning: described.meaning, fields }) : described.meaning),
  });
}

function word(described, changed) {
  let told = null;
  const explain = () => {
    const chosen = described.words.find((one) => one.word === select.value);
    if (told) told.textContent = chosen ? text("wordMeaning", chosen) : described.meaning;
  };
  const select = make(
    "select",
    {
      onchange: () => {
        explain();
        changed(select.value);
      },
    },
    ...described.words.map((one) => make("option", { value: one.word }, one.word)),
  );
  return simple(select, {
    show: (value) => {
      select.querySelector("[data-other]")?.remove();
      if (!described.words.some((one) => one.word === value)) select.append(make("option", { value: `${value}`, "data-other": true }, `${value}`));
      select.value = `${value}`;
      explain();
    },
    hint: (element) => {
      told = element;
      explain();
    },
  });
}

function flag(described, changed) {
  const box = make("input", { type: "checkbox", role: "switch", onchange: () => changed(box.checked) });
  const control = simple(box, {
    show: (value) => (box.checked = value === true),
    hint: (element) => (element.textContent = described.meaning),
  });
  control.element = make("span", { class: "switch" }, box);
  return control;
}

/** Pieces, each with its name and its home. */
function pieces(described, changed) {
  let rows = [];
  let label = "";
  const list = make("div", { class: "piece-rows" });
  const add = make("button", { type: "button", class: "quiet small", onclick: () => append() }, text("addPiece"));
  const twice = make("p", { class: "field-problem" });
  const element = make("div", { class: "pieces-field", role: "group" }, list, add, twice);
  const tell = () => {
    const names = rows.map(({ name }) => name.value.trim());
    const double = names.find((name, index) => names.indexOf(name) < index);
    twice.textContent = double === undefined ? "" : text("pieceTwice", { name: double });
    if (double === undefined) changed(Object.fromEntries(rows.map(({ name, home }) => [name.value.trim(), whole(home.value)])));
  };
  const row = ([given, cell], index) => {
    const name = make("input", { type: "text", value: given, maxlength: 16, spellcheck: "false", autocomplete: "off", "aria-label": text("pieceName", { number: index + 1, of: label }), oninput: tell });
    const home = make("input", { type: "text", class: "cell-number", value: `${cell}`, autocomplete: "off", "aria-label": text("pieceHome", { number: index + 1, of: label }), oninput: tell });
    const remove = removeButton(text("removePiece", { name: given }), () => {
      rows.splice(rows.findIndex((one) => one.name === name), 1);
      redraw();
      add.focus();
      tell();
    });
    return { name, home, remove, element: make("div", { class: "piece-row" }, name, make("span", { "aria-hidden": "true" }, text("on")), home, remove) };
  };
  const draw = (entries) => {
    rows = entries.map(row);
    fill(list, ...rows.map((one) => one.element));
    for (const one of rows) one.remove.disabled = rows.length <= described.fewest;
    add.disabled = rows.length >= described.most;
  };
  const redraw = () => draw(rows.map(({ name, home }) => [name.value, home.value]));
  const append = () => {
    const taken = new Set(rows.map(({ name }) => name.value.trim()));
    const last = rows.at(-1);
    draw([...rows.map(({ name, home }) => [name.value, home.value]), [freshName(taken, described), last?.home.value ?? "0"]]);
    rows.at(-1).name.select();
    tell();
  };
  return {
    isGroup: true,
    element,
    show: (value) => {
      twice.textContent = "";
      draw(isTable(value) ? Object.entries(value) : []);
    },
    hint: (place) => (place.textContent = described.meaning),
    mark: (wrong) => rows.forEach(({ name, home }) => [name, home].forEach((one) => (wrong ? one.setAttribute("aria-invalid", "true") : one.removeAttribute("aria-invalid")))),
    describe: ({ id, by }) => {
      label = textOr(`table-${described.key.split(".")[0]}`, described.key);
      element.setAttribute("aria-labelledby", `${id}-label`);
      element.setAttribute("aria-describedby", by);
    },
  };
}

/** A name that no piece of this side has yet. */
function freshName(taken, { key }) {
  const prefix = key.replace(/^player(\d).*/, "P$1-");
  const letters = [..."ABCDEFGHIJKLMNOP"];
  return prefix + letters.find((letter) => !taken.has(prefix + letter));
}

const CONTROLS = {
  text: written,
  word,
  flag,
  pieces,
  integer: (described, changed) => line(described, changed, { read: whole, write: (value) => `${value}` }),
  integers: (described, changed) => line(described, changed, { read: wholes, write: (value) => (Array.isArray(value) ? value.join(", ") : `${value}`), wide: true }),
};

function removeButton(label, onclick) {
  return make("button", { type: "button", class: "remove", "aria-label": label, title: label, onclick }, "×");
}

/** A whole number as it is; anything else as text, so that the server says what is wrong. */
function whole(given) {
  const trimmed = given.trim();
  return /^[+-]?\d{1,15}$/.test(trimmed) ? Number(trimmed) : trimmed;
}

function wholes(given) {
  return given.split(/[,\s]+/).filter(Boolean).map(whole);
}

function nameOf(key) {
  return key.split(".").at(-1);
}

function isTable(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
