/** What can go wrong with a call. */
import type { components } from "./schema.js";

/** Statuses of refusals that may not last. */
export const PASSING: readonly number[] = [429, 502, 503, 504];

/** The problem document of a refusal (RFC 9457); empty if a proxy answered with another page. */
export type Problem = Partial<components["schemas"]["Problem"]>;

/** The service refused a request. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly status: number,
    /** Stable reason of the refusal. */
    readonly code: string,
    readonly problem: Problem = {},
    /** How long the service asks to wait (seconds); null if it does not say. */
    readonly retryAfterS: number | null = null,
  ) {
    super(`${code}: ${problem.detail ?? `The service answered ${status}.`}`);
  }

  /** Create a refusal from a response and its parsed body. */
  static from(response: Response, body: unknown): Refusal {
    const problem: Problem = typeof body === "object" && body !== null ? body : {};
    const wait = response.headers.get("Retry-After") ?? "";
    const seconds = /^\d+$/.test(wait) ? Number(wait) : null;
    return new Refusal(response.status, problem.code ?? "unavailable", problem, seconds);
  }

  /** The wrong places: `detail` with a `pointer` into the body, a `parameter` or a `header`. */
  get errors(): readonly components["schemas"]["InputError"][] {
    return this.problem.errors ?? [];
  }

  /** Whether the same request may succeed in a moment. */
  get passing(): boolean {
    return PASSING.includes(this.status);
  }
}

/** The service could not be reached, or the connection was lost. */
export class Offline extends Error {
  override readonly name = "Offline";
}

/** Return the body of an answer; throws `Refusal` if it is a problem. */
export async function accepted<T>(
  answer: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await answer;
  if (response.ok) return data as T;
  throw Refusal.from(response, error);
}
