/** The keys of a rulebook as a form, and what is filled in as TOML. The server checks it. */

import { make, show } from "./dom.js";
import { text } from "./texts.js";

const CHOICES = {
  "turn.first": ["player1", "player2", "either"],
  "move.edge": ["illegal", "stay"],
  "move.jump": ["true", "false"],
  "move.again": ["never", "capture"],
  "meet.own": ["blocked", "shared"],
  "meet.enemy": ["captured", "sent home", "blocked", "shared", "battle", "wins"],
  "battle.wins": ["higher", "undercut", "cyclic"],
  "battle.loser": ["sent home", "captured"],
  "battle.tie": ["both", "attacker", "defender", "nobody"],
};

/** Every key in the order of the file, with how it is written. */
const KEYS = [
  ["title", "words"],
  ["summary", "words"],
  ["track.first", "number"],
  ["track.last", "number"],
  ["player1.pieces", "pieces"],
  ["player1.goal", "numbers"],
  ["player2.pieces", "pieces"],
  ["player2.goal", "numbers"],
  ["turn.first", "words"],
  ["move.steps", "numbers"],
  ["move.edge", "words"],
  ["move.jump", "plain"],
  ["move.again", "words"],
  ["meet.own", "words"],
  ["meet.enemy", "words"],
  ["battle.numbers", "number"],
  ["battle.wins", "words"],
  ["battle.loser", "words"],
  ["battle.tie", "words"],
];
const DEFAULTS = { "move.again": "never", "battle.numbers": "5", "battle.wins": "higher", "battle.loser": "sent home", "battle.tie": "both" };

export class RulebookForm {
  /** `changed()` is called with every change. */
  constructor(changed) {
    this.fields = new Map();
    const tables = new Map();
    for (const [key] of KEYS) {
      const field = this.field(key, changed);
      const [table] = key.includes(".") ? key.split(".") : [""];
      tables.set(table, [...(tables.get(table) ?? []), field]);
    }
    const parts = [...tables].map(([table, fields]) => {
      const legend = table ? make("legend", {}, text(`table-${table}`)) : make("legend", { class: "unseen" }, text("table-title"));
      const part = make("fieldset", { class: "rulebook-table" }, legend, ...fields);
      if (table === "battle") this.battle = part;
      return part;
    });
    this.element = make("form", { class: "rulebook-form", onsubmit: (event) => event.preventDefault() }, ...parts);
  }

  field(key, changed) {
    const onchange = () => {
      this.showBattle();
      changed();
    };
    const choices = CHOICES[key];
    const input = choices
      ? make("select", { onchange }, ...choices.map((one) => make("option", { value: one }, one)))
      : make("input", { type: "text", spellcheck: "false", autocomplete: "off", oninput: onchange });
    const problem = make("span", { class: "field-problem" });
    this.fields.set(key, { input, problem });
    return make("label", { class: "field" }, make("span", {}, text(`key-${key}`)), input, problem);
  }

  showBattle() {
    show(this.battle, this.fields.get("meet.enemy").input.value === "battle");
  }

  /** Fill in a rulebook as the server describes it. */
  fill(rulebook) {
    for (const [key, kind] of KEYS) {
      const [table, name] = key.includes(".") ? key.split(".") : [null, key];
      const value = table ? rulebook[table]?.[name] : rulebook[name];
      this.fields.get(key).input.value = value === undefined ? (DEFAULTS[key] ?? "") : shown(value, kind);
    }
    this.showBattle();
  }

  /** The rulebook as a file. */
  toml() {
    const lines = [];
    let current = null;
    for (const [key, kind] of KEYS) {
      const [table, name] = key.includes(".") ? key.split(".") : [null, key];
      if (table === "battle" && this.battle.hidden) continue;
      if (key === "move.again" && this.fields.get(key).input.value === "never") continue;
      if (table !== current) lines.push("", `[${table}]`);
      current = table;
      lines.push(`${name} = ${written(this.fields.get(key).input.value, kind)}`);
    }
    return `${lines.join("\n")}\n`;
  }

  /** Say beside each key what is wrong with it; what belongs to no key of the form is returned. */
  complain(problems) {
    for (const { problem, input } of this.fields.values()) {
      problem.textContent = "";
      input.removeAttribute("aria-invalid");
    }
    return problems.filter(({ key, holds, allowed }) => {
      const field = this.fields.get(key);
      if (!field) return true;
      field.problem.textContent = text("problem", { holds, allowed });
      field.input.setAttribute("aria-invalid", "true");
      return false;
    });
  }
}

function shown(value, kind) {
  if (kind === "pieces") return Object.entries(value).map(([name, cell]) => `${name} = ${cell}`).join(", ");
  return Array.isArray(value) ? value.join(", ") : `${value}`;
}

function written(value, kind) {
  const parts = value.split(",").map((part) => part.trim()).filter(Boolean);
  switch (kind) {
    case "words":
      return JSON.stringify(value);
    case "numbers":
      return `[${parts.map(whole).join(", ")}]`;
    case "pieces":
      return `{ ${parts.map(piece).join(", ")} }`;
    case "number":
      return whole(value.trim());
    default:
      return value;
  }
}

/** A whole number as it is; anything else as text, so that the server says what is wrong. */
function whole(part) {
  return /^[+-]?\d+$/.test(part) ? `${Number(part)}` : JSON.stringify(part);
}

function piece(part) {
  const [name, cell = ""] = part.split("=").map((one) => one.trim());
  return `${/^[\w-]+$/.test(name) ? name : JSON.stringify(name)} = ${whole(cell)}`;
}
