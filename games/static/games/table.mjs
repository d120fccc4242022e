// The page: create or join a table, see it, act on it. Shows any ruleset through `state` and `legal_actions` alone.

import { boardPiles, seatName, seatRows } from "./board.mjs";
import { SUITS, button, card, element, isCard, shown } from "./cards.mjs";
import { GameSocket, Refused, api, signIn } from "./client.mjs";
import { learn, say } from "./texts.mjs";

const $ = (selector) => document.querySelector(selector);
const page = { player: null, rulesets: [], game: null, socket: null, loading: false, again: false, choosing: null };

// --- small parts ---------------------------------------------------------------------------------------------------

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

// --- the lobby -----------------------------------------------------------------------------------------------------

const ruleset = () => page.rulesets.find(({ key }) => key === $("#create").rules.value);

function fillForm() {
  const { seats, options } = ruleset();
  const numbers = Array.from({ length: seats.max - seats.min + 1 }, (_, step) => seats.min + step);
  $("#create").seats.replaceChildren(...numbers.map((n) => element("option", n, { value: n, selected: n === 4 })));
  const boxes = Object.entries(options.properties)
    .filter(([, schema]) => schema.type === "boolean")
    .map(([name, schema]) => {
      const label = element("label");
      label.append(element("input", "", { type: "checkbox", name: `option.${name}` }), ` ${schema.description}`);
      return label;
    });
  $("#options").replaceChildren($("#options legend"), ...boxes);
  $("#options").hidden = boxes.length === 0;
}

async function create(withBots) {
  const form = $("#create");
  const seats = Number(form.seats.value);
  const ticked = [...form.querySelectorAll("input:checked")].map(({ name }) => [name.slice("option.".length), true]);
  const bots = withBots ? Array.from({ length: seats - 1 }, (_, n) => ({ seat: n + 1, level: "normal" })) : [];
  const table = { rules: form.rules.value, seats, options: Object.fromEntries(ticked), visibility: "private", bots };
  let game = await api("POST", "games/", table, crypto.randomUUID());
  if (withBots) game = await api("POST", `games/${game.id}/start/`, undefined, crypto.randomUUID());
  enter(game.id);
}

async function join(code) {
  const game = await api("POST", "games/join/", { code }, crypto.randomUUID());
  enter(game.id);
}

// --- the game ------------------------------------------------------------------------------------------------------

function enter(id) {
  if (page.socket?.id === id) return;
  location.hash = id;
  page.socket?.close();
  $("#events").replaceChildren();
  page.socket = new GameSocket(id, hear);
}

function hear(message) {
  switch (message.type) {
    case "welcome":
      show(message.game);
      break;
    case "events":
      for (const event of message.events) {
        $("#events").prepend(element("li", `${event.type.replaceAll("_", " ")} ${JSON.stringify(event.data)}`));
      }
      refresh();
      break;
    case "presence":
      refresh();
      break;
    case "error":
      complain(new Refused(message));
      refresh();
      break;
    case "lost":
      $("#status").textContent = say("lost");
      break;
  }
}

// One request at a time; what happens meanwhile asks for one more.
async function refresh() {
  if (page.loading) {
    page.again = true;
    return;
  }
  page.loading = true;
  do {
    page.again = false;
    await trying(async () => show(await api("GET", `games/${page.socket.id}/`)));
  } while (page.again);
  page.loading = false;
}

function show(game) {
  if (page.game?.id === game.id && page.game.version > game.version) return;
  page.game = game;
  page.choosing = null;
  $("#lobby").hidden = true;
  $("#game").hidden = false;
  showStatus();
  showSeats();
  showBoard();
  showChoices();
}

function showStatus() {
  const { status, code, me, to_act, seats, deadline, server_time } = page.game;
  const mine = me && to_act.includes(me.seat);
  let text = "";
  if (status === "waiting") text = say("waiting", { code });
  else if (status !== "playing") text = say(status);
  else if (mine) text = say("your_turn");
  else if (to_act.length) text = say("their_turn", { name: to_act.map((seat) => seatName(seats[seat])).join(", ") });
  clearInterval(page.ticking);
  $("#status").textContent = text;
  $("#status").dataset.state = mine ? "mine" : status;
  if (mine && deadline) {
    const end = Date.now() + (new Date(deadline) - new Date(server_time));
    const tick = () => {
      const seconds = Math.max(0, Math.round((end - Date.now()) / 1000));
      $("#status").textContent = `${text} – ${say("seconds", { seconds })}`;
    };
    page.ticking = setInterval(tick, 1000);
    tick();
  }
}

