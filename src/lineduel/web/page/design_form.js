/** The keys of a rulebook as a form. The server says which there are, and what is wrong. */

import { fill, make, say, show } from "./dom.js";
import { text, textOr } from "./texts.js";

/** @import { DesignForm as Described, FormKey, FormNeed, FormTable, ProblemDocument } from "./documents.js" */

/**
 * What a key of a rulebook holds, right or wrong.
 * @typedef {unknown} Held
 * @typedef {Record<string, Held>} Table
 * @typedef {(value: Held) => void} Changed
 *
 * @typedef {object} Control
 * @property {HTMLElement} element
 * @property {(value: Held) => void} show
 * @property {(place: HTMLElement) => void} hint Says in a place what the key means.
 * @property {(wrong: boolean, about?: { key: string, holds: string }) => void} mark Marks what a problem
 *   is about, or takes all marks away.
 * @property {(as: { id: string, by: string }) => void} describe
 * @property {boolean} [isGroup] Whether it has several elements.
 */

/**
 * Whether a table is folded: few people change anything in it.
 * @param {FormTable} described
 */
function isFolded({ table, several }) {
  return several || table.startsWith("words");
}

/** Keys whose label says all. */
const PLAIN = ["title", "summary", "track.first"];

let numbered = 0;

export class DesignForm {
  /**
   * `changed()` is called with every change.
   * @param {Described} described
   * @param {() => void} changed
   */
  constructor({ tables }, changed) {
    this.tables = tables;
    this.changed = changed;
    /** @type {Table} */
    this.data = {};
    /** @type {Map<string, { described: FormKey, control: Control, element: HTMLElement, problem: HTMLElement, note: HTMLElement }>} */
    this.fields = new Map();
    /** @type {Map<string, { described: FormTable, element: HTMLElement, problem: HTMLElement }>} */
    this.parts = new Map();
    /** @type {Map<string, () => void>} Draws each list of tables again. */
    this.lists = new Map();
    this.element = make(
      "form",
      { class: "rulebook-form", onsubmit: (event) => event.preventDefault() },
      ...tables.map((table) => this.part(table)),
    );
  }

  /**
   * A table of the file, as a group of fields.
   * @param {FormTable} described
   */
  part(described) {
    const { table, meaning, several, keys } = described;
    const problem = make("p", { class: "field-problem" });
    const title = textOr(`table-${table}`, table);
    const lead = meaning ? make("p", { class: "hint" }, meaning) : null;
    const inside = several
      ? [this.list(described)]
      : [
          ...keys.filter((key) => !isRare(key)).map((key) => this.field(key)),
          this.rare(keys.filter(isRare)),
        ];
    const element = table
      ? make(
          "details",
          { class: "rulebook-table", open: !isFolded(described) },
          make("summary", {}, title),
          several || isFolded(described) ? lead : null,
          problem,
          ...inside,
        )
      : make(
          "fieldset",
          { class: "rulebook-table" },
          make("legend", { class: "unseen" }, title),
          problem,
          ...inside,
        );
    this.parts.set(table, { described, element, problem });
    return element;
  }

  /**
   * Keys that few rulebooks need, folded.
   * @param {FormKey[]} keys
   */
  rare(keys) {
    if (!keys.length) return null;
    return make(
      "details",
      { class: "rare-keys" },
      make("summary", {}, text("moreKeys")),
      ...keys.map((key) => this.field(key)),
    );
  }

  /** @param {FormKey} described */
  field(described) {
    const control = CONTROLS[described.kind](described, (value) => this.put(described, value));
    const { element, problem, note } = labelled(described, control);
    this.fields.set(described.key, { described, control, element, problem, note });
    return element;
  }

  /**
   * A list of tables, such as the claims.
   * @param {FormTable} described
   */
  list({ table, keys }) {
    const rows = make("div", { class: "list-rows" });
    const draw = () =>
      fill(
        rows,
        this.entries(table).map((entry, index) => this.listRow(table, keys, entry, index, add)),
      );
    const onclick = () => {
      const entry = Object.fromEntries(
        keys
          .filter((one) => one.required)
          .map((one) => [nameOf(one.key), one.words[0]?.word ?? ""]),
      );
      this.data[table] = [...this.entries(table), entry];
      draw();
      const first = rows.lastElementChild?.querySelector("select, input, textarea");
      if (first instanceof HTMLElement) first.focus();
      this.changed();
    };
    const add = make(
      "button",
      { type: "button", class: "quiet small", onclick },
      textOr(`add-${table}`, table),
    );
    this.lists.set(table, draw);
    return make("div", { class: "list" }, rows, add);
  }

