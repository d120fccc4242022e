// A table as one pair of eyes sees it: a row for each seat, and what lies between them. Shows any ruleset through its
// `state` alone. `game` is as the API gives it; `names`, where it is set, says what the seats are called.

import { card, cell, element, face, shown } from "./cards.mjs";
import { say } from "./texts.mjs";

const SEAT_MEMBERS = ["starter", "leader", "dealer", "declarer"];

// What the page shows elsewhere, or not at all.
const UNSHOWN = new Set([
  "options", "seat", "phase", "to_act", "hand", "shown", "last_trick", "taken", "last_round", "dealt_at", "teams",
  "random_reveal", "out_round", "hook",
]);

export const seatName = ({ player, bot }) => player?.display_name ?? (bot ? `${say("bot")} (${bot})` : say("free"));

export const nameOf = ({ seats, names }, seat) => names?.[seat] ?? seatName(seats[seat] ?? {});

// A member of the state that maps seats to values becomes a column, and so does each member of a list of seats.
function columns({ state, seats }) {
  const isPerSeat = (value) =>
    value && typeof value === "object" && !Array.isArray(value) && Object.keys(value).length > 0 &&
    Object.keys(value).every((key) => /^\d$/.test(key) && Number(key) < seats.length);
  const listed = Array.isArray(state.seats) ? state.seats : [];
  const members = [...new Set(listed.flatMap((seat) => Object.keys(seat)))];
  const ofList = members.map((name) => [name, listed.map((seat) => seat[name])]);
  const maps = Object.entries(state).filter(([, value]) => isPerSeat(value));
  const found = [...ofList.filter(([name]) => !maps.some(([other]) => other === name)), ...maps];
  return found.filter(([name, values]) =>
    !UNSHOWN.has(name) && Object.values(values).some((value) => shown(value).trim() !== ""));
}

// The rows of the seats; `more` gives further columns as [title, values by seat].
export function seatRows(game, more = []) {
  const { seats, me, to_act } = game;
  const all = [...columns(game).map(([name, values]) => [say(name), values]), ...more];
  const head = element("tr");
  head.append(...[say("seat"), ...all.map(([title]) => title)].map((title) => element("th", title, { scope: "col" })));
  const rows = seats.map((seat) => {
    const row = element("tr");
    row.classList.toggle("turn", to_act.includes(seat.seat));
    row.classList.toggle("mine", me?.seat === seat.seat);
    const away = seat.player && seat.controller === "bot" && !game.names ? ` (${say("away")})` : "";
    row.append(element("th", nameOf(game, seat.seat) + away, { scope: "row" }));
    for (const [, values] of all) row.append(cell(values[seat.seat]));
    return row;
  });
  return [head, ...rows];
}

export function laidPile(game, { seat, card: laid, as }) {
  const pile = element("span", "", { className: "pile" });
  pile.append(card(laid), ` ${nameOf(game, seat)}`, as ? ` ${say("as", { card: face(as) })}` : "");
  return pile;
}

// What lies between the seats.
export function boardPiles(game) {
  const { state } = game;
  const perSeat = new Set(["seats", ...columns(game).map(([name]) => name)]);
  const board = [];
  for (const [name, value] of Object.entries(state)) {
    if (perSeat.has(name) || UNSHOWN.has(name)) continue;
    if (name === "trick" && Array.isArray(value)) board.push(...value.map((laid) => laidPile(game, laid)));
    else if (shown(value).trim() !== "") {
      const pile = element("span", `${say(name)}: `, { className: "pile" });
      if (SEAT_MEMBERS.includes(name)) pile.append(nameOf(game, value));
      else pile.append(...cell(value, "span").childNodes);
      board.push(pile);
    }
  }
  return board;
}
