// What people read on the page, in each language. Names of options and rules come from the service.

export const TEXTS = {
  en: {
    rules: "Game", seats: "Seats", options: "Options", play: "Play with bots", friends: "Open a table for friends",
    code: "Code", join: "Join", docs: "API documentation", events: "Events", start: "Start", resume: "Back to the game",
    waiting: "Waiting for players. Code: {code}", your_turn: "Your turn", their_turn: "{name} is to act",
    finished: "The game is over.", aborted: "The game was closed.", free: "free seat", bot: "bot", away: "away",
    again: "New game", seconds: "{seconds} s", lost: "Connection lost, trying again …", seat: "Seat", as: "as {card}",
    place: "Place", score: "Score", you: "you", joker: "Which card is the joker?",
    bid: "Bid {tricks}", pass: "Pass", draw: "Draw", pick: "Pick {atout}", give: "Give {atout} to {to}",
    declare: "{contract}", shuffle: "Shuffle: {shuffle}", cut: "Cut at {at}", deal: "Deal by {by}",
  },
  fr: {
    rules: "Jeu", seats: "Places", options: "Options", play: "Jouer avec des robots",
    friends: "Ouvrir une table entre amis", code: "Code", join: "Rejoindre", docs: "Documentation de l'API",
    events: "Événements", start: "Commencer", resume: "Revenir dans la partie",
    waiting: "En attente de joueurs. Code : {code}", your_turn: "À vous de jouer", their_turn: "À {name} de jouer",
    finished: "La partie est terminée.", aborted: "La partie a été fermée.", free: "place libre", bot: "robot",
    away: "absent", again: "Nouvelle partie", seconds: "{seconds} s", lost: "Connexion perdue, nouvel essai …",
    seat: "Place", as: "pour {card}", place: "Rang", score: "Score", you: "vous", joker: "Quelle carte est le joker ?",
    bid: "Annoncer {tricks}", pass: "Passer", draw: "Piocher", pick: "Prendre {atout}", give: "Donner {atout} à {to}",
    declare: "{contract}", shuffle: "Mélanger : {shuffle}", cut: "Couper à {at}", deal: "Donner par {by}",
  },
};

export const language = document.documentElement.lang === "fr" ? "fr" : "en";

export function say(key, facts = {}) {
  const text = TEXTS[language][key] ?? key.replaceAll("_", " ");
  return text.replace(/\{(\w+)\}/g, (_, name) => facts[name] ?? "");
}