  /**
   * The tables of a list, as far as they are tables.
   * @param {string} table
   */
  entries(table) {
    const held = this.data[table];
    return Array.isArray(held) ? held.filter(isTable) : [];
  }

  /**
   * @param {string} table
   * @param {FormKey[]} keys
   * @param {Table} entry
   * @param {number} index
   * @param {HTMLElement} add
   */
  listRow(table, keys, entry, index, add) {
    const fields = keys.map((described) => {
      const name = nameOf(described.key);
      const control = CONTROLS[described.kind](described, (value) => {
        if (value === described.default) delete entry[name];
        else entry[name] = value;
        this.changed();
      });
      control.show(entry[name] ?? described.default ?? "");
      return labelled(described, control).element;
    });
    const remove = removeButton(text("removeEntry", { number: index + 1 }), () => {
      const left = this.entries(table).filter((one) => one !== entry);
      if (left.length) this.data[table] = left;
      else delete this.data[table];
      this.lists.get(table)?.();
      add.focus();
      this.changed();
    });
    const label = text("entry", { name: textOr(`table-${table}`, table), number: index + 1 });
    return make("div", { class: "list-row", role: "group", "aria-label": label }, fields, remove);
  }

  /**
   * Keep what was filled in; what is as it is by default is left out of the file.
   * @param {FormKey} described
   * @param {Held} value
   */
  put(described, value) {
    const name = nameOf(described.key);
    let table = this.data;
    for (const one of described.key.split(".").slice(0, -1)) {
      const inside = table[one];
      if (isTable(inside)) table = inside;
      else table = table[one] = {};
    }
    const isPlain = JSON.stringify(value) === JSON.stringify(described.default);
    if (!described.required && isPlain) delete table[name];
    else table[name] = value;
    this.showNeeded();
    this.changed();
  }

  /**
   * Change a key from elsewhere, such as the board.
   * @param {string} key
   * @param {Held} value
   */
  set(key, value) {
    const field = this.fields.get(key);
    if (!field) return;
    this.put(field.described, value);
    this.showField(key);
  }

  /**
   * What a key holds, or would if the file left it out.
   * @param {string} key
   * @returns {Held}
   */
  value(key) {
    /** @type {Held} */
    let found = this.data;
    for (const name of key.split(".")) found = isTable(found) ? found[name] : undefined;
    return found ?? this.fields.get(key)?.described.default ?? undefined;
  }

  /** @param {{ needs: FormNeed | null }} described */
  isNeeded({ needs }) {
    return !needs || needs.words.some((one) => one === this.value(needs.key));
  }

  /** Show the tables and keys that have a meaning now; what is new begins with something allowed. */
  showNeeded() {
    for (const { described, element } of this.parts.values()) {
      if (!described.needs) continue;
      const needed = this.isNeeded(described);
      show(element, needed);
      if (needed && !isTable(this.data[described.table])) {
        this.data[described.table] = Object.fromEntries(
          described.keys.filter((one) => one.required).map((one) => [nameOf(one.key), middle(one)]),
        );
        for (const one of described.keys) this.showField(one.key);
      }
    }
    for (const { described, element } of this.fields.values())
      if (described.needs) show(element, this.isNeeded(described));
  }

  /** @param {string} key */
  showField(key) {
    this.fields.get(key)?.control.show(this.value(key) ?? "");
  }

  /**
   * Fill in a rulebook as the server has read it.
   * @param {Table} rulebook
   */
  fill(rulebook) {
    this.data = structuredClone(rulebook);
    for (const key of this.fields.keys()) this.showField(key);
    for (const { described, element } of this.fields.values())
      if (isRare(described) && `${this.value(described.key)}` !== `${described.default}`)
        element.closest("details")?.setAttribute("open", "");
    for (const draw of this.lists.values()) draw();
    this.showNeeded();
  }

  /** The rulebook as data, without what has no meaning now. */
  rulebook() {
    const data = structuredClone(this.data);
    for (const { described } of this.parts.values())
      if (!this.isNeeded(described)) delete data[described.table];
    for (const { described } of this.fields.values()) {
      const [table, name] = described.key.split(".");
      const inside = data[table];
      if (!this.isNeeded(described) && isTable(inside)) delete inside[name];
    }
    return data;
  }

