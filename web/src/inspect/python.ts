/**
 * The rules in this browser: a worker runs the service's own Python code (`audit.worker.ts`). It is
 * started by the first question and kept for the next.
 */
import type { Bytes } from "./crypto";
import script from "./audit.worker.ts?worker&url";

/** A question about an exported file. `keys` are public keys in JSON, as `GET /keys` lists them. */
export type Question = { readonly data: Bytes } & (
  | { readonly ask: "audit"; readonly name: string; readonly keys: string }
  | { readonly ask: "explain"; readonly record: number }
  | { readonly ask: "blame"; readonly path: string; readonly limit: number }
);

/** What the page asks of the worker. */
export type Asked = Question & { readonly id: number };

/** What the worker tells the page. */
export type Told = { readonly id: number } & (
  | { readonly kind: "progress"; readonly done: number; readonly of: number }
  | { readonly kind: "answer"; readonly answer: unknown }
  /** `refused`: Python raised an exception and goes on. Otherwise it cannot be used any more. */
  | { readonly kind: "failed"; readonly why: string; readonly refused: boolean }
);

/** The program refused the file or the question. The message says why. */
export class Unanswered extends Error {}

const policy = window.trustedTypes?.createPolicy("audit", {
  createScriptURL(url) {
    if (url !== script) throw new TypeError(`Not the worker of the audit: ${url}`);
    return url;
  },
});

let worker: Worker | null = null;
let asked = 0;

/** Return the answer to a question. Rejects if Python cannot be loaded, or with `Unanswered`. */
export function ask(question: Question, onProgress?: (share: number) => void): Promise<unknown> {
  worker ??= new Worker((policy?.createScriptURL(script) ?? script) as string, { type: "module" });
  const running = worker;
  const id = ++asked;
  const over = new AbortController();
  return new Promise((resolve, reject) => {
    // The other questions to this worker fail by themselves; the next one starts another worker.
    const fail = (why: string): void => {
      if (worker === running) worker = null;
      reject(new Error(why));
    };
    const hear = ({ data: told }: MessageEvent<Told>): void => {
      if (told.id !== id) return;
      if (told.kind === "progress") onProgress?.(told.done / told.of);
      else if (told.kind === "answer") resolve(told.answer);
      else if (told.refused) reject(new Unanswered(told.why));
      else fail(told.why);
    };
    running.addEventListener("message", hear, { signal: over.signal });
    running.addEventListener("error", (event) => fail(event.message), { signal: over.signal });
    running.postMessage({ id, ...question } satisfies Asked);
  }).finally(() => over.abort());
}
