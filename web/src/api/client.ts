/** The API, typed by its own document; every refusal becomes a `Refusal`, every cut line a `Offline`. */
import createClient, { type Middleware } from "openapi-fetch";
import type { paths } from "./schema";
import { session } from "./session.svelte";
import type { Problem } from "./types";

/** The service refused: RFC 9457, with a stable code and the rule's details beside it. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly details: Readonly<Record<string, unknown>>,
    readonly retryAfterS: number | null,
  ) {
    super(code);
  }

  /** The same request may be answered otherwise in a moment. */
  get passing(): boolean {
    return this.status === 503 || this.status === 429 || this.status === 502 || this.status === 504;
  }
}

/** The service was not reached. */
export class Offline extends Error {}

/** Give what a person can be told; a fault of the page itself is thrown on. */
export function tellable(error: unknown): Refusal | Offline {
  if (error instanceof Refusal || error instanceof Offline) return error;
  throw error;
}

const authorization: Middleware = {
  onRequest({ request }) {
    if (session.player) request.headers.set("Authorization", `Bearer ${session.player.token}`);
    return request;
  },
  onError({ error }) {
    if (error instanceof DOMException && error.name === "AbortError") return;
    return new Offline(String(error));
  },
};

export const api = createClient<paths>({ baseUrl: location.origin });
api.use(authorization);

/** Give an answer's body, or throw its refusal. */
export async function body<T>(
  answer: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await answer;
  if (response.ok) return data as T;
  throw refusalOf(response, error);
}

/** Read a refusal off an answer; one that is no problem+json (a proxy's page) keeps its status. */
export function refusalOf(response: Response, error: unknown): Refusal {
  const problem: Partial<Problem> = typeof error === "object" && error !== null ? error : {};
  if (response.status === 401) session.forget();
  const wait = Number(response.headers.get("Retry-After"));
  return new Refusal(
    response.status,
    problem.code ?? "unavailable",
    problem,
    Number.isFinite(wait) && wait > 0 ? wait : null,
  );
}
