/** Questions to the server over HTTP; an answer that is an error is thrown with its sentence. */

import { text } from "./texts.js";

export class Refused extends Error {
  constructor(sentence, status) {
    super(sentence);
    this.status = status;
  }
}

export function get(path, options) {
  return ask("GET", path, undefined, options);
}

export function post(path, body, options) {
  return ask("POST", path, body, options);
}

async function ask(method, path, body, { token, signal, plain = false } = {}) {
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (token) headers.Authorization = `Bearer ${token}`;
  let answer;
  try {
    answer = await fetch(path, { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(text("offline"), 0);
  }
  if (answer.ok) return plain ? answer.text() : answer.json();
  const told = await answer.json().catch(() => ({}));
  throw new Refused(told.error ?? told.detail ?? text("failed"), answer.status);
}
