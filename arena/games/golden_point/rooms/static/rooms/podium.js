/** The podium of a finished room, the same as in arena/games/golden_point/rooms/templates/rooms/room_podium.html. */
import { element, part } from "#site/dom.js";
import { nameList, ordinal, pointsText } from "#site/format.js";

/**
 * @param {HTMLElement} root
 * @param {import("./model.js").Podium | null} podium null: the room is not over, or nobody has played
 */
export function drawPodium(root, podium) {
  const container = part(root, "podium");
  if (!container) return;
  container.hidden = podium === null;
  if (podium === null) return;
  const steps = podium.places.map(([rank, name, score]) =>
    element(
      "li",
      { class: "podium__place", "data-rank": rank },
      element("div", { class: "podium__player" }, element("strong", { class: "podium__name" }, name)),
      element("div", { class: "podium__step" }, element("span", { class: "podium__rank" }, String(rank)), element("span", { class: "podium__points" }, pointsText(score))),
    ),
  );
  const [more, persons] = [moreText(podium), personsText(podium)];
  container.replaceChildren(
    element("div", { class: "podium" }, element("ol", { class: "podium__places", "aria-label": gettext("Podium") }, ...steps)),
    ...(more ? [element("p", { class: "podium__more" }, more)] : []),
    ...(persons ? [element("p", { class: "room__best-person" }, persons)] : []),
  );
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

/** @param {import("./model.js").Podium} podium @returns {string} how many players share the last place without being named */
export function moreText({ places, more }) {
  if (more === 0) return "";
  const [rank] = places[places.length - 1];
  return interpolate(gettext("and %(n)s more in %(rank)s place"), { n: more, rank: ordinal(rank) }, true);
}

/** @param {import("./model.js").Podium} podium @returns {string} the best human players, if a bot or a program won */
export function personsText({ persons, more_persons: more, persons_tied: areTied, players }) {
  if (persons.length === 0) return "";
  const [rank, , score] = persons[0];
  const named = nameList(persons.map(([, name]) => name));
  const names = more ? interpolate(gettext("%(names)s and %(rest)s more"), { names: named, rest: more }, true) : named;
  const values = { names, rank: ordinal(rank), players, points: pointsText(score) };
  const text = areTied
    ? ngettext("Best human player: %(names)s, tied for %(rank)s of %(players)s, %(points)s", "Best human players: %(names)s, tied for %(rank)s of %(players)s, %(points)s each", persons.length)
    : gettext("Best human player: %(names)s, %(rank)s of %(players)s, %(points)s");
  return interpolate(text, values, true);
}