  /**
   * Say beside each key what is wrong with it; what belongs to no key of the form is returned.
   * @param {ProblemDocument[]} problems
   */
  complain(problems) {
    for (const { control, problem } of this.fields.values()) {
      problem.textContent = "";
      control.mark(false);
    }
    for (const { problem } of this.parts.values()) problem.textContent = "";
    return problems.filter((one) => !this.complainOf(one));
  }

  /**
   * Say a problem beside the nearest key or table; whether there is one.
   * @param {ProblemDocument} problem
   */
  complainOf(problem) {
    const { key, holds } = problem;
    const first = this.value("track.first");
    const isTooLong = isOfTrack(problem) && typeof first === "number";
    const sentence = isTooLong
      ? text("trackProblem", { least: first + 1, most: first + 63 })
      : problemInWords(problem);
    const place = this.place(problem);
    if (!place) return false;
    this.fields.get(place.path)?.control.mark(true, { key, holds });
    const isExact = isTooLong || place.path === key;
    place.problem.append(
      place.problem.textContent
        ? ` ${sentence}`
        : isExact
          ? sentence
          : `${key.slice(place.path.length).replace(/^\./, "")}: ${sentence}`,
    );
    for (
      let at = place.problem.closest("details");
      at;
      at = at.parentElement?.closest("details") ?? null
    )
      at.open = true;
    return true;
  }

  /**
   * The field that a problem is told beside, or its table.
   * @param {ProblemDocument} problem
   */
  place(problem) {
    for (
      let path = isOfTrack(problem) ? "track.last" : problem.key; // the length has no field of its own
      path;
      path = path.replace(/(^|[.[])[^.[]*$/, "")
    ) {
      const found = this.fields.get(path) ?? this.parts.get(path);
      if (found) return { path, problem: found.problem, element: found.element };
    }
    return null;
  }

  /**
   * Go to the field of a problem; whether it has one.
   * @param {ProblemDocument} problem
   */
  goTo(problem) {
    const element = this.place(problem)?.element;
    const wrong = element?.querySelector('[aria-invalid="true"], input, select, textarea');
    if (!element || !(wrong instanceof HTMLElement)) return false;
    const marked = element.querySelector('[aria-invalid="true"]');
    const target = marked instanceof HTMLElement ? marked : wrong;
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: "center" });
    return true;
  }

  /**
   * Say beside a key what else has changed with it.
   * @param {string} key
   * @param {string} sentence
   */
  tell(key, sentence) {
    const field = this.fields.get(key);
    if (field) field.note.textContent = sentence;
    say(sentence);
  }
}

/**
 * Whether few rulebooks need a key.
 * @param {FormKey} described
 */
function isRare({ required, kind, key }) {
  const isOfTeam = key.startsWith("player");
  return isOfTeam && !required && ["integer", "integers", "piece_steps"].includes(kind);
}

/** @param {ProblemDocument} problem */
function isOfTrack({ key }) {
  return key.startsWith("track");
}

/**
 * Problems in the order of the file, those of one key and one kind as one.
 * @param {ProblemDocument[]} problems
 */
export function grouped(problems) {
  /** @type {Map<string, ProblemDocument[]>} */
  const groups = new Map();
  const inOrder = [...problems].sort(
    (one, other) =>
      one.line - other.line || one.holds.localeCompare(other.holds, "en", { numeric: true }),
  );
  for (const one of inOrder) {
    const kind = [one.line, one.key, one.allowed].join();
    groups.set(kind, [...(groups.get(kind) ?? []), one]);
  }
  return [...groups.values()].map(([first, ...others]) =>
    others.length
      ? { ...first, holds: text("andMore", { first: first.holds, count: others.length }) }
      : first,
  );
}

/**
 * What is wrong with what a key holds, and what would be right.
 * @param {Pick<ProblemDocument, "holds" | "allowed">} problem
 */
export function problemInWords({ holds, allowed }) {
  const shown = holds.replace(/^\[(.*)\]$/, "$1");
  return allowed === "one TOML document"
    ? text("notToml", { holds: shown })
    : text("problem", { holds: shown, allowed });
}

