// Cards and values as plain, well-set text. Knows no ruleset and no page.

import { language, say } from "./texts.mjs";

export const SUITS = { C: "♣", D: "♦", H: "♥", S: "♠" };

export function element(tag, text = "", attributes = {}) {
  const made = Object.assign(document.createElement(tag), attributes);
  made.textContent = text;
  return made;
}

export function button(text, onclick, id = "") {
  return element("button", text, { onclick, id, type: "button" });
}

export const isCard = (value) => typeof value === "string" && /^([2-9TJQKA][CDHS]|JK)$/.test(value);

const RANKS = language === "fr" ? { T: "10", J: "V", Q: "D", K: "R" } : { T: "10" };

export function face(card) {
  return card === "JK" ? "★" : (RANKS[card[0]] ?? card[0]) + SUITS[card[1]];
}

export function card(value, tag = "span") {
  const made = element(tag, face(value), { className: "card" });
  made.classList.toggle("red", "DH".includes(value[1]));
  made.dataset.card = value;
  return made;
}

export function shown(value) {
  if (isCard(value)) return face(value);
  if (Array.isArray(value)) return value.map(shown).join(" ");
  if (isCard(value?.card) && !("seat" in value)) return face(value.card) + (value.value ? ` (= ${value.value})` : "");
  if (value && typeof value === "object") return Object.values(value).map(shown).join(" ");
  if (typeof value === "boolean" || /^[a-z]+(_[a-z]+)*$/.test(value ?? "")) return say(value ?? ""); // a word of the rules
  return String(value ?? "");
}

// The same, but lists of cards as cards.
export function cell(value, tag = "td") {
  const made = element(tag);
  const cards = Array.isArray(value) ? value.map((each) => each?.card ?? each) : [];
  if (cards.length && cards.every(isCard)) {
    const row = element("span", "", { className: "cards" });
    row.append(...value.map((each) => {
      const laid = card(each?.card ?? each);
      if (each?.value) laid.append(element("small", `= ${each.value}`));
      return laid;
    }));
    made.append(row);
  } else made.textContent = shown(value);
  return made;
}
