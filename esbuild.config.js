/**
 * Bundles the pages' scripts and styles into build/static, under the addresses that templates use for their sources.
 *
 * Entry points are discovered, not listed: every module that a template loads with `{% module "…" %}`, and each game's
 * view, `<game>/view.js`. Each starts with static/js/common.js, the code for every page, which thus becomes one file
 * that a browser downloads once. The style sheets that templates link are entry points, too: all pages link
 * static/css/site.css, which includes each game's `<game>/<game>.css`.
 * build/static/bundle.json lists the imports and texts of each module and the games' styles in the sheet, for
 * `arena.platform.bundles`.
 *
 * EXTRA_GAMES, as in arena/games/registry.py, adds games whose packages are in this checkout. `--watch` rebuilds on
 * every change.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import * as esbuild from "esbuild";

const ROOT = dirname(fileURLToPath(import.meta.url));
const OUT = resolve(process.argv.find((one) => one.startsWith("--outdir="))?.slice("--outdir=".length) ?? join(ROOT, "build", "static"));
const WATCHES = process.argv.includes("--watch");
const WRITTEN = WATCHES ? OUT : `${OUT}.new`; // replaces OUT once it is complete
const COMMON = join(ROOT, "static", "js", "common.js");
const SITE = "css/site.css";
const PLAIN_VIEW = "js/matches/plain-view.js"; // for games without a view, as in arena/games/templatetags/games.py
const MODULE_TAG = /\{% module "([^"]+)" %\}/g;
const STYLE_LINK = /<link rel="stylesheet" href="\{% static '([^']+)' %\}">/g;
const TEXT = /\bn?(p?)gettext(?:_noop)?\(\s*("(?:[^"\\]|\\.)*")(?:,\s*("(?:[^"\\]|\\.)*"))?/g;

const extraGames = (process.env.EXTRA_GAMES ?? "")
  .split(",")
  .map((pair) => join(ROOT, ...pair.split("=")[0].trim().split(".")))
  .filter((folder) => folder !== ROOT && existsSync(folder));
const games = [...readdirSync(join(ROOT, "arena", "games")).map((name) => join(ROOT, "arena", "games", name)), ...extraGames];
const files = [join(ROOT, "arena"), join(ROOT, "templates"), join(ROOT, "static"), ...extraGames].flatMap(walk);

/** @param {string} folder @returns {string[]} every file below it, sorted, so that bundles are reproducible */
function walk(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? walk(join(folder, entry.name)) : [join(folder, entry.name)]));
}

/** @type {Map<string, string>} the sources of scripts and styles by their addresses below /static/ */
const sources = new Map(
  files
    .filter((file) => /[/\\]static[/\\].*\.(js|css)$/.test(file))
    .map((file) => [addressOf(file), file]),
);

/** @param {string} file @returns {string} its address below /static/ */
function addressOf(file) {
  return file.slice(file.lastIndexOf("/static/") + "/static/".length);
}

/** The addresses of all modules that pages load. */
function modules() {
  return [...new Set([...namedInTemplates(MODULE_TAG), ...ofGames(() => "view.js"), PLAIN_VIEW])].sort();
}

/**
 * The addresses that a pattern finds in templates; throws if a template names a file that does not exist.
 * @param {RegExp} pattern
 */
function namedInTemplates(pattern) {
  const named = files
    .filter((file) => file.endsWith(".html"))
    .flatMap((file) => [...readFileSync(file, "utf8").matchAll(pattern)].map(([, address]) => ({ file, address })));
  for (const { file, address } of named) {
    if (!sources.has(address)) throw new Error(`${relative(ROOT, file)} loads ${address}, which is in no static folder.`);
  }
  return [...new Set(named.map(({ address }) => address))];
}

/**
 * The addresses `<game>/<file>` in all games that have this file.
 * @param {(game: string) => string} file
 */
