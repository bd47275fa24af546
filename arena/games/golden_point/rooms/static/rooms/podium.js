/** The podium of a finished room. */
import { element, part } from "#site/dom.js";
import { nameList, ordinal, pointsText } from "#site/format.js";

/**
 * @param {HTMLElement} root
 * @param {import("./model.js").Podium | null} podium null: the room is not over, or nobody has played
 */
export function drawPodium(root, podium) {
  const holder = part(root, "podium");
  if (!holder) return;
  holder.hidden = podium === null;
  if (podium === null) return;
  const steps = podium.places.map(([rank, name, score]) =>
    element(
      "li",
      { "data-rank": rank },
      element("span", { class: "rank", "data-rank": rank }, String(rank)),
      element("strong", {}, name),
      element("span", { class: "muted" }, pointsText(score)),
    ),
  );
  if (podium.more > 0) steps.push(element("li", { class: "muted" }, interpolate(gettext("and %s more"), [podium.more])));
  const persons = personsText(podium);
  holder.replaceChildren(element("ol", { class: "room-podium" }, ...steps), ...(persons ? [element("p", { class: "room-podium__person" }, persons)] : []));
}

/** @param {import("./model.js").Podium} podium @returns {string} who won, in a sentence */
export function winnerText({ places }) {
  const first = places.filter(([rank]) => rank === 1);
  const names = nameList(first.map(([, name]) => name));
  const values = { names, points: pointsText(first[0][2]) };
  return first.length === 1
    ? interpolate(gettext("%(names)s wins with %(points)s."), values, true)
    : interpolate(gettext("Shared first place with %(points)s: %(names)s."), values, true);
}

/** @param {import("./model.js").Podium} podium @returns {string} the best human players, if a bot or a program won */
export function personsText({ persons, players }) {
  if (persons.length === 0) return "";
  const [rank, , score] = persons[0];
  const values = { names: nameList(persons.map(([, name]) => name)), rank: ordinal(rank), players, points: pointsText(score) };
  const text = ngettext("Best human player: %(names)s, %(rank)s of %(players)s, %(points)s", "Best human players: %(names)s, %(rank)s of %(players)s, %(points)s each", persons.length);
  return interpolate(text, values, true);
}
