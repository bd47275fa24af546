// Django's JavaScript catalog for tests, in English.

globalThis.gettext = (text) => text;
globalThis.pgettext = (_context, text) => text;
globalThis.ngettext = (one, many, count) => (count === 1 ? one : many);
globalThis.interpolate = (text, values, named) =>
  named ? text.replace(/%\((\w+)\)s/g, (_, name) => String(values[name])) : values.reduce((left, value) => left.replace("%s", value), text);