function showSeats() {
  const { seats, status } = page.game;
  const results = [[say("place"), seats.map(({ place }) => place)], [say("score"), seats.map(({ score }) => score)]];
  $("#seats").replaceChildren(...seatRows(page.game, status === "finished" ? results : []));
}

function showBoard() {
  $("#board").replaceChildren(...boardPiles(page.game));
}

function ownHand() {
  const { state, me } = page.game;
  const hand = state.hand ?? state.hands?.[me?.seat] ?? [];
  return Array.isArray(hand) ? hand.filter(isCard) : [];
}

function showChoices() {
  const { status, host, me, seats, legal_actions } = page.game;
  const plays = new Map(legal_actions.filter(({ type, card }) => type === "play" && card).map((a) => [a.card, a]));
  $("#hand").replaceChildren(
    ...ownHand().map((value) => {
      const button = card(value, "button");
      button.disabled = !plays.has(value);
      button.onclick = () => (value === "JK" ? chooseJoker(plays.get(value)) : act(plays.get(value)));
      return button;
    }),
  );
  const others = legal_actions.filter((action) => action.type !== "play").map((action) => button(label(action), () => act(action)));
  if (status === "waiting" && me && me.seat === host && seats.every(({ player, bot }) => player || bot)) {
    others.push(button(say("start"), () => trying(() => api("POST", `games/${page.game.id}/start/`))));
  }
  if (status === "playing" && me && seats[me.seat].controller === "bot") {
    others.push(button(say("resume"), () => page.socket.send({ type: "resume" }), "resume"));
  }
  if (status === "finished" || status === "aborted") {
    others.push(element("a", say("replay"), { href: `/replay/${page.game.id}`, id: "to-replay" }));
    others.push(button(say("again"), leave));
  }
  $("#actions").replaceChildren(...others);
}

function label(action) {
  const { type, ...facts } = action;
  const named = Object.fromEntries(
    Object.entries(facts).map(([key, value]) => [key, ["to", "target"].includes(key) ? seatName(page.game.seats[value]) : shown(value)]),
  );
  const known = say(`act_${type}`, named);
  return known.includes(Object.values(named)[0] ?? "") ? known : `${known} ${Object.values(named).join(" ")}`;
}

function chooseJoker(action) {
  const names = Object.keys(SUITS).flatMap((suit) => [..."23456789TJQKA"].map((rank) => rank + suit));
  const cards = names.filter((name) => name !== "AD").map((name) => {
    const made = card(name, "button");
    made.onclick = () => act({ ...action, as: name });
    return made;
  });
  $("#actions").replaceChildren(element("span", say("joker")), ...cards);
}

function act(action) {
  complain(null);
  for (const made of document.querySelectorAll("#hand button, #actions button")) made.disabled = true;
  page.socket.send({ type: "move", command_id: crypto.randomUUID(), action });
}

function leave() {
  page.socket?.close();
  page.socket = page.game = null;
  history.replaceState(null, "", location.pathname);
  $("#game").hidden = true;
  $("#lobby").hidden = false;
}

// --- begin ---------------------------------------------------------------------------------------------------------

async function begin() {
  for (const made of document.querySelectorAll("[data-text]")) made.textContent = say(made.dataset.text);
  page.player = await signIn();
  page.rulesets = await api("GET", "rulesets/");
  for (const { atouts } of page.rulesets) learn(atouts);
  $("#who").textContent = page.player.display_name;
  $("#create").rules.replaceChildren(...page.rulesets.map(({ key, title }) => element("option", title, { value: key })));
  fillForm();
  $("#create").rules.onchange = fillForm;
  $("#create").onsubmit = (event) => {
    event.preventDefault();
    trying(() => create(event.submitter?.value !== "friends"));
  };
  $("#join").onsubmit = (event) => {
    event.preventDefault();
    trying(() => join($("#join").code.value));
  };
  if (location.hash.length > 1) enter(location.hash.slice(1));
  document.body.dataset.ready = "true";
}

trying(begin);
