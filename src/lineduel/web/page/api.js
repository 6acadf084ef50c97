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

/** Ask for something that takes a while: `hear(message)` is called with each part of the answer. */
export async function listen(path, body, hear, { signal } = {}) {
  const answer = await send("POST", path, body, { signal });
  const parts = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let part = await parts.read(); !part.done; part = await parts.read()) {
    const lines = `${rest}${part.value}`.split("\n");
    rest = lines.pop();
    for (const message of lines.map((line) => JSON.parse(line))) {
      if (message.type === "error") throw new Refused(message.error, answer.status);
      hear(message);
    }
  }
}

async function ask(method, path, body, { plain = false, ...options } = {}) {
  const answer = await send(method, path, body, options);
  return plain ? answer.text() : answer.json();
}

async function send(method, path, body, { token, signal } = {}) {
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
  if (answer.ok) return answer;
  const told = await answer.json().catch(() => ({}));
  throw new Refused(told.error ?? told.detail ?? text("failed"), answer.status);
}