function ofGames(file) {
  return games
    .map((folder) => join(folder, "static"))
    .filter(existsSync)
    .flatMap((folder) => readdirSync(folder))
    .map((game) => `${game}/${file(game)}`)
    .filter((address) => sources.has(address));
}

const gameStyles = ofGames((game) => `${game}.css`);

/** @type {import("esbuild").Plugin} makes each entry import the common module and re-export the page's own module */
const withCommon = {
  name: "with-common",
  setup(build) {
    build.onResolve({ filter: /^entry:/ }, ({ path }) => ({ path: path.slice("entry:".length), namespace: "entry" }));
    build.onLoad({ filter: /.*/, namespace: "entry" }, ({ path }) => {
      const own = sources.get(path) ?? "";
      const lines = [`import ${JSON.stringify(COMMON)};`, ...(own === COMMON ? [] : [`export * from ${JSON.stringify(own)};`])];
      return { contents: lines.join("\n"), resolveDir: ROOT };
    });
  },
};

/** @type {import("esbuild").Plugin} bundles the site's style sheet with the games' sheets, and each game's sheet on its own */
const withGames = {
  name: "with-games",
  setup(build) {
    build.onResolve({ filter: /^entry:/ }, ({ path }) => ({ path: path.slice("entry:".length), namespace: "entry" }));
    build.onLoad({ filter: /.*/, namespace: "entry" }, ({ path }) => {
      const sheets = (path === SITE ? [SITE, ...gameStyles] : [path]).map((address) => sources.get(address));
      return { contents: sheets.map((sheet) => `@import ${JSON.stringify(sheet)};`).join("\n"), loader: "css", resolveDir: ROOT };
    });
  },
};

/** @type {import("esbuild").Plugin} resolves `@import` in style sheets relative to their addresses, as browsers do without bundles */
const byAddress = {
  name: "by-address",
  setup(build) {
    build.onResolve({ filter: /^\.\.?\// }, ({ path, importer, kind }) => {
      if (kind !== "import-rule") return undefined;
      const address = posix.join(posix.dirname(addressOf(importer)), path);
      const source = sources.get(address);
      return source ? { path: source } : build.resolve(address, { kind, resolveDir: ROOT }); // in a package
    });
  },
};

/**
 * @type {import("esbuild").Plugin} gives the editor's extras a copy of the language package for its completions, and the
 * grammar a copy of the completion package, of which nothing remains: the parts of one module cannot be in several
 * chunks, so that every page with an editor would load completion
 */
const splitLanguage = {
  name: "split-language",
  setup(build) {
    const extras = (/** @type {string} */ importer) => importer.endsWith("editor-extras.js");
    build.onResolve({ filter: /^@codemirror\/(lang-python|autocomplete)$/ }, async ({ path, importer, kind, resolveDir, pluginData }) => {
      if (pluginData === "resolved") return undefined;
      if (!(path.endsWith("python") ? extras(importer) : pluginData === "grammar")) return undefined;
      return { ...(await build.resolve(path, { kind, resolveDir, pluginData: "resolved" })), suffix: "?split" };
    });
    build.onLoad({ filter: /lang-python[/\\]dist[/\\]index\.js$/ }, ({ path, suffix }) => ({
      contents: readFileSync(path, "utf8"),
      resolveDir: dirname(path),
      pluginData: suffix ? "completions" : "grammar",
    }));
  },
};

/**
 * @type {import("esbuild").Plugin} gives the scrimmage form a copy of the list of opponents: in a chunk shared by both, it
 * would cost the studio, the heaviest page, a request with headers larger than the list
 */
const copyOpponents = {
  name: "copy-opponents",
  setup(build) {
    build.onResolve({ filter: /^\.\/opponent-list\.js$/ }, ({ path, importer, resolveDir }) =>
      importer.endsWith("scrimmage.js") ? { path: join(resolveDir, path), suffix: "?copy" } : undefined,
    );
  },
};