/**
 * A label, a control, what the key means, and room for what is wrong.
 * @param {FormKey} described
 * @param {Control} control
 */
function labelled(described, control) {
  numbered += 1;
  const id = `field-${numbered}`;
  const hint = make("p", { class: "hint", id: `${id}-hint` });
  const problem = make("p", { class: "field-problem", id: `${id}-problem` });
  const note = make("p", { class: "field-note" });
  const label = textOr(`key-${described.key}`, inWords(nameOf(described.key)));
  control.describe({ id, by: `${id}-hint ${id}-problem` });
  control.hint(hint);
  const head = control.isGroup
    ? make("span", { class: "field-label", id: `${id}-label` }, label)
    : make("label", { class: "field-label", for: id }, label);
  return {
    element: make(
      "div",
      { class: `field kind-${described.kind}` },
      head,
      control.element,
      hint,
      note,
      problem,
    ),
    problem,
    note,
  };
}

/**
 * A control of one element.
 * @param {HTMLElement} element
 * @param {Pick<Control, "show" | "hint">} how
 * @returns {Control}
 */
function simple(element, { show: shown, hint }) {
  return {
    element,
    show: shown,
    hint,
    mark: (wrong) => markWrong(element, wrong),
    describe: ({ id, by }) => {
      element.id = id;
      element.setAttribute("aria-describedby", by);
    },
  };
}

/**
 * @param {HTMLElement} element
 * @param {boolean} wrong
 */
function markWrong(element, wrong) {
  if (wrong) element.setAttribute("aria-invalid", "true");
  else element.removeAttribute("aria-invalid");
}

/**
 * Says what a key means.
 * @param {FormKey} described
 * @returns {Control["hint"]}
 */
function meaningOf({ key, meaning }) {
  const named = meaning.replace(/[a-z\d]+\.[a-z_]+/g, (other) => {
    const label = textOr(`key-${other}`, "");
    return label ? `“${label}”` : other;
  });
  return (place) => {
    place.textContent = PLAIN.includes(key) ? "" : named;
  };
}

/**
 * @param {FormKey} described
 * @param {Changed} changed
 * @param {{ read: (given: string) => Held, write: (value: Held) => string, wide?: boolean }} how
 */
function line(described, changed, { read, write, wide = false }) {
  const oninput = () => void changed(read(input.value));
  const input = make("input", {
    type: "text",
    class: wide ? "" : "short",
    spellcheck: "false",
    autocomplete: "off",
    oninput,
  });
  return simple(input, {
    show: (value) => {
      input.value = write(value);
    },
    hint: meaningOf(described),
  });
}

/** Steps that have a button; others are typed. */
const COMMON_STEPS = [1, 2, 3, 0, -1, -2];

/**
 * Steps along the track: buttons for the common ones, and a line for any.
 * @param {FormKey} described
 * @param {Changed} changed
 * @param {{ read: (given: string) => Held, write: (value: Held) => string, wide?: boolean }} how
 */
function steps(described, changed, how) {
  /** @type {Held} */
  let held = [];
  const typed = line(
    described,
    (value) => {
      held = value;
      mark();
      changed(value);
    },
    how,
  );
  const buttons = COMMON_STEPS.map((step) =>
    make(
      "button",
      {
        type: "button",
        class: "step-toggle",
        "aria-pressed": "false",
        onclick: () => {
          const chosen = Array.isArray(held) ? held : [];
          const others = chosen.filter((one) => one !== step);
          const next = others.length < chosen.length ? others : [...chosen, step];
          typed.show(next);
          held = next;
          mark();
          changed(next);
        },
      },
      stepInWords(step),
    ),
  );
  const mark = () => {
    for (const [index, button] of buttons.entries())
      button.setAttribute(
        "aria-pressed",
        `${Array.isArray(held) && held.includes(COMMON_STEPS[index])}`,
      );
  };
  return {
    ...typed,
    element: make(
      "div",
      { class: "steps-field" },
      make(
        "div",
        { class: "step-toggles", role: "group", "aria-label": text("commonSteps") },
        buttons,
      ),
      typed.element,
    ),
    show: (/** @type {Held} */ value) => {
      held = value;
      typed.show(value);
      mark();
    },
  };
}

/** @param {number} step */
function stepInWords(step) {
  if (step === 0) return text("stepStay");
  return step > 0 ? text("stepOn", { step }) : text("stepBack", { step: -step });
}

