/** Numbers and durations in the reader's language. Without a page, the language is English. */

const language = globalThis.document?.documentElement.lang || "en";

const ENDINGS = /** @type {Record<string, string>} */ ({ one: "st", two: "nd", few: "rd" });

/**
 * @param {number} rank
 * @param {string} [reader] their language
 * @returns {string} 12th in English; in other languages the plain number
 */
export function ordinal(rank, reader = language) {
  if (!reader.startsWith("en")) return String(rank);
  return `${rank}${ENDINGS[new Intl.PluralRules("en", { type: "ordinal" }).select(rank)] ?? "th"}`;
}

/**
 * Format a number like arena/core/number_format.py: 4060, 12,345.6, −0.5.
 * @param {number} value
 * @param {number} [decimals] exactly this many
 * @returns {string}
 */
export function formatNumber(value, decimals = 0) {
  const [whole, fraction] = Math.abs(value).toFixed(decimals).split(".");
  const separated = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, ",") : whole;
  const text = fraction ? `${separated}.${fraction}` : separated;
  return value < 0 && /[1-9]/.test(text) ? `−${text}` : text;
}

/** @param {number} value @param {number} most @returns {string} with as many decimals as it needs, up to `most` */
export function formatShortest(value, most) {
  return formatNumber(value, most).replace(/\.?0+$/, "");
}

/** @param {number | null | undefined} value @returns {string} points without trailing zeros, halves as ½ */
export function points(value) {
  if (value === null || value === undefined) return "–";
  if (value > 0 && value % 1 === 0.5) return value < 1 ? "½" : `${formatNumber(Math.floor(value))}½`;
  return formatShortest(value, 2);
}

/** @param {number} value @returns {string} "1 point", "12 points" */
export function pointsText(value) {
  return interpolate(ngettext("%s point", "%s points", Math.abs(value)), [points(value)]);
}

/**
 * @param {number | null | undefined} value
 * @param {number | null | undefined} decimals none: as points
 * @returns {string}
 */
export function score(value, decimals) {
  if (typeof value !== "number" || typeof decimals !== "number") return points(value);
  return formatNumber(value, decimals);
}

/** @param {number} value @returns {string} a change with its sign: +5, −2, 0, +1.5 */
export function signed(value) {
  const text = formatShortest(value, 1);
  return value > 0 && text !== "0" ? `+${text}` : text;
}

/** @param {readonly string[]} sentences @returns {string} one text; Chinese has no space between sentences */
export function paragraph(sentences) {
  return sentences.filter(Boolean).join(language.startsWith("zh") ? "" : " ");
}

/** @param {number} value @returns {string} with exactly four decimals */
export function fourDecimals(value) {
  return formatNumber(value, 4);
}

/** @param {number | null | undefined} value @returns {string} a number that was played, rounded */
export function playedNumber(value) {
  return value === null || value === undefined ? "–" : formatShortest(value, 2);
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
 * @param {any} move
 * @param {((move: any) => string) | undefined} label the game view's `moveLabel`
 * @returns {string} the move's label
 */
export function moveText(move, label) {
  if (move === null) return "–";
  if (label) return label(move);
  return Array.isArray(move) ? playedNumbers(move) : String(move);
}
