// The replay page: a finished game step by step, through anybody's eyes, with its scores, times and proof, and a way to
// play on from any of its moves. Shows any ruleset through `state` alone.

import { boardPiles, laidPile, seatRows } from "./board.mjs";
import { button, element } from "./cards.mjs";
import { Refused, api, readable, readableText, signIn } from "./client.mjs";
import { branchPoint, dealStarts, eventsOf, indexOf, scores, thinking, trickEnds } from "./course.mjs";
import { offerCheck } from "./fairness.mjs";
import { language, learn, say } from "./texts.mjs";

const CHUNK = 40; // states asked for at a time
const AHEAD = 10; // ask for more when fewer than these are left
const ANCESTORS = 20;

const $ = (selector) => document.querySelector(selector);
const id = location.pathname.match(/^\/replay\/([0-9a-f-]{36})/)?.[1];
const page = { replay: null, names: [], moves: [], at: 0, eyes: "open", states: new Map(), asked: new Map(), timer: null };

function complain(error) {
  if (error && !(error instanceof Refused)) console.error(error);
  $("#problem").textContent = error?.message ?? "";
  $("#problem").hidden = !error;
}

async function trying(work) {
  try {
    complain(null);
    await work();
  } catch (error) {
    complain(error);
  }
}

const seconds = (milliseconds) => (milliseconds / 1000).toLocaleString(language, { maximumFractionDigits: 1 });

// --- what is shown at a move ---------------------------------------------------------------------------------------

// The state after a move; asks for a stretch of them at once.
async function stateAt(index) {
  const { moves, eyes, states } = page;
  const key = (place) => `${eyes} ${moves[place].version}`;
  const ahead = Math.min(index + AHEAD, moves.length - 1);
  if (!states.has(key(index))) await ask(eyes, moves[index].version);
  if (!states.has(key(ahead))) ask(eyes, moves[ahead].version).catch(() => {}); // asked for again when it is needed
  return states.get(key(index)) ?? {};
}

function ask(eyes, version) {
  const path = `games/${id}/replay/states/?eyes=${eyes}&at=${version}&limit=${CHUNK}`;
  if (!page.asked.has(path)) {
    const asking = readable(path).then(({ results }) => {
      for (const { version: after, state } of results) page.states.set(`${eyes} ${after}`, state);
    });
    page.asked.set(path, asking.finally(() => page.asked.delete(path)));
  }
  return page.asked.get(path);
}

async function go(index) {
  page.at = Math.max(0, Math.min(index, page.moves.length - 1));
  const { at, eyes } = page;
  showPlace();
  const state = await stateAt(at);
  if (at !== page.at || eyes !== page.eyes) return; // somebody was faster
  showTable(state);
  document.body.dataset.shown = `${eyes} ${page.moves[at].version}`;
}

const step = (index) => trying(() => go(index));

function showPlace() {
  const { at, moves, names } = page;
  const move = moves[at];
  const thought = move.thought_ms === null ? "" : ` · ${names[move.seat]}: ${say("thought", { seconds: seconds(move.thought_ms) })}`;
  $("#where").textContent = say("move_of", { number: at + 1, count: moves.length, version: move.version }) + thought;
  $("#words").textContent = move.words;
  $("#position").value = at;
  $("#position").setAttribute("aria-valuetext", $("#where").textContent);
  $("#link").href = `#v=${move.version}`;
  const branch = branchPoint(moves, page.replay.events, at);
  $("#what_if").hidden = branch === null;
  $("#what_if").textContent = move.seat === null ? "" : say("what_if", { name: names[move.seat] });
  markMove();
  clearTimeout(page.linking);
  page.linking = setTimeout(() => history.replaceState(null, "", `#v=${move.version}`), 300);
}

function markMove() {
  const list = $("#moves");
  const before = list.querySelector(".now");
  const now = list.children[page.at];
  const focused = before?.contains(document.activeElement) && document.activeElement.className;
  for (const [item, current] of [[before, false], [now, true]]) {
    item?.classList.toggle("now", current);
    for (const made of item?.querySelectorAll("button") ?? []) made.tabIndex = current ? 0 : -1;
    if (current) item.setAttribute("aria-current", "step");
    else item?.removeAttribute("aria-current");
  }
  if (focused) (now.querySelector(`.${focused}`) ?? now.querySelector("button")).focus({ preventScroll: true });
  const top = now.offsetTop - list.offsetTop;
  if (top < list.scrollTop || top + now.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = top - list.clientHeight / 3;
  }
}