/**
 * A text that grows with what is written; those of the game may have lines and fields.
 * @param {FormKey} described
 * @param {Changed} changed
 */
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
  const fit = () => {
    area.rows = Math.min(8, area.value.split("\n").length);
  };
  const fields = described.fields.map(({ name }) => `{${name}}`).join(", ");
  return simple(area, {
    show: (value) => {
      area.value = `${value}`;
      fit();
    },
    hint: fields
      ? meaningOf({
          ...described,
          meaning: text("withFields", { meaning: described.meaning, fields }),
        })
      : meaningOf(described),
  });
}

/**
 * @param {FormKey} described
 * @param {Changed} changed
 */
function word(described, changed) {
  /** @type {HTMLElement | null} */
  let told = null;
  const explain = () => {
    const chosen = described.words.find((one) => one.word === select.value);
    if (!told) return;
    const word = chosen ? textOr(`word-${chosen.word}`, chosen.word) : "";
    const meaning = chosen?.meaning ?? "";
    told.textContent =
      chosen && word !== meaning ? text("wordMeaning", { word, meaning }) : described.meaning;
  };
  const select = make(
    "select",
    {
      onchange: () => {
        explain();
        changed(select.value);
      },
    },
    ...described.words.map((one) =>
      make("option", { value: one.word }, textOr(`word-${one.word}`, one.word)),
    ),
  );
  return simple(select, {
    show: (value) => {
      select.querySelector("[data-other]")?.remove();
      if (!described.words.some((one) => one.word === value))
        select.append(make("option", { value: `${value}`, "data-other": true }, `${value}`));
      select.value = `${value}`;
      explain();
    },
    hint: (element) => {
      told = element;
      explain();
    },
  });
}

/**
 * @param {FormKey} described
 * @param {Changed} changed
 */
function flag(described, changed) {
  const box = make("input", {
    type: "checkbox",
    role: "switch",
    onchange: () => void changed(box.checked),
  });
  const control = simple(box, {
    show: (value) => {
      box.checked = value === true;
    },
    hint: meaningOf(described),
  });
  control.element = make("span", { class: "switch" }, box);
  return control;
}

/**
 * Pieces, each with its name and its home.
 * @param {FormKey} described
 * @param {Changed} changed
 * @returns {Control}
 */
function pieces(described, changed) {
  /** @type {{ name: HTMLInputElement, home: HTMLInputElement, remove: HTMLButtonElement, element: HTMLElement }[]} */
  let rows = [];
  const label = textOr(`table-${described.key.split(".")[0]}`, described.key);
  const list = make("div", { class: "piece-rows" });
  const add = make(
    "button",
    { type: "button", class: "quiet small", onclick: () => append() },
    text("addPiece"),
  );
  const twice = make("p", { class: "field-problem" });
  const element = make("div", { class: "pieces-field", role: "group" }, list, add, twice);
  const tell = () => {
    const names = rows.map(({ name }) => name.value.trim());
    const double = names.find((name, index) => names.indexOf(name) < index);
    twice.textContent = double === undefined ? "" : text("pieceTwice", { name: double });
    if (double === undefined)
      changed(
        Object.fromEntries(rows.map(({ name, home }) => [name.value.trim(), whole(home.value)])),
      );
  };
  /**
   * @param {[string, Held]} piece
   * @param {number} index
   */
  const row = ([given, cell], index) => {
    const name = make("input", {
      type: "text",
      value: given,
      maxlength: 16,
      spellcheck: "false",
      autocomplete: "off",
      "aria-label": text("pieceName", { number: index + 1, of: label }),
      oninput: tell,
    });
    const home = make("input", {
      type: "text",
      class: "cell-number",
      value: `${cell}`,
      autocomplete: "off",
      "aria-label": text("pieceHome", { number: index + 1, of: label }),
      oninput: tell,
    });
    const remove = removeButton(text("removePiece", { name: given }), () => {
      rows.splice(
        rows.findIndex((one) => one.name === name),
        1,
      );
      redraw();
      add.focus();
      tell();
    });
    return {
      name,
      home,
      remove,
      element: make(
        "div",
        { class: "piece-row" },
        name,
        make("span", { "aria-hidden": "true" }, text("on")),
        home,
        remove,
      ),
    };
  };
  /** @param {[string, Held][]} entries */
  const draw = (entries) => {
    rows = entries.map(row);
    fill(list, ...rows.map((one) => one.element));
    for (const one of rows) one.remove.disabled = rows.length <= (described.fewest ?? 0);
    add.disabled = rows.length >= (described.most ?? Infinity);
  };
  /** @returns {[string, Held][]} */
  const filledIn = () => rows.map(({ name, home }) => [name.value, home.value]);
  const redraw = () => draw(filledIn());
  const append = () => {
    const taken = new Set(rows.map(({ name }) => name.value.trim()));
    const last = rows.at(-1);
    draw([...filledIn(), [freshName(taken, described), last?.home.value ?? "0"]]);
    rows.at(-1)?.name.select();
    tell();
  };
  return {
    isGroup: true,
    element,
    show: (value) => {
      twice.textContent = "";
      draw(isTable(value) ? Object.entries(value) : []);
    },
    hint: meaningOf(described),
    mark: (wrong, about) => {
      const theirs = rows.filter(
        ({ name: { value: name } }) =>
          about?.holds.startsWith(`${name.trim()} `) || about?.key.endsWith(`.${name.trim()}`),
      );
      for (const { name, home } of theirs.length ? theirs : rows) {
        markWrong(home, wrong);
        if (!theirs.length) markWrong(name, wrong);
      }
    },
    describe: ({ id, by }) => {
      element.setAttribute("aria-labelledby", `${id}-label`);
      element.setAttribute("aria-describedby", by);
    },
  };
}