/**
 * @param {import("esbuild").Metafile["outputs"]} outputs
 * @param {string} file an output
 * @param {import("esbuild").ImportKind[]} kinds of imports to follow
 * @returns {string[]} the outputs that it imports, directly or indirectly
 */
function importsOf(outputs, file, kinds) {
  const found = new Set();
  const follow = (/** @type {string} */ from) => {
    for (const { path, kind } of outputs[from].imports) {
      if (!kinds.includes(/** @type {any} */ (kind)) || found.has(path)) continue;
      found.add(path);
      follow(path);
    }
  };
  follow(file);
  return [...found];
}

/** @param {string} file @returns {string[]} the texts that a source translates, as keys of Django's JavaScript catalogue */
function textsIn(file) {
  const calls = [...readFileSync(file, "utf8").matchAll(TEXT)];
  return calls.map(([, hasContext, first, second]) => (hasContext ? `${JSON.parse(first)}\u0004${JSON.parse(second)}` : JSON.parse(first)));
}

/**
 * @param {import("esbuild").Metafile} metafile
 * @returns by entry point, the files loaded before it runs, and the texts that it can show, also after later imports
 */
function describe({ outputs }) {
  const address = (/** @type {string} */ file) => relative(WRITTEN, join(ROOT, file));
  const own = new Set(sources.values());
  const texts = (/** @type {string} */ file) =>
    Object.keys(outputs[file].inputs)
      .map((source) => join(ROOT, source.replace(/\?\w+$/, "")))
      .filter((source) => own.has(source))
      .flatMap(textsIn);
  const entries = Object.keys(outputs).filter((file) => outputs[file].entryPoint);
  return {
    imports: Object.fromEntries(entries.map((file) => [address(file), importsOf(outputs, file, ["import-statement"]).map(address).sort()])),
    texts: Object.fromEntries(
      entries.map((file) => [address(file), [...new Set([file, ...importsOf(outputs, file, ["import-statement", "dynamic-import"])].flatMap(texts))].sort()]),
    ),
  };
}

/** @type {import("esbuild").Plugin} */
const writeManifest = {
  name: "write-manifest",
  setup(build) {
    build.onEnd(({ metafile, errors }) => {
      if (!metafile || errors.length > 0) return;
      writeFileSync(join(WRITTEN, "bundle.json"), JSON.stringify({ ...describe(metafile), styles: gameStyles }, null, 1));
    });
  },
};

/** @param {string[]} addresses */
function entryPoints(addresses) {
  return addresses.map((address) => ({ in: `entry:${address}`, out: address.replace(/\.\w+$/, "") }));
}

/** @type {import("esbuild").BuildOptions} */
const common = {
  absWorkingDir: ROOT,
  bundle: true,
  minify: true,
  sourcemap: true,
  outdir: WRITTEN,
  logLevel: "warning",
};
/** @type {import("esbuild").BuildOptions} */
const scripts = {
  ...common,
  entryPoints: entryPoints(modules()),
  chunkNames: "chunks/[name].[hash]",
  format: "esm",
  metafile: true,
  splitting: true,
  target: "es2022",
  plugins: [withCommon, splitLanguage, copyOpponents, writeManifest],
};
/** @type {import("esbuild").BuildOptions} */
const styles = { ...common, entryPoints: entryPoints([...namedInTemplates(STYLE_LINK), ...gameStyles]), plugins: [withGames, byAddress] };

rmSync(WRITTEN, { recursive: true, force: true });
mkdirSync(WRITTEN, { recursive: true });
if (WATCHES) {
  for (const options of [styles, scripts]) await (await esbuild.context(options)).watch();
  console.log("Rebuilding on every change; press Ctrl-C to stop. Restart to pick up new entry points.");
} else {
  for (const options of [styles, scripts]) await esbuild.build(options);
  for (const file of walk(join(WRITTEN, "chunks"))) {
    if (file.endsWith(".js")) writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file))); // a seventh smaller than gzip
  }
  rmSync(OUT, { recursive: true, force: true });
  renameSync(WRITTEN, OUT);
}
