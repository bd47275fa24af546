/** Why a bot failed, drawn like components/diagnosis.html. */
import { element } from "./dom.js";
import { faultLabel } from "./labels.js";

/**
 * @param {{kind: string, message: string, traceback: string, file: string | null, line: number | null, source_line: string | null, turn: number, log_tail: string}} diagnosis
 * @returns {HTMLElement}
 */
export function diagnosisPanel(diagnosis) {
  const { kind, message, traceback, file, line, source_line: sourceLine, turn, log_tail: logTail } = diagnosis;
  return element(
    "section",
    { class: "card diagnosis", "aria-label": gettext("Diagnosis") },
    element(
      "p",
      { class: "diagnosis__where" },
      element("span", { class: "badge", "data-tone": "bad" }, faultLabel(kind)),
      turn ? element("span", {}, interpolate(gettext("in turn %s"), [turn])) : null,
      file ? element("span", {}, line ? `${file}:${line}` : file) : null,
    ),
    element("p", { class: "diagnosis__message" }, message),
    sourceLine ? offendingLine(line, sourceLine) : null,
    traceback ? folded(gettext("Traceback"), traceback, true) : null,
    logTail ? folded(gettext("The end of what it printed"), logTail, false) : null,
  );
}

function offendingLine(line, text) {
  const number = element("span", { class: "offending-line__number" }, String(line ?? ""));
  return element("div", { class: "offending-line", tabindex: "0" }, number, element("code", {}, text));
}

function folded(title, text, open) {
  return element(
    "details",
    { open },
    element("summary", {}, title),
    element("pre", { class: "log", tabindex: "0" }, text),
  );
}
