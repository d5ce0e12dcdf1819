/**
 * The API, typed from its OpenAPI document. A refused request throws `Refusal`, a lost connection
 * `Offline`.
 */
import createClient, { type MaybeOptionalInit, type Middleware, type ParseAsResponse } from "openapi-fetch";
import type {
  HttpMethod,
  MediaType,
  PathsWithMethod,
  RequiredKeysOf,
  ResponseObjectMap,
  SuccessResponse,
} from "openapi-typescript-helpers";
import { keep } from "./receipts";
import type { paths } from "./schema";
import { session } from "./session.svelte";
import type { Problem } from "./types";

/**
 * The service refused a request: a stable code and details, from its problem document (RFC 9457).
 */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly details: Readonly<Record<string, unknown>>,
    readonly retryAfterS: number | null,
  ) {
    super(code);
  }

  /** Whether the same request may succeed in a moment. */
  get passing(): boolean {
    return this.status === 503 || this.status === 429 || this.status === 502 || this.status === 504;
  }
}

/** The service could not be reached. */
export class Offline extends Error {}

/**
 * Return an error that can be shown to a player. Any other error is a bug of the page and is thrown
 * again.
 */
export function tellable(error: unknown): Refusal | Offline {
  if (error instanceof Refusal || error instanceof Offline) return error;
  throw error;
}

const authorization: Middleware = {
  onRequest({ request }) {
    if (session.player) request.headers.set("Authorization", `Bearer ${session.player.token}`);
    return request;
  },
  onResponse({ response }) {
    const receipt = response.headers.get("Receipt");
    if (receipt !== null) keep(receipt);
  },
  onError({ error }) {
    if (error instanceof DOMException && error.name === "AbortError") return;
    return new Offline(String(error));
  },
};

type Succeeded<T> =
  ResponseObjectMap<T> extends Record<string | number, unknown>
    ? SuccessResponse<ResponseObjectMap<T>, MediaType>
    : never;

/** A method of the client. Its own types of answers turn tuples into arrays. */
type Call<M extends HttpMethod> = <
  P extends PathsWithMethod<paths, M>,
  I extends MaybeOptionalInit<paths[P], M>,
>(
  path: P,
  ...init: RequiredKeysOf<I> extends never ? [I?] : [I]
) => Promise<{
  data?: ParseAsResponse<Succeeded<paths[P][M & keyof paths[P]]>, I>;
  error?: unknown;
  response: Response;
}>;

const client = createClient<paths>({ baseUrl: location.origin });
client.use(authorization);
export const api = client as unknown as {
  GET: Call<"get">;
  POST: Call<"post">;
  PATCH: Call<"patch">;
  DELETE: Call<"delete">;
};

/** Return the body of a response, or throw its refusal. */
export async function body<T>(
  answer: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await answer;
  if (response.ok) return data as T;
  throw refusalOf(response, error);
}

/**
 * Create a refusal from a response. Without a problem document (a proxy's page) only the status is
 * known.
 */
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
