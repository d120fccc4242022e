// Repli's API and sockets, as any client would use them. Knows no ruleset and nothing of the page.

import { language } from "./texts.mjs";

const TOKEN = "repli.token";

export class Refused extends Error {
  constructor(problem) {
    super(problem.detail ?? problem.title);
    this.problem = problem;
  }
}

export async function api(method, path, body, key) {
  const headers = { "Accept-Language": language };
  const token = localStorage.getItem(TOKEN);
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key) headers["Idempotency-Key"] = key;
  const answer = await fetch(`/api/v1/${path}`, { method, headers, body: body && JSON.stringify(body) });
  const text = await answer.text();
  const found = text ? JSON.parse(text) : null;
  if (!answer.ok) throw new Refused(found);
  return found;
}

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
