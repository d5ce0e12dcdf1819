import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

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
const { info } = JSON.parse(readFileSync(join(PYODIDE, "pyodide-lock.json"), "utf8")) as {
  info: { version: string };
};
const [wheel] = readdirSync(WHEELS).filter((name) => name.endsWith(".whl"));
if (!wheel) throw new Error(`No wheel of msgspec in ${WHEELS}. Run: make setup`);

/** The folder of Python for browsers, as the service serves it. */
const PYTHON = `audit/python-${info.version}`;

/** Put Python for browsers beside the page, compressed ahead. */
const python: Plugin = {
  name: "python",
  writeBundle({ dir = "dist" }) {
    const folder = join(dir, PYTHON);
    mkdirSync(folder, { recursive: true });
    for (const name of ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"])
      writeFileSync(join(folder, `${name}.gz`), gzipSync(readFileSync(join(PYODIDE, name)), { level: 9 }));
    copyFileSync(join(WHEELS, wheel), join(folder, wheel));
  },
};

export default defineConfig({
  plugins: [svelte(), python],
  resolve: { alias: { "@shiplog/client": join(CLIENT, "index.ts") }, dedupe: CLIENT_LIBRARIES },
  define: {
    PYTHON: JSON.stringify(`/${PYTHON}/`),
    WHEEL: JSON.stringify(wheel),
    LOCK: JSON.stringify(JSON.stringify({ info, packages: {} })),
  },
  build: { target: "es2022", assetsInlineLimit: 0, manifest: true },
  worker: { format: "es", rollupOptions: { output: { entryFileNames: "audit/[name]-[hash].js" } } },
  server: { fs: { allow: [".", CLIENT] }, proxy: Object.fromEntries(CALLS.map((call) => [call, SERVICE])) },
});
