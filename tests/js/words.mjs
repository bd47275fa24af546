// Django's JavaScript catalog for tests, in English.

/** @type {{[name: string]: (...values: any[]) => string}} */
const catalog = {
  gettext: (text) => text,
  pgettext: (_context, text) => text,
  ngettext: (one, many, count) => (count === 1 ? one : many),
  interpolate: (text, values, named) =>
    named ? text.replace(/%\((\w+)\)s/g, (_, name) => String(values[name])) : values.reduce((left, value) => left.replace("%s", value), text),
};
Object.assign(globalThis, catalog);
