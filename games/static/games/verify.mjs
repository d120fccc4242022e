// The proof of a game from its replay alone: the seed, every deal and every draw, the cards' way through the hands, the
// chain, the result. Needs no server and no page; rules that no card and no number of the stream rests on (whether a
// bid or an Atout was allowed) are left to the service's command.
//
// `verify(replay)` gives `{holds, checks, fault, facts}`: `checks` are the keys of what was checked, `fault` is the
// first thing that is not as it must be: `{key, version, path, expected, found}` (version null: beside the events).

import { DRAWS } from "./draws.mjs";
import { Stream, canonical, hex, keyOf, links, sha256, unhex } from "./stream.mjs";

const LIFECYCLE = new Set([
  "game_created", "seat_taken", "seat_left", "options_changed", "client_seed_given", "game_started", "seat_controlled",
  "game_finished", "game_aborted",
]);
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

class Fault extends Error {
  constructor(key, version, path, expected, found) {
    super(`${key} ${version} ${path}`);
    this.facts = { key, version, path, expected, found };
  }
}

export async function verify(replay) {
  const facts = { events: 0, deals: 0, words: 0, game: replay?.game?.id ?? "", past: null, source: null, rules: "" };
  const checks = [];
  try {
    await prove(replay, facts, checks);
    return { holds: true, checks, fault: null, facts };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { holds: false, checks, fault: error.facts, facts };
  }
}

async function prove(replay, facts, checks) {
  const { events, fairness, game } = shaped(replay);
  const created = events[0].data;
  Object.assign(facts, { events: events.length, rules: created.rules, game: game.id });
  const key = await keyOf(await committed(fairness, created, game));
  checks.push("seed");
  const past = pastOf(events, created);
  if (created.branched_from) Object.assign(facts, { source: created.branched_from.game_id, past });
  const found = [
    await caught(() => order(events, past)),
    await caught(() => seeds(events, fairness)),
    await caught(() => walk(events, past, key, game.id, facts)),
    await caught(() => whereCardsGo(events)),
    await caught(() => result(events, game, fairness)),
    replay.chain === undefined ? null : await caught(() => chained(replay.chain, key, events)),
  ];
  const first = found.filter(Boolean).sort((one, other) => place(one) - place(other))[0];
  if (first) throw first;
  checks.push("order", "deals");
  if (fairness.client_seeds.some(Boolean)) checks.push("client_seeds");
  if (events.some(({ type }) => type === "card_played" || type === "cards_revealed")) checks.push("cards");
  checks.push("result", replay.chain === undefined ? "unchained" : "chain");
  if (past) checks.push("past");
}

// What stands beside the events comes last.
const place = ({ facts }) => facts.version ?? Infinity;

async function caught(work) {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof Fault) return error;
    return new Fault("unreadable", error.version ?? null, error.message, undefined, undefined);
  }
}

// --- shape and seed ------------------------------------------------------------------------------------------------

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

function shaped(replay) {
  const { events, fairness, game } = isObject(replay) ? replay : {};
  if (!Array.isArray(events) || events.length === 0) throw new Fault("unreadable", null, "events");
  if (!isObject(fairness)) throw new Fault("unreadable", null, "fairness");
  if (!isObject(game) || typeof game.id !== "string") throw new Fault("unreadable", null, "game");
  for (const [index, event] of events.entries()) {
    const whole = isObject(event) && typeof event.type === "string" && isObject(event.data) && INSTANT.test(event.at);
    if (!whole) throw new Fault("unreadable", index + 1, `events[${index}]`);
  }
  if (events[0].type !== "game_created") throw new Fault("differs", 1, "events[0].type", "game_created", events[0].type);
  if (!DRAWS[events[0].data.rules]) throw new Fault("unreadable", 1, "events[0].data.rules", undefined, events[0].data.rules);
  return { events, fairness, game };
}

