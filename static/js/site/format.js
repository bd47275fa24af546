/** Numbers and durations in the reader's language. */

const language = document.documentElement.lang || "en";
const plain = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
const fine = new Intl.NumberFormat(language, { minimumFractionDigits: 4, maximumFractionDigits: 4 });

const ENDINGS = /** @type {Record<string, string>} */ ({ one: "st", two: "nd", few: "rd" });

/**
 * @param {number} rank @param {string} [reader] their language @returns {string} 12th in English; in other languages
 * the plain number
 */
export function ordinal(rank, reader = language) {
  if (!reader.startsWith("en")) return String(rank);
  return `${rank}${ENDINGS[new Intl.PluralRules("en", { type: "ordinal" }).select(rank)] ?? "th"}`;
}

/** @param {number | null | undefined} value @returns {string} points without trailing zeros, halves as ½ */
export function points(value) {
  if (value === null || value === undefined) return "–";
  if (value > 0 && value % 1 === 0.5) return `${Math.floor(value) || ""}½`;
  return plain.format(Math.round(value * 100) / 100 + 0).replace("-", "−"); // + 0 avoids -0
}

/** @param {number} value @returns {string} "1 point", "12 points" */
export function pointsText(value) {
  return interpolate(ngettext("%s point", "%s points", Math.abs(value)), [points(value)]);
}

/**
 * @param {number | null | undefined} value @param {number | null | undefined} decimals none: as points @returns
 * {string}
 */
export function score(value, decimals) {
  if (typeof value !== "number" || typeof decimals !== "number") return points(value);
  const text = value.toFixed(decimals);
  return text.replace("-", Number(text) ? "−" : ""); // toFixed returns "-0.0" for -0.04
}

/** @param {number} value @returns {string} a change with its sign: +5, −2, 0, +1.5 */
export function signed(value) {
  const shown = Number.isInteger(value) ? String(Math.abs(value)) : Math.abs(value).toFixed(1);
  return value > 0 ? `+${shown}` : value < 0 ? `−${shown}` : "0";
}

/** @param {readonly string[]} sentences @returns {string} one text; Chinese has no space between sentences */
export function paragraph(sentences) {
  return sentences.filter(Boolean).join(language.startsWith("zh") ? "" : " ");
}

/** @param {number} value @returns {string} with exactly four decimals */
export function fourDecimals(value) {
  return fine.format(value);
}

/** @param {number | null | undefined} value @returns {string} a number that was played, rounded */
export function playedNumber(value) {
  return value === null || value === undefined ? "–" : plain.format(value);
}

/** @param {number[] | null | undefined} values @returns {string} numbers that were played, rounded */
export function playedNumbers(values) {
  return values ? values.map(playedNumber).join(" · ") : "–";
}

/** @param {string[]} names @returns {string} "Ann, Bob", with the language's separator */
export function nameList(names) {
  return names.join(pgettext("between names", ", "));
}

/** @param {number} seconds @returns {string} 830 µs, 12 ms, 3.4 s, 2 min 5 s, 4 h 39 min */
export function duration(seconds) {
  if (seconds > 0 && seconds < 0.001) return interpolate(gettext("%s µs"), [Math.round(seconds * 1e6)]);
  if (seconds > 0 && seconds < 1) return interpolate(gettext("%s ms"), [Math.round(seconds * 1000)]);
  if (seconds < 60) return interpolate(gettext("%s s"), [Number(seconds.toFixed(1))]);
  const whole = Math.round(seconds);
  if (whole >= 3600) {
    const minutes = Math.round(seconds / 60);
    if (minutes % 60 === 0) return interpolate(gettext("%s h"), [minutes / 60]);
    return interpolate(gettext("%s h %s min"), [Math.floor(minutes / 60), minutes % 60]);
  }
  if (whole % 60 === 0) return interpolate(gettext("%s min"), [whole / 60]);
  return interpolate(gettext("%s min %s s"), [Math.floor(whole / 60), whole % 60]);
}

/**
 * @param {any} move @param {((move: any) => string) | undefined} label the game view's `moveLabel` @returns {string}
 * the move's label
 */
export function moveText(move, label) {
  if (move === null) return "–";
  if (label) return label(move);
  return Array.isArray(move) ? playedNumbers(move) : String(move);
}
