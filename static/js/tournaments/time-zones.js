/**
 * Add each time zone's name in the page's language to a form's list: "Asia/Shanghai · 中国时间".
 *
 * Without this script, and in English, the list has the IANA names only.
 */

const AT_ONCE = 10;
const STYLES = /** @type {const} */ (["shortGeneric", "longGeneric"]); // "中国时间", "北美东部时间"

/** @param {string} zone an IANA name @param {string} language @returns {string} the label of its option */
export function zoneLabel(zone, language) {
  const plain = zone.replaceAll("_", " ");
  const city = plain.split("/").at(-1) ?? plain;
  for (const style of STYLES) {
    const name = nameOf(zone, language, style);
    // Browsers fall back to the English name of the city or to the offset.
    if (name && !name.includes(city) && !/^(GMT|UTC)/.test(name)) return `${plain} · ${name}`;
  }
  return plain;
}

/** @param {string} zone @param {string} language @param {typeof STYLES[number]} timeZoneName */
function nameOf(zone, language, timeZoneName) {
  const parts = new Intl.DateTimeFormat(language, { timeZone: zone, timeZoneName }).formatToParts(0);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
}

/**
 * Label all options, a few at a time, because browsers need seconds for hundreds on a slow machine.
 * @param {HTMLSelectElement} select
 * @param {string} language
 */
async function labelZones(select, language) {
  for (const [index, option] of [...select.selectedOptions, ...select.options].entries()) {
    if (index % AT_ONCE === 0) await new Promise((resolve) => setTimeout(resolve));
    try {
      option.text = zoneLabel(option.value, language);
    } catch {
      // The browser does not know this zone: keep its IANA name.
    }
  }
}

const language = globalThis.document?.documentElement.lang || "en";
if (!language.startsWith("en")) {
  for (const select of document.querySelectorAll("select[name=time_zone]")) void labelZones(/** @type {HTMLSelectElement} */ (select), language);
}
