/** Questions to the server over HTTP; an answer that is an error is thrown with its sentence. */

import { text } from "./texts.js";

/** @import { GET, POST, WorkError } from "./documents.js" */

/**
 * @template {string} Path
 * @typedef {Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never} NamesIn The fields of a path.
 */

/** @typedef {{ token?: string, signal?: AbortSignal }} Options */

class Refused extends Error {}

/**
 * Ask for something; `fields` are those of the path.
 * @template {keyof GET} Path
 * @param {Path} path
 * @param {Record<NamesIn<Path>, string | number>} fields
 * @param {Options} [options]
 * @returns {Promise<GET[Path]>}
 */
export async function get(path, fields, options) {
  const answer = await send("GET", filled(path, fields), undefined, options);
  const isText = answer.headers.get("Content-Type")?.startsWith("text/plain");
  const read = isText ? answer.text() : answer.json();
  return read;
}

/**
 * A path with its fields filled in.
 * @param {string} path
 * @param {Record<string, string | number>} fields
 */
function filled(path, fields) {
  const values = new Map(Object.entries(fields));
  return path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values.get(name) ?? ""));
}

/**
 * Ask for something that a body describes; `fields` are those of the path.
 * @template {keyof POST} Path
 * @param {Path} path
 * @param {POST[Path]["asks"]} body
 * @param {Options & { fields?: Record<string, string | number> }} [options]
 * @returns {Promise<POST[Path]["answers"]>}
 */
export async function post(path, body, { fields = {}, ...options } = {}) {
  return (await send("POST", filled(path, fields), body, options)).json();
}

/**
 * Ask for something that takes a while: `hear(message)` is called with each part of the answer.
 * @template {keyof POST} Path
 * @param {Path} path
 * @param {POST[Path]["asks"]} body
 * @param {(message: Exclude<POST[Path]["answers"], WorkError>) => void} hear
 * @param {Options} [options]
 */
export async function listen(path, body, hear, options) {
  const answer = await send("POST", path, body, options);
  if (!answer.body) return;
  const parts = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let part = await parts.read(); !part.done; part = await parts.read()) {
    const lines = `${rest}${part.value}`.split("\n");
    rest = lines.pop() ?? "";
    for (const message of lines.map((line) => JSON.parse(line))) {
      if (message.type === "error") throw new Refused(message.error);
      hear(message);
    }
  }
}

/**
 * What went wrong, in a sentence.
 * @param {unknown} error
 */
export function sentenceOf(error) {
  return error instanceof Error ? error.message : `${error}`;
}

/**
 * Whether a question was given up, not refused.
 * @param {unknown} error
 */
export function isGivenUp(error) {
  return error instanceof DOMException && error.name === "AbortError";
}

/**
 * @param {"GET" | "POST"} method
 * @param {string} address
 * @param {unknown} body
 * @param {Options} [options]
 */
async function send(method, address, body, { token, signal } = {}) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (token) headers.Authorization = `Bearer ${token}`;
  let answer;
  try {
    answer = await fetch(address, {
      method,
      headers,
      signal,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (isGivenUp(error)) throw error;
    throw new Refused(text("offline"));
  }
  if (answer.ok) return answer;
  const told = await answer.json().catch(() => ({}));
  throw new Refused(told.error ?? told.detail ?? text("failed"));
}