function showTable(state) {
  const { replay, names, eyes, moves, at } = page;
  const me = /^\d+$/.test(eyes) ? { seat: Number(eyes) } : null;
  const acting = state.to_act === null || state.to_act === undefined ? [] : [state.to_act].flat();
  const game = { seats: replay.game.seats, names, state, me, to_act: acting };
  $("#seats").replaceChildren(...seatRows(game));
  const taken = eventsOf(replay.events, moves[at]).find(({ type }) => type === "trick_taken")?.data;
  const trick = taken ? taken.cards.map(([seat, card]) => laidPile(game, { seat, card })) : [];
  if (taken) {
    const text = taken.seat === null ? say("nobody_takes") : say("taker", { name: names[taken.seat] });
    trick.push(element("span", text, { className: "pile" }));
  }
  $("#board").replaceChildren(...trick, ...boardPiles(game));
}

// --- moving about --------------------------------------------------------------------------------------------------

const before = (places) => places.findLast((place) => place < page.at) ?? 0;
const after = (places) => places.find((place) => place > page.at) ?? page.moves.length - 1;

const TO = {
  first: () => 0,
  back_deal: () => before(page.deals),
  back_trick: () => before(page.tricks),
  back: () => page.at - 1,
  forward: () => page.at + 1,
  on_trick: () => after(page.tricks),
  on_deal: () => after(page.deals),
  last: () => page.moves.length - 1,
};

function run(going = page.timer === null) {
  clearTimeout(page.timer);
  page.timer = null;
  if (going && page.at === page.moves.length - 1) page.at = 0;
  if (going) page.timer = setTimeout(play, Number($("#speed").value));
  $("#run").textContent = going ? "▮▮" : "▶";
  label($("#run"), going ? "pause" : "run");
  $("#words").setAttribute("aria-live", going ? "off" : "polite");
}

async function play() {
  await step(page.at + 1);
  if (page.timer === null) return; // paused meanwhile
  const going = page.at < page.moves.length - 1;
  if (going) page.timer = setTimeout(play, Number($("#speed").value));
  else run(false);
}

function to(name) {
  run(false);
  return step(TO[name]());
}

function speed(change) {
  const select = $("#speed");
  select.selectedIndex = Math.max(0, Math.min(select.options.length - 1, select.selectedIndex + change));
}

const KEYS = {
  ArrowLeft: (event) => to(event.shiftKey ? "back_trick" : "back"),
  ArrowRight: (event) => to(event.shiftKey ? "on_trick" : "forward"),
  ArrowUp: () => to("back_deal"),
  ArrowDown: () => to("on_deal"),
  Home: () => to("first"),
  End: () => to("last"),
  " ": () => run(),
  "+": () => speed(1),
  "-": () => speed(-1),
};

// Keys of the page, except where what has the focus needs them itself.
function onKey(event) {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || !KEYS[key] || page.replay === null) return;
  if (target.matches("select, #file")) return;
  if (target.matches("#position") && key !== " " && key !== "+" && key !== "-") return;
  if (key === " " && target.matches("button, a")) return;
  event.preventDefault();
  KEYS[key](event);
}

