/** Retries while a player waits. */
import { type Patience, persist as persistently, type Persistence } from "@shiplog/client";

/** Retries wait less if the browser is online again. */
export const patience = { tries: 40, pause } satisfies Partial<Patience>;

/** Repeat a call until the answer is final. `lost` is called before each wait. */
export function persist<T>(
  call: () => Promise<T>,
  { tries = patience.tries, ...rest }: { tries?: number } & Pick<Persistence, "lost" | "signal"> = {},
): Promise<T> {
  return persistently(call, { ...rest, patience: { ...patience, tries } });
}

/** Wait, but continue at once when the browser is online again. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      removeEventListener("online", end);
      signal?.removeEventListener("abort", end);
      if (signal?.aborted) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener("online", end);
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
  });
}

/** Create an Idempotency-Key. On plain HTTP browsers have no `crypto.randomUUID`. */
export function freshKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
