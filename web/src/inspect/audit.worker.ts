/**
 * The audit of `shiplog audit`, and what `explain` and `blame` say, by the same Python code. This
 * worker starts Python, unpacks the rules that the service serves, and answers one question after
 * another.
 */
import type { PyodideInterface } from "pyodide";
import type { PyBuffer, PyCallable, PyProxy } from "pyodide/ffi";
import { crypto } from "./crypto";
import type { Asked, Told } from "./python";

const SITE = "/lib/python3.14/site-packages";

interface Page extends PyProxy {
  audit_file: PyCallable;
  explain_record: PyCallable;
  blame_place: PyCallable;
}

const starting = start();
// A failure is reported to whoever asks.
starting.catch(() => undefined);
let turn: Promise<unknown> = starting;

addEventListener("message", ({ data }: MessageEvent<Asked>) => {
  turn = turn.catch(() => undefined).then(() => answer(data));
});

async function answer(asked: Asked): Promise<void> {
  const { id } = asked;
  let refused = false;
  try {
    const { python, page } = await starting;
    const bytes = python.toPy(asked.data) as PyBuffer;
    try {
      const found = called(page, bytes, asked);
      tell({ id, kind: "answer", answer: JSON.parse(new TextDecoder().decode(found.toJs() as Uint8Array)) });
      found.destroy();
    } catch (error) {
      refused = error instanceof python.ffi.PythonError;
      throw error;
    } finally {
      bytes.destroy();
    }
  } catch (error) {
    tell({ id, kind: "failed", why: refused ? reasonOf(error) : String(error), refused });
  }
}

function called(page: Page, bytes: PyBuffer, asked: Asked): PyBuffer {
  switch (asked.ask) {
    case "audit": {
      const { id, name, keys } = asked;
      const onProgress = (done: number, of: number): void => tell({ id, kind: "progress", done, of });
      return page.audit_file(name, bytes, keys, onProgress) as PyBuffer;
    }
    case "explain":
      return page.explain_record(bytes, asked.record) as PyBuffer;
    case "blame":
      return page.blame_place(bytes, asked.path, asked.limit) as PyBuffer;
  }
}

/** Return the message of a Python exception, which is the last line of its traceback. */
function reasonOf(error: unknown): string {
  const last = String(error).trimEnd().split("\n").at(-1) ?? "";
  return last.replace(/^[\w.]+: /, "");
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
  performance.mark("fetched");
  const python = await loadPyodide({ indexURL: PYTHON, lockFileContents: LOCK });
  performance.mark("python");
  python.unpackArchive(wheel, "wheel");
  python.unpackArchive(rules, "zip", { extractDir: SITE });
  performance.mark("unpacked");
  python.registerJsModule("page_crypto", { verify });
  const page = python.pyimport("replay.page") as Page;
  performance.mark("imported");
  return { python, page };
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