function fromLink() {
  const version = Number(location.hash.match(/^#v=(\d+)$/)?.[1] ?? 0);
  if (version && version !== page.moves[page.at]?.version) {
    run(false);
    step(indexOf(page.moves, version));
  }
}

// --- lists ---------------------------------------------------------------------------------------------------------

async function readMoves() {
  const { eyes } = page;
  const { names, moves } = await readable(`games/${id}/replay/moves/?eyes=${eyes}`);
  if (eyes === page.eyes) Object.assign(page, { names, moves });
}

function listMoves() {
  const items = page.moves.map((move, index) => {
    const item = element("li");
    const made = button(move.words, () => {
      run(false);
      step(index);
    });
    Object.assign(made, { className: "move", tabIndex: -1 });
    if (move.thought_ms !== null) made.append(" ", element("small", say("thought", { seconds: seconds(move.thought_ms) })));
    item.append(made);
    if (branchPoint(page.moves, page.replay.events, index) !== null) {
      const other = button("↪", () => branch(index));
      Object.assign(other, { className: "if", tabIndex: -1, title: say("what_if", { name: page.names[move.seat] }) });
      other.setAttribute("aria-label", other.title);
      item.append(other);
    }
    return item;
  });
  $("#moves").replaceChildren(...items);
}

function row(cells, head = false) {
  const made = element("tr");
  made.append(...cells.map((text, place) => element(head || place === 0 ? "th" : "td", text)));
  return made;
}

function showScores() {
  const rows = scores(page.replay.events, page.names.length).map(({ version, title, values }) => {
    const made = row(["", ...values]);
    made.firstChild.append(button(title, () => {
      run(false);
      step(indexOf(page.moves, version));
    }));
    return made;
  });
  $("#legend").textContent = say(`legend_${page.replay.game.rules}`);
  $("#scores").replaceChildren(row(["", ...page.names], true), ...rows);
  const times = thinking(page.moves, page.names.length).map(({ count, total, longest, average }, seat) =>
    row([page.names[seat], count, ...[total, average, longest].map((time) => say("thought", { seconds: seconds(time) }))]));
  const titles = ["", say("moves_made"), say("total_thought"), say("average"), say("longest")];
  $("#thinking").replaceChildren(row(titles, true), ...times);
}

// --- branches ------------------------------------------------------------------------------------------------------

function branch(index) {
  run(false);
  const at = branchPoint(page.moves, page.replay.events, index);
  return trying(async () => {
    await signIn();
    const body = { at, seat: page.moves[index].seat };
    const game = await api("POST", `games/${id}/branch/`, body, crypto.randomUUID());
    location.href = `/#${game.id}`;
  });
}

// The games that this one was branched off, one after the other.
async function showAncestry() {
  let source = page.replay.game.branched_from;
  if (!source) return;
  const line = $("#ancestry");
  line.hidden = false;
  line.append(`${say("branched")} `);
  for (let count = 0; source && count < ANCESTORS; count++) {
    const text = say("branched_link", { game: source.game_id.slice(-8), at: source.at });
    if (count > 0) line.append(" ← ");
    line.append(element("a", text, { href: `/replay/${source.game_id}#v=${source.at}` }));
    source = (await readable(`games/${source.game_id}/fairness/`).catch(() => null))?.branched_from;
  }
}

// --- begin ---------------------------------------------------------------------------------------------------------

function label(made, key) {
  made.title = say(key);
  made.setAttribute("aria-label", say(key));
}

async function showTitle() {
  const { game, events } = page.replay;
  const found = await readable(`rulesets/${game.rules}/`).catch(() => null);
  learn(found?.atouts);
  const date = new Date(events[0].at).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
  $("#title").textContent = say("title_replay", { rules: found?.title ?? game.rules, date });
  document.title = `${$("#title").textContent} – Repli`;
}

function offerEyes() {
  const { names } = page;
  const choices = [["open", say("open")], ["spectator", say("spectator")], ...names.map((name, seat) => [String(seat), name])];
  $("#eyes").replaceChildren(...choices.map(([value, text]) => element("option", text, { value })));
  $("#eyes").onchange = () => trying(async () => {
    page.eyes = $("#eyes").value;
    await readMoves();
    listMoves();
    await go(page.at);
  });
}

function offerDownloads() {
  const file = (content, type) => URL.createObjectURL(new Blob([content], { type }));
  $("#as_json").href = file(JSON.stringify(page.replay), "application/json");
  $("#as_json").download = `${id}.json`;
  $("#as_text").download = `${id}.txt`;
  $("#as_text").href = "#";
  $("#as_text").onclick = async (event) => {
    if ($("#as_text").href.startsWith("blob:")) return;
    event.preventDefault();
    $("#as_text").href = file(await readableText(`games/${id}/replay/?format=text`), "text/plain;charset=utf-8");
    $("#as_text").click();
  };
  $("#downloads").hidden = false;
}

async function open() {
  page.replay = await readable(`games/${id}/replay/`);
  await readMoves();
  page.deals = dealStarts(page.moves, page.replay.events);
  page.tricks = trickEnds(page.moves, page.replay.events);
  $("#position").max = page.moves.length - 1;
  offerEyes();
  listMoves();
  showScores();
  offerDownloads();
  $("#check").hidden = $("#replay").hidden = false;
  await Promise.all([showTitle(), showAncestry()]);
  const version = Number(location.hash.match(/^#v=(\d+)$/)?.[1] ?? 0);
  await go(version ? indexOf(page.moves, version) : page.deals[0] ?? 0);
}

async function begin() {
  for (const made of document.querySelectorAll("[data-text]")) made.textContent = say(made.dataset.text);
  for (const made of document.querySelectorAll("[data-label]")) label(made, made.dataset.label);
  $("#keys").textContent = say("keys");
  for (const name of Object.keys(TO)) $(`#${name}`).onclick = () => to(name);
  $("#run").onclick = () => run();
  $("#position").oninput = () => {
    run(false);
    step(Number($("#position").value));
  };
  $("#what_if").onclick = () => branch(page.at);
  offerCheck(() => page.replay);
  document.addEventListener("keydown", onKey);
  window.addEventListener("hashchange", fromLink);
  if (id) await open();
  document.body.dataset.ready = "true";
}

trying(begin);
