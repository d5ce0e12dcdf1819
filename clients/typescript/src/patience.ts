/** How long and how often to try again. */
import { Offline, Refusal } from "./errors.js";

export interface Patience {
  /** Maximum number of times that a request is sent. */
  readonly tries: number;
  /** Longest wait before the second try (milliseconds). It doubles with every further one. */
  readonly firstMs: number;
  /** Longest wait between two tries (milliseconds), unless the service asks for more. */
  readonly longestMs: number;
  /** Longest wait for the beginning of an answer (milliseconds). */
  readonly answerMs: number;
  /** Longest silence of an open stream (milliseconds); the service breaks it more often. */
  readonly silenceMs: number;
  /** Wait; rejects when the signal aborts. */
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export const PATIENCE: Patience = {
  tries: 8,
  firstMs: 400,
  longestMs: 15_000,
  answerMs: 30_000,
  silenceMs: 40_000,
  pause,
};

/** Return how long to wait after an attempt (milliseconds); the first is number 0. */
export function waitMs(attempt: number, patience: Patience = PATIENCE, error?: unknown): number {
  const ceiling = Math.min(patience.longestMs, patience.firstMs * 2 ** attempt);
  const asked = error instanceof Refusal ? (error.retryAfterS ?? 0) * 1000 : 0;
  return Math.max(asked, ceiling * (0.5 + Math.random() / 2));
}

export interface Persistence {
  readonly patience?: Partial<Patience> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Return whether to try again after an error, by default after each that may not last. */
  readonly again?: (error: unknown) => boolean;
  /** Called before each wait. */
  readonly lost?: (error: unknown) => void;
}

/** Repeat a call until it succeeds, fails for good, or the patience is exhausted. */
export async function persist<T>(call: () => Promise<T>, options: Persistence = {}): Promise<T> {
  const { signal, again = isPassing, lost } = options;
  const patience = { ...PATIENCE, ...options.patience };
  for (let attempt = 0; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (!again(error) || attempt + 1 >= patience.tries) throw error;
      lost?.(error);
      await patience.pause(waitMs(attempt, patience, error), signal);
    }
  }
}

/** Return whether the same request may succeed in a moment. */
export function isPassing(error: unknown): boolean {
  return error instanceof Offline || (error instanceof Refusal && error.passing);
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
