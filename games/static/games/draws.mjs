// What each ruleset draws from the random stream, and in which order. One entry a ruleset:
// `begin` gives what has to be remembered, `draw[type]` the members that an event of that type must have (it alone uses
// the stream), `follow[type]` remembers what later draws depend on. Knows no page.

const RANKS = "23456789TJQKA";

const range = (count) => Array.from({ length: count }, (_, n) => n);
const pack = (ranks = RANKS) => [..."CDHS"].flatMap((suit) => [...ranks].map((rank) => rank + suit));
const around = (first, count, step = 1) => range(count).map((n) => (((first + step * n) % count) + count) % count);
const following = (seat, count, among) => around(seat + 1, count).find((other) => among.includes(other));
const bySeat = (seats, value) => Object.fromEntries(seats.map((seat, place) => [seat, value(seat, place)]));
const numbers = (map) => Object.keys(map).map(Number).sort((one, other) => one - other);

// One card at a time, in that order of seats.
const dealt = (cards, order) => bySeat(order, (_, place) => cards.filter((_card, n) => n % order.length === place));

function removed(list, value, place = list.indexOf(value)) {
  if (place >= 0) list.splice(place, 1);
}

// --- gg ------------------------------------------------------------------------------------------------------------

function strength(card, manilha) {
  const order = manilha ? "2345689TQJK7A" : "23456789TQJKA";
  return card === "AD" ? order.length : order.indexOf(card[0]);
}

const gg = {
  begin: ({ seats, options }) => ({ seats, options, alive: range(seats), starter: null, deal: 0 }),
  draw: {
    async starter_drawn({ seats, options }, stream) {
      const cards = await stream.shuffled(pack());
      const draws = [];
      let tied = range(seats);
      while (tied.length > 1) {
        const drawn = bySeat(tied, () => cards.shift());
        draws.push(drawn);
        const best = Math.max(...tied.map((seat) => strength(drawn[seat], options.manilha)));
        tied = tied.filter((seat) => strength(drawn[seat], options.manilha) === best);
      }
      return { draws, starter: tied[0] };
    },
    async hands_dealt({ seats, options, alive, ...before }, stream) {
      const deal = before.deal + 1;
      const most = options.quick ? 3 : 5;
      const cards = Math.abs(most - 1 - ((deal - 1) % (2 * most - 2))) + 1;
      const starter = before.deal ? following(before.starter, seats, alive) : before.starter;
      const order = around(starter, seats).filter((seat) => alive.includes(seat));
      const shuffled = await stream.shuffled(options.joker && cards > 1 ? [...pack(), "JK"] : pack());
      return { deal, cards, starter, hands: dealt(shuffled.slice(0, cards * order.length), order) };
    },
  },
  follow: {
    starter_drawn: (memory, { starter }) => Object.assign(memory, { starter }),
    hands_dealt: (memory, { deal, starter }) => Object.assign(memory, { deal, starter }),
    deal_scored: (memory, { lives }) => (memory.alive = numbers(lives).filter((seat) => lives[seat] > 0)),
  },
};

// --- plie ----------------------------------------------------------------------------------------------------------

const plie = {
  begin: ({ seats }) => ({ seats, dealer: null, deal: 0 }),
  draw: {
    dealer_drawn: async ({ seats }, stream) => ({ dealer: await stream.below(seats) }),
    async hands_dealt({ seats, ...before }, stream) {
      const deal = before.deal + 1;
      const dealer = before.deal ? (before.dealer - 1 + seats) % seats : before.dealer;
      const most = Math.floor(36 / seats);
      const cards = Math.min(deal, 2 * most + 1 - deal);
      const shuffled = await stream.shuffled(pack("6789TJQKA"));
      const whole = cards * seats === shuffled.length;
      const hands = dealt(shuffled.slice(0, cards * seats), around(dealer - 1 + seats, seats, -1));
      const turned = shuffled[whole ? cards * seats - 1 : cards * seats];
      return { deal, cards, dealer, hands, turned, turned_from: whole ? "dealer" : "pack" };
    },
  },
  follow: {
    dealer_drawn: (memory, { dealer }) => Object.assign(memory, { dealer }),
    hands_dealt: (memory, { deal, dealer }) => Object.assign(memory, { deal, dealer }),
  },
};

// --- barbu ---------------------------------------------------------------------------------------------------------

const barbuPack = (seats) => pack("789TJQKA").filter((card) => seats === 4 || !["7C", "7S"].includes(card));

const barbu = {
  begin: ({ seats, options }) => ({
    seats, manual: options.dealing === "manual", step: options.direction === "clockwise" ? 1 : -1,
    declarer: null, deal: 0, lying: [], played: [], hands: {},
  }),
  draw: {
    declarer_drawn: async ({ seats }, stream) => ({ declarer: await stream.below(seats) }),
    // Unshuffled, the pack lies as the last deal left it: tricks as taken or cards as laid out, then what is in hand.
    async pack_shuffled({ seats, played, hands, ...memory }, stream, { shuffled }) {
      const seat = nextDeclarer({ seats, ...memory });
      if (shuffled || !memory.deal) return { seat, shuffled: true, cards: await stream.shuffled(barbuPack(seats)) };
      return { seat, cards: [...played, ...around(memory.declarer, seats, memory.step).flatMap((each) => hands[each])] };
    },
    async hands_dealt({ seats, step, manual, lying, ...memory }, stream, { by }) {
      const declarer = nextDeclarer({ seats, step, ...memory });
      const order = around(declarer + step + seats, seats, step);
      const cards = manual ? lying : await stream.shuffled(barbuPack(seats));
      const hands = bySeat(order, () => []);
      const size = manual ? by : 1;
      cards.forEach((card, place) => hands[order[Math.floor(place / size) % seats]].push(card));
      return { deal: memory.deal + 1, declarer, hands, by: size };
    },
  },
  follow: {
    declarer_drawn: (memory, { declarer }) => Object.assign(memory, { declarer }),
    pack_shuffled: (memory, { cards }) => (memory.lying = [...cards]),
    pack_cut: (memory, { at }) => (memory.lying = [...memory.lying.slice(at), ...memory.lying.slice(0, at)]),
    hands_dealt(memory, { deal, declarer, hands }) {
      Object.assign(memory, { deal, declarer, played: [], hands: bySeat(numbers(hands), (seat) => [...hands[seat]]) });
    },
    card_played(memory, { seat, card }) {
      removed(memory.hands[seat], card);
      memory.played.push(card);
    },
  },
};

