/** The calls of the service, typed from its OpenAPI document. */
import createClient, { type MaybeOptionalInit, type ParseAsResponse } from "openapi-fetch";
import type {
  HttpMethod,
  MediaType,
  PathsWithMethod,
  RequiredKeysOf,
  ResponseObjectMap,
  SuccessResponse,
} from "openapi-typescript-helpers";
import { Offline, PASSING, Refusal } from "./errors.js";
import { isPassing, PATIENCE, type Patience, persist } from "./patience.js";
import type { ReceiptKeeper } from "./receipts.js";
import type { paths } from "./schema.js";

export interface Options {
  /** Return the bearer token for the next request; null for a request without one. */
  readonly token?: () => string | null | Promise<string | null>;
  readonly patience?: Partial<Patience>;
  /** Sends each request, by default the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Is given the signed receipts of answers and streams, and says when to ask for one. */
  readonly receipts?: ReceiptKeeper | undefined;
}

type Succeeded<T> =
  ResponseObjectMap<T> extends Record<string | number, unknown>
    ? SuccessResponse<ResponseObjectMap<T>, MediaType>
    : never;

/** A method of the client. The answers of openapi-fetch itself have arrays in place of tuples. */
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

export interface Client {
  readonly GET: Call<"get">;
  readonly POST: Call<"post">;
  readonly PATCH: Call<"patch">;
  readonly PUT: Call<"put">;
  readonly DELETE: Call<"delete">;
  readonly patience: Patience;
  readonly receipts: Options["receipts"];
}

const KEY = "Idempotency-Key";

/** Paths whose POST has an Idempotency-Key, according to the document. */
type CountedPath = {
  [P in keyof paths]: paths[P]["post"] extends { parameters: { header?: infer Headers } }
    ? [Headers] extends [never]
      ? never
      : typeof KEY extends keyof NonNullable<Headers>
        ? P
        : never
    : never;
}[keyof paths];

/** Calls that count once, however often they are sent with the same Idempotency-Key. */
const COUNTED: Readonly<Record<CountedPath, true>> = {
  "/invitations/{invitation}/accept": true,
  "/matches": true,
  "/matches/{match}/branches": true,
  "/matches/{match}/commands": true,
};

/** Calls whose answers have a receipt if the request asks. */
const SIGNED: Partial<Record<keyof paths, "view" | "command">> = {
  "/matches/{match}": "view",
  "/matches/{match}/commands": "command",
};

/**
 * Return a client of the service at a URL.
 *
 * A request is sent again if the connection is lost or the service is busy. A call that does not
 * count once is sent again only if the service has refused it: after a lost connection nobody knows
 * whether it was carried out.
 */
export function connect(url: string, options: Options = {}): Client {
  const { token, receipts, fetch = globalThis.fetch } = options;
  const patience = { ...PATIENCE, ...options.patience };
  const calls = createClient<paths>({
    baseUrl: url,
    fetch: (request) => answered(request, fetch, patience),
  });
  calls.use({
    async onRequest({ request, schemaPath, params }) {
      const bearer = await token?.();
      if (bearer) request.headers.set("Authorization", `Bearer ${bearer}`);
      const counted = request.method === "POST" && schemaPath in COUNTED;
      if (counted && !request.headers.has(KEY)) request.headers.set(KEY, uniqueKey());
      const call = SIGNED[schemaPath as keyof paths];
      const asks = call !== undefined && receipts?.asks(String(params.path?.["match"]), call);
      if (asks) request.headers.append("Prefer", "receipt");
    },
    onResponse({ response }) {
      const signed = response.headers.get("Receipt");
      if (signed !== null) receipts?.keep(signed);
    },
  });
  return { ...(calls as unknown as Client), patience, receipts };
}

/** Send a request until there is an answer; return the last one, even if it is a refusal. */
async function answered(
  request: Request,
  fetch: NonNullable<Options["fetch"]>,
  patience: Patience,
): Promise<Response> {
  const blindly = request.method === "GET" || request.headers.has(KEY);
  let answer: Response | null = null;
  const once = async (): Promise<Response> => {
    await answer?.body?.cancel();
    answer = null;
    answer = await sent(request, fetch, patience.answerMs);
    if (PASSING.includes(answer.status)) throw Refusal.from(answer, null);
    return answer;
  };
  const again = (error: unknown): boolean =>
    isPassing(error) && (blindly || error instanceof Refusal);
  try {
    return await persist(once, { patience, signal: request.signal, again });
  } catch (error) {
    if (error instanceof Refusal && answer !== null) return answer;
    throw error;
  }
}

/** Send a request once; return the whole answer, or the beginning of a stream. */
async function sent(
  request: Request,
  fetch: NonNullable<Options["fetch"]>,
  answerMs: number,
): Promise<Response> {
  request.signal.throwIfAborted();
  const stop = new AbortController();
  request.signal.addEventListener("abort", () => stop.abort(request.signal.reason));
  const timer = setTimeout(() => stop.abort(new Error(`no answer in ${answerMs} ms`)), answerMs);
  try {
    const answer = await fetch(new Request(request.clone(), { signal: stop.signal }));
    clearTimeout(timer);
    if (answer.headers.get("Content-Type")?.startsWith("text/event-stream")) return answer;
    const body = await answer.arrayBuffer();
    return new Response(body.byteLength ? body : null, answer); // 204 must not have a body
  } catch (error) {
    request.signal.throwIfAborted();
    const message = `Cannot reach ${new URL(request.url).origin}: ${reason(error)}`;
    throw new Offline(message, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** Return what the platform says of a failed request. Node keeps the reason in the cause. */
function reason(error: unknown): string {
  const { cause = error } = error as { cause?: unknown };
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}

/** Return a key that no other call has. It need not be secret: keys count per player. */
function uniqueKey(): string {
  const part = (): string => Math.floor(Math.random() * 2 ** 32).toString(16);
  return `${Date.now().toString(16)}-${part()}-${part()}-${part()}`;
}
