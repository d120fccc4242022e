// The course of a finished game, out of its replay and its moves in words: where deals and tricks begin, what each deal
// gave, how long everybody thought, where one may branch off. Knows no page.

import { say } from "./texts.mjs";

const DEALS = new Set(["hands_dealt", "round_dealt"]);
const TRICKS = new Set(["trick_taken", "round_scored", ...DEALS]);
const LIFECYCLE = new Set([
  "game_created", "seat_taken", "seat_left", "options_changed", "client_seed_given", "game_started", "seat_controlled",
  "game_finished", "game_aborted",
]);

export const eventsOf = (events, { first, version }) => events.slice(first - 1, version);

const holding = (moves, events, types) =>
  moves.flatMap((move, index) => (eventsOf(events, move).some(({ type }) => types.has(type)) ? [index] : []));

// The moves after which a deal (a round) or a trick begins.
export const dealStarts = (moves, events) => holding(moves, events, DEALS);
export const trickEnds = (moves, events) => holding(moves, events, TRICKS);

export const indexOf = (moves, version) => {
  const found = moves.findIndex((move) => move.version >= version);
  return found < 0 ? moves.length - 1 : found;
};

// The version to branch at so that this move is still to be made: the last one of the move before it.
export function branchPoint(moves, events, index) {
  if (moves[index]?.seat === null || moves[index] === undefined) return null;
  const before = events.slice(0, moves[index].first - 1).findLast(({ type }) => !LIFECYCLE.has(type));
  return before?.seq ?? null;
}

const signed = (number) => (number > 0 ? `+${number}` : String(number).replace("-", "−"));
const plain = (number) => String(number ?? "").replace("-", "−");

// One row a deal: `{version, title, values}`, values by seat; `legend` says what they are.
export function scores(events, seats) {
  let number = 0;
  const rows = [];
  for (const { type, data, seq } of events) {
    if (DEALS.has(type)) number = data.deal ?? data.round;
    if (!type.endsWith("_scored")) continue;
    const detail = data.contract ?? (data.reason === "best" ? null : data.reason);
    const values = Array.from({ length: seats }, (_, seat) => value(data, seat));
    rows.push({ version: seq, title: detail ? `${number} · ${say(detail)}` : String(number), values });
  }
  return rows;
}

function value(data, seat) {
  if (data.points) return `${signed(data.points[seat])} → ${plain(data.totals[seat])}`;
  if (data.lives) return seat in data.bids ? `${data.tricks[seat]}/${data.bids[seat]} → ${data.lives[seat]}` : "";
  if (data.hp) return seat in data.totals ? `${data.totals[seat]} → ${data.hp[seat]}` : "";
  return "";
}

// By seat: how many moves, and the time they took in all, at most and on average, in milliseconds.
export function thinking(moves, seats) {
  return Array.from({ length: seats }, (_, seat) => {
    const times = moves.filter((move) => move.seat === seat && move.thought_ms !== null).map((move) => move.thought_ms);
    const total = times.reduce((sum, time) => sum + time, 0);
    return { count: times.length, total, longest: Math.max(0, ...times), average: times.length ? total / times.length : 0 };
  });
}