const nextDeclarer = ({ deal, declarer, seats, step }) => (deal ? (declarer + step + seats) % seats : declarer);

// --- vingtsept -----------------------------------------------------------------------------------------------------

const ATOUTS = [
  "instable", "sauvetage", "bouclier", "enchere", "voyance", "projecteur", "echange", "larcin", "brouillage", "gel",
  "mue", "permutation", "ajustement", "double_pioche", "miroir", "parade", "recyclage",
]; // in the order of the rules page
const NOT_IN_TEAMS = ["sauvetage"];

const vingtsept = {
  begin: ({ seats, options }) => ({
    seats, options, alive: range(seats), starter: null, round: 0, reward: false, threshold: options.objective,
    pile: [], discards: [], separate: [], turnedUp: 1, atouts: range(seats).map(() => []),
  }),
  draw: {
    starter_drawn: async ({ seats }, stream) => ({ starter: await stream.below(seats) }),
    async round_dealt({ seats, alive, ...before }, stream) {
      const starter = before.round ? following(before.starter, seats, alive) : before.starter;
      const order = around(starter, seats).filter((seat) => alive.includes(seat));
      const cards = await stream.shuffled(pack());
      const row = (number, place) => cards[number * order.length + place];
      return {
        round: before.round + 1, starter, visible: bySeat(order, (_, place) => [row(0, place), row(1, place)]),
        hidden: bySeat(order, (_, place) => row(2, place)), pile: cards.slice(3 * order.length),
      };
    },
    async atouts_offered({ options, reward }, stream) {
      const keys = await stream.shuffled(ATOUTS.filter((key) => !options.teams || !NOT_IN_TEAMS.includes(key)));
      return { offers: keys.slice(0, reward ? 9 : 3) };
    },
    async atout_played({ threshold, atouts, pile }, stream, { atout, target, effect }) {
      if (effect.parried) return {};
      if (atout === "instable") {
        const others = [18, 36].filter((other) => other !== threshold);
        return { effect: { threshold: others[await stream.below(others.length)] } };
      }
      if (atout === "mue") return { effect: { ...effect, card: pile[0] } };
      if (atout !== "larcin") return {};
      const place = await stream.below(atouts[target].length);
      const taken = atouts[target][place];
      return { effect: atouts[target].indexOf(taken) === place ? { atout: taken } : { atout: taken, place } };
    },
    pile_reshuffled: async ({ discards }, stream) => ({ cards: await stream.shuffled(discards) }),
    card_drawn: async ({ pile, turnedUp }) => ({ cards: pile.slice(0, turnedUp) }),
    chance_of_reveal: async (_, stream) => ({ revealed: (await stream.below(4)) === 0 }),
    async decision_drawn({ separate }, stream, { cards }) {
      const drawn = {};
      for (const seat of numbers(cards)) {
        if (separate.length === 0) separate.push(...(await stream.shuffled(pack())));
        drawn[seat] = separate.shift();
      }
      return { cards: drawn };
    },
  },
  follow: {
    starter_drawn: (memory, { starter }) => Object.assign(memory, { starter }),
    round_dealt(memory, { round, starter, pile }) {
      const threshold = memory.options.objective;
      Object.assign(memory, { round, starter, threshold, pile: [...pile], discards: [], reward: false, turnedUp: 1 });
    },
    atout_picked: ({ atouts }, { seat, atout }) => atouts[seat].push(atout),
    atout_given({ atouts }, { seat, to, atout }) {
      removed(atouts[seat], atout);
      atouts[to].push(atout);
    },
    card_drawn: (memory, { cards }) => Object.assign(memory, { pile: memory.pile.slice(cards.length), turnedUp: 1 }),
    card_placed: ({ discards }, { discarded }) => discards.push(...discarded),
    pile_reshuffled: (memory, { cards }) => Object.assign(memory, { pile: [...memory.pile, ...cards], discards: [] }),
    atout_played(memory, { seat, atout, target, effect }) {
      removed(memory.atouts[seat], atout);
      if (!effect.parried) EFFECTS[atout]?.(memory, { seat, target, effect });
    },
    hidden_revealed: (memory) => (memory.separate = []),
    round_scored(memory, { out }) {
      memory.alive = memory.alive.filter((seat) => !out.includes(seat));
      memory.reward = true;
    },
  },
};

// The Atouts that change what is drawn later.
const EFFECTS = {
  instable: (memory, { effect }) => (memory.threshold = effect.threshold),
  double_pioche: (memory) => (memory.turnedUp = 2),
  larcin({ atouts }, { seat, target, effect }) {
    removed(atouts[target], effect.atout, effect.place);
    atouts[seat].push(effect.atout);
  },
  mue(memory, { effect }) {
    memory.pile = memory.pile.slice(1);
    memory.discards.push(effect.discarded);
  },
  recyclage({ discards }, { effect }) {
    discards.pop();
    discards.push(effect.discarded);
  },
};

export const DRAWS = { gg, plie, barbu, vingtsept };
