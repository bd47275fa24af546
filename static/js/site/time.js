/**
 * Times in the reader's language and time zone: `<time datetime data-relative>` becomes "5 minutes ago",
 * `<time datetime data-local>` a local date and time; the other form is shown on hover. Times added later are formatted
 * automatically.
 */

const pageLanguage = () => document.documentElement.lang || "en";

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** Units longer than a day, with their lengths in days, largest first. */
const LONG_UNITS = /** @type {[Intl.RelativeTimeFormatUnit, number][]} */ ([
  ["year", 365.25],
  ["month", 30.4375],
  ["week", 7],
]);

/**
 * Describe a moment relative to now. From 24 hours on, this counts calendar dates, not hours, so that "tomorrow" and
 * "后天" mean the dates that readers expect.
 * @param {Date} moment
 * @param {Date} now
 * @param {string} [language]
 * @returns {string} "in 3 hours", "yesterday", "just now"; whole units, never rounded up
 */
export function relativeTime(moment, now, language = pageLanguage()) {
  return spaceNumbers(wordsFor(moment, now, language)).replace("秒钟", "秒");
}

/** @param {Date} moment @param {Date} now @param {string} language @returns {string} */
function wordsFor(moment, now, language) {
  const seconds = (moment.getTime() - now.getTime()) / 1000;
  const size = Math.abs(seconds);
  const counted = new Intl.RelativeTimeFormat(language);
  const named = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  if (size < 10) return seconds > 0 ? named.format(0, "second") : gettext("just now");
  if (size < MINUTE) return counted.format(Math.trunc(seconds / 10) * 10, "second");
  if (size < HOUR) return counted.format(Math.trunc(seconds / MINUTE), "minute");
  if (size < DAY) return counted.format(Math.trunc(seconds / HOUR), "hour");
  const days = date(moment) - date(now);
  for (const [unit, each] of LONG_UNITS) {
    if (Math.abs(days) >= each) return counted.format(Math.trunc(days / each), unit);
  }
  return named.format(days, "day");
}

/** @param {string} text @returns {string} "5 分钟前", with the spaces that our Chinese texts have around numbers */
export function spaceNumbers(text) {
  return text.replace(/(?<=\d)(?=\p{Script=Han})|(?<=\p{Script=Han})(?=\d)/gu, " ");
}

/** @param {Date} moment @returns {number} the day number of its date in the reader's zone */
function date(moment) {
  return Math.round(Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate()) / (DAY * 1000));
}

/** @param {Iterable<HTMLTimeElement>} elements */
function write(elements) {
  const exact = new Intl.DateTimeFormat(pageLanguage(), { dateStyle: "medium", timeStyle: "short" });
  const now = new Date();
  for (const element of elements) {
    const moment = new Date(element.dateTime);
    if (Number.isNaN(moment.getTime())) continue;
    const forms = [spaceNumbers(exact.format(moment)), relativeTime(moment, now)];
    const [text, hover] = "relative" in element.dataset ? forms.reverse() : forms;
    if (element.textContent !== text) element.textContent = text;
    element.title = hover;
  }
}

/** Format all times now and twice a minute, and new ones as they are added. */
export function startTimes() {
  /** @returns {NodeListOf<HTMLTimeElement>} */
  const all = () => document.querySelectorAll("time[data-relative], time[data-local]");
  write(all());
  setInterval(() => document.hidden || write(all()), 30_000);
  new MutationObserver((changes) => {
    if (changes.some((change) => change.addedNodes.length > 0)) write(all());
  }).observe(document.body, { childList: true, subtree: true });
}
