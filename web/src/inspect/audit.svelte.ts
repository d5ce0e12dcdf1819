/** The audit in this browser, by the service's own program. */
import { api, body } from "../api/client";
import type { Schemas } from "../api/types";
import type { Bytes } from "./crypto";
import { ask } from "./python";

export type Report = Schemas["Report"];

const PHONE_MAX = 600;

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
      const question = { ask: "audit", name: this.name, data, keys: JSON.stringify(keys) } as const;
      this.report = (await ask(question, (share) => (this.share = share))) as Report;
    } catch (error) {
      console.warn(error);
      this.failed = true;
    } finally {
      this.running = false;
    }
  }
}
