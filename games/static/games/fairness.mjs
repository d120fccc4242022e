// The panel that checks a game, or a replay file, and says in plain words what was checked. All in this browser.

import { element } from "./cards.mjs";
import { say } from "./texts.mjs";
import { verify } from "./verify.mjs";

const LONGEST = 160;
const $ = (selector) => document.querySelector(selector);

export function offerCheck(current) {
  $("#check").onclick = () => check(current());
  $("#file").onchange = () => checkFile($("#file").files[0]);
  const drop = $("#drop");
  drop.ondragover = (event) => {
    event.preventDefault();
    drop.classList.add("over");
  };
  drop.ondragleave = () => drop.classList.remove("over");
  drop.ondrop = (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    checkFile(event.dataTransfer.files[0]);
  };
}

async function checkFile(file) {
  if (!file) return;
  try {
    await check(JSON.parse(await file.text()));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    $("#proof").replaceChildren(element("p", say("no_json"), { className: "bad" }));
  }
}

export async function check(replay) {
  const panel = $("#proof");
  if (!globalThis.crypto?.subtle) {
    panel.replaceChildren(element("p", say("no_crypto"), { className: "bad" }));
    return;
  }
  panel.replaceChildren(element("p", say("checking")));
  panel.replaceChildren(...report(await verify(replay)));
}

function report({ holds, checks, fault, facts }) {
  const verdict = element("p", say(holds ? "holds" : "fails"), { className: holds ? "good" : "bad", id: "verdict" });
  Object.assign(verdict.dataset, { holds, version: fault?.version ?? "", fault: fault?.key ?? "" });
  const [first, end] = facts.past ?? [];
  const list = element("ul");
  list.append(...checks.map((key) => element("li", say(`check_${key}`, { ...facts, first, end }))));
  const parts = [element("p", say("game_of", { game: facts.game })), verdict];
  if (fault) parts.push(element("p", told(fault), { className: "bad", id: "fault" }));
  if (checks.length) parts.push(list);
  if (holds) parts.push(element("p", say("not_checked")));
  return parts;
}

function told({ key, version, path, expected, found }) {
  const place = version === null ? say("fault_file") : say("fault_event", { version });
  const values = [
    expected === undefined ? "" : say("expected", { expected: quoted(expected) }),
    found === undefined ? "" : say("found", { found: quoted(found) }),
  ].filter(Boolean);
  return `${say(`fault_${key}`, { place, path })} ${values.length ? `(${values.join("; ")})` : ""}`.trim();
}

function quoted(value) {
  const text = JSON.stringify(value) ?? "";
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
