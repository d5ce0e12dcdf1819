/**
 * The audit in this browser. A worker runs the service's own Python code (`audit.worker.ts`). It is
 * started by the first audit and kept for the next.
 */
import { api, body } from "../api/client";
import type { Schemas } from "../api/types";
import type { Bytes } from "./crypto";
import type { Key } from "../verifier/verify.mjs";
import script from "./audit.worker.ts?worker&url";

export type Report = Schemas["Report"];

/** What the page asks of the worker. */
export interface Asked {
  readonly id: number;
  readonly name: string;
  readonly data: Bytes;
  /** The known public keys in JSON, as `GET /keys` lists them. */
  readonly keys: string;
}

/** What the worker tells the page. */
export type Told = { readonly id: number } & (
  | { readonly kind: "progress"; readonly done: number; readonly of: number }
  | { readonly kind: "report"; readonly report: Report }
  | { readonly kind: "failed"; readonly why: string }
);

const PHONE_MAX = 600;
const policy = window.trustedTypes?.createPolicy("audit", {
  createScriptURL(url) {
    if (url !== script) throw new TypeError(`Not the worker of the audit: ${url}`);
    return url;
  },
});

let worker: Worker | null = null;
let asked = 0;

/** Return why this device cannot audit with the rules, or null if it can. */
export function obstacle(): "phone" | "wasm" | null {
  if (typeof WebAssembly === "undefined" || typeof Worker === "undefined") return "wasm";
  return Math.min(screen.width, screen.height) < PHONE_MAX ? "phone" : null;
}

/** The audit of one log, which a component shows. */
export class Auditing {
  running = $state(false);
  failed = $state(false);
  /** The share of the records that are audited; null while Python is loading. */
  share = $state<number | null>(null);
  report = $state.raw<Report | null>(null);

  constructor(
    readonly name: string,
    readonly log: Promise<Bytes>,
  ) {}

  /** Run the audit. Does not throw: what went wrong is in the console and in `failed`. */
  async start(): Promise<void> {
    this.failed = false;
    this.running = true;
    this.share = null;
    try {
      const [data, keys] = await Promise.all([this.log, body(api.GET("/keys"))]);
      this.report = await audit(this.name, data, keys, (share) => (this.share = share));
    } catch (error) {
      console.warn(error);
      this.failed = true;
    } finally {
      this.running = false;
    }
  }
}

/** Audit an exported file. Rejects if Python cannot be loaded. */
function audit(
  name: string,
  data: Bytes,
  keys: readonly Key[],
  onProgress: (share: number) => void,
): Promise<Report> {
  worker ??= new Worker((policy?.createScriptURL(script) ?? script) as string, { type: "module" });
  const running = worker;
  const id = ++asked;
  const over = new AbortController();
  return new Promise<Report>((resolve, reject) => {
    const fail = (why: string): void => {
      running.terminate();
      if (worker === running) worker = null;
      reject(new Error(why));
    };
    const hear = ({ data: told }: MessageEvent<Told>): void => {
      if (told.id !== id) return;
      if (told.kind === "progress") onProgress(told.done / told.of);
      else if (told.kind === "report") resolve(told.report);
      else fail(told.why);
    };
    running.addEventListener("message", hear, { signal: over.signal });
    running.addEventListener("error", (event) => fail(event.message), { signal: over.signal });
    running.postMessage({ id, name, data, keys: JSON.stringify(keys) } satisfies Asked);
  }).finally(() => over.abort());
}
