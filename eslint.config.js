// ESLint for the browser scripts and for their tests, which run in Node.js and set up the parts of a page they need.
import js from "@eslint/js";
import globals from "globals";

/** The functions of Django's JavaScript catalog, also declared in static/src/globals.d.ts. */
const catalog = { gettext: "readonly", ngettext: "readonly", pgettext: "readonly", npgettext: "readonly", interpolate: "readonly" };

export default [
  { ignores: [".venv/", "build/", "var/"] },
  js.configs.recommended,
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  { rules: { "no-unused-vars": ["error", { argsIgnorePattern: "^_" }] } },
  { files: ["static/**/*.js", "{arena,tests}/**/static/**/*.js"], languageOptions: { globals: { ...globals.browser, ...catalog } } },
  { files: ["*.config.js"], languageOptions: { globals: globals.node } },
  { files: ["tests/**/*.mjs"], languageOptions: { globals: { ...globals.node, ...catalog, document: "readonly", window: "readonly" } } },
];
