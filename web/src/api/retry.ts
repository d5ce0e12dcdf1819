/** Retries with growing delays, and jitter so that clients do not come back all at once. */
import { Offline, Refusal } from "./client";

const FIRST_MS = 400;
const LONGEST_MS = 15_000;

/** Return the milliseconds to wait before a retry; the first retry is number 0. */
export function backoffMs(attempt: number): number {
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt);
  return ceiling / 2 + Math.random() * (ceiling / 2);
}

/** Wait, but continue at once when the browser is online again. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (): void => {
      clearTimeout(timer);
      removeEventListener("online", done);
      signal?.removeEventListener("abort", stop);
      resolve();
    };
    const stop = (): void => {
      clearTimeout(timer);
      removeEventListener("online", done);
      reject(new DOMException("stopped", "AbortError"));
    };
    const timer = setTimeout(done, ms);
    addEventListener("online", done);
    signal?.addEventListener("abort", stop);
  });
}

/** Retry until the answer is final. `lost` is called after each failure. */
export async function persist<T>(what: () => Promise<T>, lost: () => void, tries = 40): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await what();
    } catch (error) {
      const passing = error instanceof Offline || (error instanceof Refusal && error.passing);
      if (!passing || attempt >= tries) throw error;
      lost();
      const asked = error instanceof Refusal && error.retryAfterS ? error.retryAfterS * 1000 : 0;
      await pause(Math.max(asked, backoffMs(attempt)));
    }
  }
}

/** Create an Idempotency-Key. On plain HTTP browsers have no `crypto.randomUUID`. */
export function freshKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
