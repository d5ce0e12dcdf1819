import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";
import { compiled } from "./stdlib";

const SERVICE = process.env.SHIPLOG_URL ?? "http://127.0.0.1:8000";
const CALLS = [
  "/audit",
  "/games",
  "/players",
  "/matches",
  "/invitations",
  "/seeks",
  "/tokens",
  "/bots",
  "/devices",
  "/passkeys",
  "/sign-ins",
  "/webhooks",
  "/push",
  "/showings",
  "/standings",
  "/jobs",
  "/replays",
  "/keys",
  "/health",
  "/schema",
];

/** The client package is compiled from its source, with the libraries that are locked for the page. */
const CLIENT = fileURLToPath(new URL("../clients/typescript/src/", import.meta.url));
const CLIENT_LIBRARIES = ["eventsource-parser", "openapi-fetch"];

const WHEELS = "node_modules/.wheels";
const PYODIDE = dirname(createRequire(import.meta.url).resolve("pyodide"));
const { info } = JSON.parse(readFileSync(join(PYODIDE, "pyodide-lock.json"), "utf8")) as { info: object };
const { version } = JSON.parse(readFileSync(join(PYODIDE, "package.json"), "utf8")) as { version: string };
const [wheel] = readdirSync(WHEELS).filter((name) => name.endsWith(".whl"));
if (!wheel) throw new Error(`No wheel of msgspec in ${WHEELS}. Run: make setup`);

/** How the files of Python are made. Browsers keep them for ever, so another way has another name. */
const MADE = createHash("sha256").update(readFileSync("stdlib.ts")).digest("hex").slice(0, 8);

/** The folder of Python for browsers, as the service serves it. */
const PYTHON = `audit/python-${version}-${MADE}`;

/** Put Python for browsers beside the page, compressed ahead. */
const python: Plugin = {
  name: "python",
  async writeBundle({ dir = "dist" }) {
    const folder = join(dir, PYTHON);
    mkdirSync(folder, { recursive: true });
    for (const name of ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"]) {
      const data = readFileSync(join(PYODIDE, name));
      const sent = name === "python_stdlib.zip" ? await compiled(data) : data;
      writeFileSync(join(folder, `${name}.gz`), gzipSync(sent, { level: 9 }));
    }
    copyFileSync(join(WHEELS, wheel), join(folder, wheel));
  },
};

const ICONS = [
  { name: "icon-192.png", sizes: "192x192", purpose: "any" },
  { name: "icon-512.png", sizes: "512x512", purpose: "any" },
  { name: "maskable-512.png", sizes: "512x512", purpose: "maskable" },
  { name: "badge-96.png", sizes: "96x96", purpose: "monochrome" },
];

/**
 * Write the manifest with the hashed icons, and tell the service worker which files belong to this
 * release.
 */
const installable = (): Plugin => {
  const icons = new Map<string, string>();
  return {
    name: "installable",
    apply: "build",
    enforce: "post",
    buildStart() {
      for (const { name } of ICONS) {
        const source = readFileSync(`src/offline/icons/${name}`);
        icons.set(name, this.emitFile({ type: "asset", name, source }));
      }
    },
    generateBundle(_, bundle) {
      const url = (name: string): string => `/${this.getFileName(icons.get(name) ?? "")}`;
      const manifest = {
        id: "/",
        name: "Shiplog",
        short_name: "Shiplog",
        description: "Board games of the sea: play, watch, and look back at every move.",
        start_url: "/",
        scope: "/",
        display: "standalone",
        background_color: "#0f4c5c",
        theme_color: "#0f4c5c",
        categories: ["games"],
        icons: ICONS.map(({ name, ...icon }) => ({ src: url(name), type: "image/png", ...icon })),
      };
      this.emitFile({ type: "asset", fileName: "app.webmanifest", source: JSON.stringify(manifest) });
      const page = bundle["index.html"];
      const worker = bundle[WORKER];
      if (page?.type !== "asset" || worker?.type !== "chunk")
        throw new Error("The page or its worker is missing.");
      const files = Object.keys(bundle)
        .filter((name) => name.startsWith("assets/"))
        .sort();
      const digest = createHash("sha256").update(page.source).update(files.join("\n")).digest("hex");
      const release = {
        name: `page/${digest.slice(0, 16)}`,
        files: ["/", ...files.map((name) => `/${name}`)],
        icon: url("icon-192.png"),
        badge: url("badge-96.png"),
        calls: CALLS,
      };
      worker.code = worker.code.replace("RELEASE_OF_THE_PAGE", () => JSON.stringify(release));
    },
  };
};

/** The service worker: at the top, since it sees only addresses below its own. */
const WORKER = "worker.js";

/** Return a name for the part of a game's board that a module belongs to. */
const partOfBoard =
  (part: string) =>
  (id: string): string =>
    `${part}-${/boards\/(\w+)\//.exec(id)?.[1] ?? ""}`;

/**
 * What is loaded together is one file, with all that it imports: many small files take many round
 * trips. Earlier parts take what they share with later ones.
 */
const PARTS = [
  {
    name: "shell",
    test: /src\/(App\.svelte|boards\/registry\.ts|match\/open\.ts)$|node_modules\/svelte\//,
  },
  { name: partOfBoard("cover"), test: /src\/boards\/\w+\/Cover\.svelte$/ },
  { name: "table", test: /src\/(match\/MatchPage\.svelte|boards\/\w+(\.svelte)?\.(svelte|ts))$/ },
  { name: "settings", test: /src\/settings\/Preferences\.svelte$/ },
  { name: "beside", test: /src\/match\/beside\.ts$/ },
  { name: partOfBoard("board"), test: /src\/boards\/\w+\/(Board\.svelte|words\.ts)$/ },
];

export default defineConfig({
  plugins: [svelte(), python, installable()],
  resolve: { alias: { "@shiplog/client": join(CLIENT, "index.ts") }, dedupe: CLIENT_LIBRARIES },
  define: {
    PYTHON: JSON.stringify(`/${PYTHON}/`),
    WHEEL: JSON.stringify(wheel),
    LOCK: JSON.stringify(JSON.stringify({ info, packages: {} })),
  },
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    manifest: true,
    rollupOptions: {
      input: { index: "index.html", worker: "src/offline/worker.ts" },
      output: {
        codeSplitting: { groups: PARTS },
        entryFileNames: ({ name }) => (name === "worker" ? WORKER : "assets/[name]-[hash].js"),
      },
    },
  },
  worker: { format: "es", rollupOptions: { output: { entryFileNames: "audit/[name]-[hash].js" } } },
  server: { fs: { allow: [".", CLIENT] }, proxy: Object.fromEntries(CALLS.map((call) => [call, SERVICE])) },
});
