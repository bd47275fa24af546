/**
 * Times in the reader's language and zone: `<time datetime data-relative>` becomes "5 minutes ago",
 * `<time datetime data-local>` a local date and time; the other form is shown on hover. Times added later are found by themselves.
 */

const language = document.documentElement.lang || "en";
const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
const exact = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

/** Units and how many seconds one of them has, largest first. */
const UNITS = /** @type {[Intl.RelativeTimeFormatUnit, number][]} */ ([
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
]);

/**
 * @param {Date} moment
 * @param {Date} now
 * @returns {string} "in 3 hours", "yesterday", "now"
 */
export function relativeTime(moment, now) {
  const seconds = (moment.getTime() - now.getTime()) / 1000;
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return relative.format(Math.round(seconds / size), unit);
  }
  return relative.format(Math.round(seconds / 10) * 10, "second");
}

/** @param {Iterable<HTMLTimeElement>} elements */
function write(elements) {
  const now = new Date();
  for (const element of elements) {
    const moment = new Date(element.dateTime);
    if (Number.isNaN(moment.getTime())) continue;
    const forms = [exact.format(moment), relativeTime(moment, now)];
    const [text, hover] = "relative" in element.dataset ? forms.reverse() : forms;
    if (element.textContent !== text) element.textContent = text;
    element.title = hover;
  }
}

/** Write every time now, again twice a minute, and each that is added. */
export function startTimes() {
  /** @returns {NodeListOf<HTMLTimeElement>} */
  const all = () => document.querySelectorAll("time[data-relative], time[data-local]");
  write(all());
  setInterval(() => document.hidden || write(all()), 30_000);
  new MutationObserver((changes) => {
    if (changes.some((change) => change.addedNodes.length > 0)) write(all());
  }).observe(document.body, { childList: true, subtree: true });
}