// Seed, commitment and the commitment in the first event belong together.
async function committed(fairness, created, game) {
  const seed = unhex(fairness.seed);
  const hashed = seed?.length === 32 ? hex(await sha256(seed)) : null;
  if (hashed === null || (hashed !== fairness.commitment && hashed !== created.commitment)) {
    throw new Fault("seed", null, "fairness.seed", `SHA-256 ${created.commitment}`, fairness.seed);
  }
  if (hashed !== created.commitment) throw new Fault("seed", 1, "events[0].data.commitment", hashed, created.commitment);
  if (hashed !== fairness.commitment) throw new Fault("seed", null, "fairness.commitment", hashed, fairness.commitment);
  if ((game.commitment ?? hashed) !== hashed) throw new Fault("seed", null, "game.commitment", hashed, game.commitment);
  return seed;
}

// --- order, times, seeds of players --------------------------------------------------------------------------------

// A branch's copied events: the rules events that follow its start, no later than it. Their first and last version.
function pastOf(events, created) {
  if (!created.branched_from) return null;
  const start = events.findIndex(({ type }) => type === "game_started");
  let end = start + 1;
  while (end < events.length && !LIFECYCLE.has(events[end].type) && events[end].at <= events[start].at) end++;
  return start < 0 || end === start + 1 ? null : [start + 2, end];
}

function order(events, past) {
  for (const [index, { seq, at }] of events.entries()) {
    if (seq !== index + 1) throw new Fault("order", index + 1, `events[${index}].seq`, index + 1, seq);
    if (index > 0 && at < events[index - 1].at && seq !== past?.[0]) {
      throw new Fault("time", seq, `events[${index}].at`, `≥ ${events[index - 1].at}`, at);
    }
  }
}

function seeds(events, fairness) {
  const given = [];
  for (const { type, data, seq } of events) {
    if (type === "seat_taken" || type === "seat_left") given[data.seat] = "";
    if (type === "client_seed_given") given[data.seat] = data.client_seed;
    if (type === "game_started") {
      same(Array.from(given, (seed) => seed ?? ""), data.client_seeds, seq, "data.client_seeds");
      same(data.client_seeds, fairness.client_seeds, null, "fairness.client_seeds");
    }
  }
}

// --- deals and draws -----------------------------------------------------------------------------------------------

async function walk(events, past, key, gameId, facts) {
  const { rules, seats } = events[0].data;
  const ruleset = DRAWS[rules];
  let options = events[0].data.options;
  let memory = null;
  let stream = null;
  for (const { type, data, seq } of events) {
    if (type === "options_changed") options = data.options;
    if (type === "game_started") {
      stream = new Stream(key, gameId, data.client_seeds);
      memory = ruleset.begin({ seats, options });
    }
    if (LIFECYCLE.has(type)) continue;
    if (memory === null) throw new Fault("differs", seq, `events[${seq - 1}].type`, "game_started", type);
    await naming(seq, async () => {
      if (!past || seq > past[1]) {
        for (const [member, expected] of Object.entries((await ruleset.draw[type]?.(memory, stream, data)) ?? {})) {
          same(expected, data[member], seq, `data.${member}`);
        }
      }
      ruleset.follow[type]?.(memory, data);
    });
    facts.deals += type === "hands_dealt" || type === "round_dealt";
    facts.words = stream.used;
  }
}

// Whatever cannot even be read at an event is a fault of that event.
async function naming(version, work) {
  try {
    await work();
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault("unreadable", version, `events[${version - 1}]`, undefined, error.message);
  }
}

function same(expected, found, version, path) {
  const spot = firstSpot(expected, found, version === null ? path : `events[${version - 1}].${path}`);
  if (spot) throw new Fault("differs", version, ...spot);
}

function firstSpot(expected, found, path) {
  if (canonical(expected ?? null) === canonical(found ?? null)) return null;
  const deeper = Array.isArray(expected) && Array.isArray(found) ? (key) => `${path}[${key}]` : (key) => `${path}.${key}`;
  const alike = Array.isArray(expected) === Array.isArray(found) && [expected, found].every((value) => value && typeof value === "object");
  if (!alike) return [path, expected ?? null, found ?? null];
  for (const key of new Set([...Object.keys(expected), ...Object.keys(found)])) {
    const spot = firstSpot(expected[key], found[key], deeper(key));
    if (spot) return spot;
  }
  return null;
}