/**
 * A name that no piece of this side has yet.
 * @param {Set<string>} taken
 * @param {FormKey} described
 */
function freshName(taken, { key }) {
  const prefix = key.replace(/^player(\d).*/, "P$1-");
  const letters = [..."ABCDEFGHIJKLMNOP"];
  return prefix + letters.find((letter) => !taken.has(prefix + letter));
}

/** @type {Record<FormKey["kind"], (described: FormKey, changed: Changed) => Control>} */
const CONTROLS = {
  text: written,
  word,
  flag,
  pieces,
  integer: (described, changed) =>
    line(described, changed, { read: whole, write: (value) => `${value}` }),
  integers: (described, changed) =>
    (nameOf(described.key) === "steps" ? steps : line)(described, changed, {
      read: wholes,
      write: (value) => (Array.isArray(value) ? value.join(", ") : `${value}`),
      wide: true,
    }),
  piece_steps: (described, changed) =>
    line(described, changed, {
      read: piecesWithSteps,
      write: (value) =>
        isTable(value)
          ? Object.entries(value)
              .map(([name, steps]) => `${name}: ${Array.isArray(steps) ? steps.join(", ") : steps}`)
              .join("; ")
          : `${value}`,
      wide: true,
    }),
};

/**
 * @param {string} label
 * @param {() => void} onclick
 */
function removeButton(label, onclick) {
  return make(
    "button",
    { type: "button", class: "remove", "aria-label": label, title: label, onclick },
    "×",
  );
}

/**
 * A whole number as it is; anything else as text, so that the server says what is wrong.
 * @param {string} given
 */
function whole(given) {
  const trimmed = given.trim();
  return /^[+-]?\d{1,15}$/.test(trimmed) ? Number(trimmed) : trimmed;
}

/** @param {string} given */
function wholes(given) {
  return given
    .split(/[,\s]+/)
    .filter(Boolean)
    .map(whole);
}

/**
 * `A: 1, 2; B: 3` as a table.
 * @param {string} given
 */
function piecesWithSteps(given) {
  const parts = given.split(";").filter((part) => part.trim());
  return Object.fromEntries(
    parts.map((part) => {
      const [name, steps = ""] = part.split(":");
      return [name.trim(), wholes(steps)];
    }),
  );
}

/** @param {string} key */
function nameOf(key) {
  return key.slice(key.lastIndexOf(".") + 1);
}

/**
 * A number in the middle of those that a key may hold.
 * @param {FormKey} described
 */
function middle({ lowest, highest }) {
  return Math.floor(((lowest ?? 0) + (highest ?? 0)) / 2);
}

/**
 * @param {Held} value
 * @returns {value is Table}
 */
function isTable(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/**
 * The name of a key as people read it: `flag1` as `Flag 1`.
 * @param {string} name
 */
function inWords(name) {
  const words = name.replaceAll("_", " ").replace(/(\d+)$/, " $1");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
