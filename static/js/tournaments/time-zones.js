/**
 * Adds each time zone's name in the page's language to a form's list: "Asia/Shanghai · 中国时间".
 *
 * Without this script, and in English, the list has the IANA names only.
 */

/** @param {string} zone an IANA name @param {string} language @returns {string} the label of its option */
export function zoneLabel(zone, language) {
  const format = new Intl.DateTimeFormat(language, { timeZone: zone, timeZoneName: "shortGeneric" });
  const name = format.formatToParts(0).find(({ type }) => type === "timeZoneName")?.value ?? "";
  return /\p{L}/u.test(name.replace(/^(GMT|UTC)/, "")) ? `${zone.replaceAll("_", " ")} · ${name}` : zone.replaceAll("_", " ");
}

/** @param {HTMLSelectElement} select @param {string} language */
function labelZones(select, language) {
  for (const option of select.options) {
    try {
      option.text = zoneLabel(option.value, language);
    } catch {
      // The browser does not know this zone: keep its IANA name.
    }
  }
}

const language = globalThis.document?.documentElement.lang || "en";
if (!language.startsWith("en")) {
  for (const select of document.querySelectorAll("select[name=time_zone]")) labelZones(/** @type {HTMLSelectElement} */ (select), language);
}
