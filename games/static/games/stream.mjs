// The verifiable random stream of a game, its commitment and its chain, by WebCrypto alone. Knows no ruleset.

const bytes = (text) => new TextEncoder().encode(text);
const BLOCKS = 16; // computed at a time
const RANGE = 2 ** 32;

export const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export function unhex(text) {
  if (typeof text !== "string" || !/^([0-9a-f]{2})+$/.test(text)) return null;
  return new Uint8Array(text.match(/../g).map((pair) => parseInt(pair, 16)));
}

export const sha256 = (data) => crypto.subtle.digest("SHA-256", data);

export const keyOf = (seed) => crypto.subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);

const hmac = (key, text) => crypto.subtle.sign("HMAC", key, bytes(text));

// Words of 32 bits in order; `used` counts them, skipped ones included.
export class Stream {
  constructor(key, gameId, clientSeeds) {
    Object.assign(this, { key, prefix: `repli.v1|${gameId}|${clientSeeds.join(",")}|`, used: 0, words: [], blocks: 0 });
  }

  async word() {
    if (this.used === this.words.length) await this.more();
    return this.words[this.used++];
  }

  async more() {
    const numbers = Array.from({ length: BLOCKS }, (_, n) => this.blocks + n);
    const blocks = await Promise.all(numbers.map((number) => hmac(this.key, this.prefix + number)));
    this.blocks += BLOCKS;
    for (const block of blocks) {
      const view = new DataView(block);
      for (let place = 0; place < block.byteLength; place += 4) this.words.push(view.getUint32(place));
    }
  }

  // A fair number 0 … limit − 1; a choice among one uses no word.
  async below(limit) {
    if (limit === 1) return 0;
    const ceiling = RANGE - (RANGE % limit);
    let word = await this.word();
    while (word >= ceiling) word = await this.word();
    return word % limit;
  }

  // Fisher–Yates from the last position down; position 0 is the top.
  async shuffled(items) {
    const result = [...items];
    for (let last = result.length - 1; last > 0; last--) {
      const other = await this.below(last + 1);
      [result[last], result[other]] = [result[other], result[last]];
    }
    return result;
  }
}

// JSON with sorted keys and no spaces.
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value && typeof value === "object") {
    const members = Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value);
}

// The chain's links over these events, in hex: SHA-256(link before ‖ HMAC(seed, "repli.v1.chain|version") ‖ event).
export async function links(key, events) {
  const salts = await Promise.all(events.map((_, place) => hmac(key, `repli.v1.chain|${place + 1}`)));
  const found = [];
  let head = new Uint8Array(32);
  for (const [place, { at, data, seq, type }] of events.entries()) {
    const event = bytes(canonical({ at, data, seq, type }));
    const whole = new Uint8Array(64 + event.length);
    whole.set(head);
    whole.set(new Uint8Array(salts[place]), 32);
    whole.set(event, 64);
    head = new Uint8Array(await sha256(whole));
    found.push(hex(head));
  }
  return found;
}
