// What people read on the page, in each language. Names of options and rules come from the service.

export const TEXTS = {
  en: {
    rules: "Game", seats: "Seats", options: "Options", play: "Play with bots", friends: "Open a table for friends",
    code: "Code", join: "Join", docs: "API documentation", events: "Events", start: "Start", resume: "Back to the game",
    waiting: "Waiting for players. Code: {code}", your_turn: "Your turn", their_turn: "{name} is to act",
    finished: "The game is over.", aborted: "The game was closed.", free: "free seat", bot: "bot", away: "away",
    again: "New game", seconds: "{seconds} s", lost: "Connection lost, trying again …", seat: "Seat", as: "as {card}",
    place: "Place", score: "Score", you: "you", joker: "Which card is the joker?",
    act_bid: "Bid {tricks}", act_pass: "Pass", act_draw: "Draw", act_pick: "Pick {atout}",
    act_give: "Give {atout} to {to}", act_declare: "Declare {contract}", act_shuffle: "Shuffle: {shuffle}",
    act_cut: "Cut at {at}", act_deal: "Deal {by} at a time", act_place: "Place: {slot}", act_atout: "Play",
    true: "yes", false: "no",
  },
  fr: {
    rules: "Jeu", seats: "Places", options: "Options", play: "Jouer avec des robots",
    friends: "Ouvrir une table entre amis", code: "Code", join: "Rejoindre", docs: "Documentation de l'API",
    events: "Événements", start: "Commencer", resume: "Revenir dans la partie",
    waiting: "En attente de joueurs. Code : {code}", your_turn: "À vous de jouer", their_turn: "À {name} de jouer",
    finished: "La partie est terminée.", aborted: "La partie a été fermée.", free: "place libre", bot: "robot",
    away: "absent", again: "Nouvelle partie", seconds: "{seconds} s", lost: "Connexion perdue, nouvel essai …",
    seat: "Place", as: "pour {card}", place: "Rang", score: "Score", you: "vous", joker: "Quelle carte est le joker ?",
    act_bid: "Annoncer {tricks}", act_pass: "Passer", act_draw: "Piocher", act_pick: "Prendre {atout}",
    act_give: "Donner {atout} à {to}", act_declare: "Annoncer {contract}", act_shuffle: "Mélanger : {shuffle}",
    act_cut: "Couper à {at}", act_deal: "Donner par {by}", act_place: "Poser : {slot}", act_atout: "Jouer",
    true: "oui", false: "non",
    lives: "vies", hands: "mains", bids: "annonces", tricks: "plis", deal: "manche", cards: "cartes",
    starter: "premier", leader: "entame", dealer: "donneur", declarer: "déclarant", trump: "atout", turned: "retourne",
    points: "points", totals: "totaux", contract: "contrat", contracts: "contrats", round: "manche", hp: "PV",
    visible: "visibles", hidden: "cachées", atouts: "Atouts", threshold: "seuil", passes: "passes", out: "éliminés",
    discards: "défausse", pile: "pioche", taken: "ramassés", row: "posées", layout: "posées",
  },
};

export const language = document.documentElement.lang === "fr" ? "fr" : "en";

export function say(key, facts = {}) {
  const text = TEXTS[language][key] ?? String(key).replace(/^act_/, "").replaceAll("_", " ");
  return text.replace(/\{(\w+)\}/g, (_, name) => facts[name] ?? "");
}
