/**
 * The audit of `shiplog audit`, by the same Python code. This worker starts Python, unpacks the
 * rules that the service serves, and audits one file after another.
 */
import type { PyodideInterface } from "pyodide";
import type { PyBuffer, PyCallable, PyProxy } from "pyodide/ffi";
import { crypto } from "./crypto";
import type { Asked, Told } from "./audit.svelte";

const SITE = "/lib/python3.14/site-packages";

interface Page extends PyProxy {
  audit_file: PyCallable;
}

const starting = start();
// A failure is reported to whoever asks.
starting.catch(() => undefined);
let turn: Promise<unknown> = starting;

addEventListener("message", ({ data }: MessageEvent<Asked>) => {
  turn = turn.catch(() => undefined).then(() => answer(data));
});

async function answer({ id, name, data, keys }: Asked): Promise<void> {
  try {
    const { python, page } = await starting;
    const bytes = python.toPy(data) as PyBuffer;
    const onProgress = (done: number, of: number): void => tell({ id, kind: "progress", done, of });
    const report = page.audit_file(name, bytes, keys, onProgress) as PyBuffer;
    tell({ id, kind: "report", report: JSON.parse(new TextDecoder().decode(report.toJs() as Uint8Array)) });
    for (const proxy of [bytes, report]) proxy.destroy();
  } catch (error) {
    tell({ id, kind: "failed", why: String(error) });
  }
}

function tell(told: Told): void {
  postMessage(told);
}

async function start(): Promise<{ python: PyodideInterface; page: Page }> {
  const [{ loadPyodide }, wheel, rules] = await Promise.all([
    import(/* @vite-ignore */ `${PYTHON}pyodide.mjs`) as Promise<typeof import("pyodide")>,
    fetched(`${PYTHON}${WHEEL}`),
    fetched("/audit/rules.zip"),
  ]);
  const python = await loadPyodide({ indexURL: PYTHON, lockFileContents: LOCK });
  python.unpackArchive(wheel, "wheel");
  python.unpackArchive(rules, "zip", { extractDir: SITE });
  python.registerJsModule("page_crypto", { verify });
  return { python, page: python.pyimport("replay.page") as Page };
}

/** Return whether an Ed25519 signature is valid. Python asks, and cannot wait for Web Crypto. */
function verify(key: PyBuffer, signature: PyBuffer, data: PyBuffer): boolean {
  const [raw, given, message] = [key, signature, data].map((value) => value.toJs() as Uint8Array);
  return (
    raw !== undefined && given !== undefined && message !== undefined && crypto.isSigned(raw, given, message)
  );
}

async function fetched(url: string): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.arrayBuffer();
}