// --- cards that are played come from the hands -----------------------------------------------------------------------

async function whereCardsGo(events) {
  let hands = {};
  let trick = [];
  for (const { type, data, seq } of events) {
    await naming(seq, async () => {
      if (type === "hands_dealt") {
        hands = structuredClone(data.hands);
        trick = [];
      }
      if (type === "card_played") {
        const held = hands[data.seat].indexOf(data.card);
        if (held < 0) throw new Fault("hand", seq, `events[${seq - 1}].data.card`, hands[data.seat], data.card);
        hands[data.seat].splice(held, 1);
        trick.push([data.seat, data.card]);
      }
      if (type === "cards_revealed") {
        for (const seat of Object.keys(hands)) same(hands[seat][0], data.cards[seat], seq, `data.cards.${seat}`);
        trick = null;
      }
      if (type === "trick_taken") {
        if (trick) same(trick, data.cards, seq, "data.cards");
        trick = [];
      }
    });
  }
}

// --- chain and result ------------------------------------------------------------------------------------------------

async function chained(chain, key, events) {
  if (!Array.isArray(chain)) throw new Fault("unreadable", null, "chain");
  const made = await links(key, events);
  for (const [index, link] of made.entries()) {
    if (chain[index] !== link) throw new Fault("chain", index + 1, `events[${index}]`, chain[index], link);
  }
  if (chain.length > made.length) {
    throw new Fault("missing", made.length + 1, `events[${made.length}]`, chain[made.length], undefined);
  }
}

function result(events, game, fairness) {
  const last = events.at(-1);
  if (last.type !== "game_finished" && last.type !== "game_aborted") {
    throw new Fault("missing", events.length + 1, `events[${events.length}]`, "game_finished", undefined);
  }
  const shown = { standing: null };
  if (last.type === "game_finished") {
    const { seed, standing } = last.data;
    same(fairness.seed, seed, last.seq, "data.seed");
    const totals = events.findLast(({ type }) => type.endsWith("_scored"))?.data;
    const scores = totals?.hp ?? totals?.lives ?? totals?.totals;
    if (scores) same(standing.map(({ seat }) => scores[seat]), standing.map(({ score }) => score), last.seq, "data.standing");
    shown.standing = [...standing].sort((one, other) => one.seat - other.seat);
  }
  beside(events, game, fairness, shown);
}

// What the replay says beside its events. Of the final state the service's command alone takes account.
function beside(events, game, fairness, shown) {
  const { data: created } = events[0];
  const expected = {
    rules: created.rules, mode: created.mode, visibility: created.visibility, version: events.length,
    status: shown.standing ? "finished" : "aborted", branched_from: created.branched_from ?? null,
    options: events.findLast(({ type }) => type === "options_changed")?.data.options ?? created.options,
  };
  for (const [member, value] of Object.entries(expected)) same(value, game[member], null, `game.${member}`);
  same("repli.v1", fairness.algorithm, null, "fairness.algorithm");
  same(created.branched_from ?? null, fairness.branched_from ?? null, null, "fairness.branched_from");
  const seats = chairs(events, created.seats, shown.standing ?? []);
  const found = game.seats.map(({ seat, player, bot, controller, place: rank, score }) =>
    ({ seat, player: player?.id ?? player, bot, controller, place: rank, score }));
  same(seats, found, null, "game.seats");
}

function chairs(events, count, standing) {
  const seats = Array.from({ length: count }, (_, seat) => {
    const { place: rank = null, score = null } = standing.find((each) => each.seat === seat) ?? {};
    return { seat, player: null, bot: null, controller: "player", place: rank, score };
  });
  for (const { type, data: { seat, player_id = null, bot = null, by } } of events) {
    const taken = { player: player_id, bot, controller: bot ? "bot" : "player" };
    if (type === "seat_taken") Object.assign(seats[seat], taken);
    if (type === "seat_left") Object.assign(seats[seat], { player: null, bot: null, controller: "player" });
    if (type === "seat_controlled") seats[seat].controller = by;
  }
  return seats;
}
