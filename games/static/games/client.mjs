// Repli's API and sockets, as any client would use them. Knows no ruleset and nothing of the page.

import { language } from "./texts.mjs";

const TOKEN = "repli.token";

export class Refused extends Error {
  constructor(problem) {
    super(problem.detail ?? problem.title);
    this.problem = problem;
  }
}

async function ask(method, path, body, key, token = localStorage.getItem(TOKEN)) {
  const headers = { "Accept-Language": language };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key) headers["Idempotency-Key"] = key;
  const answer = await fetch(`/api/v1/${path}`, { method, headers, body: body && JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Refused(JSON.parse(text));
  return text;
}

export async function api(method, path, body, key) {
  const text = await ask(method, path, body, key);
  return text ? JSON.parse(text) : null;
}

// What is open to all, or to this player; a token that has expired is no hindrance to the former.
export async function readableText(path) {
  try {
    return await ask("GET", path);
  } catch (error) {
    if (error.problem?.code !== "unauthenticated" || !localStorage.getItem(TOKEN)) throw error;
    return ask("GET", path, undefined, undefined, null);
  }
}

export const readable = async (path) => JSON.parse(await readableText(path));

export async function signIn() {
  if (localStorage.getItem(TOKEN)) {
    try {
      return await api("GET", "accounts/me/");
    } catch (error) {
      if (error.problem?.code !== "unauthenticated") throw error;
      localStorage.removeItem(TOKEN);
    }
  }
  const { token, player } = await api("POST", "accounts/guest/", {});
  localStorage.setItem(TOKEN, token);
  return player;
}

// A game's socket that comes back by itself, with what it missed (full-jitter back-off).
export class GameSocket {
  constructor(id, on) {
    Object.assign(this, { id, on, version: null, attempt: 0, closed: false });
    this.open();
  }

  open() {
    const after = this.version === null ? "" : `?after=${this.version}`;
    const url = new URL(`/ws/v1/games/${this.id}/${after}`, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    this.socket = new WebSocket(url, ["repli.v1", `bearer.${localStorage.getItem(TOKEN)}`]);
    this.socket.onmessage = ({ data }) => this.hear(JSON.parse(data));
    this.socket.onclose = ({ code }) => this.again(code);
  }

  hear(message) {
    this.attempt = 0;
    if (message.type === "welcome") this.version ??= message.version;
    if (message.type === "events") this.version = message.version;
    this.on(message);
  }

  again(code) {
    if (this.closed || [4400, 4401, 4403, 4404].includes(code)) return;
    this.on({ type: "lost" });
    const longest = Math.min(10_000, 250 * 2 ** this.attempt++);
    setTimeout(() => this.closed || this.open(), Math.random() * longest);
  }

  send(message) {
    this.socket.send(JSON.stringify(message));
  }

  close() {
    this.closed = true;
    this.socket.close();
  }
}
