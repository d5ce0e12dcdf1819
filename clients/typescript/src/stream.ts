/** Streams of server-sent events, which resume where the connection was lost. */
import { createParser, type EventSourceMessage } from "eventsource-parser";
import type { Client } from "./client.js";
import { accepted, Offline } from "./errors.js";
import { waitMs } from "./patience.js";
import type { components } from "./schema.js";

type Schemas = components["schemas"];
type Answer = Promise<{
  data?: ReadableStream<Uint8Array> | null;
  error?: unknown;
  response: Response;
}>;

export interface Following {
  readonly signal?: AbortSignal | undefined;
  /** Called when the connection is up (true), and when it is lost (false). */
  readonly link?: (up: boolean) => void;
}

/**
 * Yield the records of a match after a viewer's version, until it is over.
 *
 * A lost connection is opened again after the last record, so that none is missed or repeated.
 * Throws `Refusal`, `Offline` when the patience is exhausted, and the reason of an aborted signal.
 */
export async function* follow(
  client: Client,
  match: string,
  options: Following & { readonly after?: number; readonly joinCode?: string | null } = {},
): AsyncGenerator<Schemas["ToldRecord"], void, undefined> {
  const { after = 0, joinCode, ...following } = options;
  const query = joinCode ? { join_code: joinCode } : {};
  const open = (place: string): Answer =>
    client.GET("/matches/{match}/stream", {
      params: { path: { match }, query, header: { "Last-Event-ID": place } },
      headers: { Accept: "text/event-stream" },
      parseAs: "stream",
      ...signalled(following),
    });
  for await (const { event, data } of events(client, open, String(after), following)) {
    if (event === "end") return;
    if (event === "receipt") client.receipts?.keep(data);
    if (event === "record") yield JSON.parse(data) as Schemas["ToldRecord"];
  }
}

export interface PlacedNotice {
  /** Where to resume: `after` of another `followNotices`. */
  readonly place: string;
  readonly notice: Schemas["Notice"];
}

/**
 * Yield what concerns the player in all matches, until the signal aborts.
 *
 * A lost connection is opened again after the last notice. A notice may come twice. Some may be
 * missing before `reset`: then read the lists anew. Throws as `follow` does.
 */
export async function* followNotices(
  client: Client,
  options: Following & { readonly after?: string | null } = {},
): AsyncGenerator<PlacedNotice, void, undefined> {
  const { after, ...following } = options;
  const open = (place: string): Answer =>
    client.GET("/players/me/stream", {
      params: { header: place ? { "Last-Event-ID": place } : {} },
      headers: { Accept: "text/event-stream" },
      parseAs: "stream",
      ...signalled(following),
    });
  let place = after ?? "";
  for await (const { id, data } of events(client, open, place, following)) {
    place = id ?? place;
    yield { place, notice: JSON.parse(data) as Schemas["Notice"] };
  }
}

/**
 * Yield a showing now and whenever it changes, until the signal aborts. The player is present for
 * as long.
 *
 * A lost connection is opened again. Throws as `follow` does: a `Refusal` with status 404 when the
 * showing has ended.
 */
export async function* followShowing(
  client: Client,
  showing: string,
  options: Following & { readonly joinCode?: string | null } = {},
): AsyncGenerator<Schemas["Showing"], never, undefined> {
  const { joinCode, ...following } = options;
  const query = joinCode ? { join_code: joinCode } : {};
  const open = (): Answer =>
    client.GET("/showings/{showing}/stream", {
      params: { path: { showing }, query },
      headers: { Accept: "text/event-stream" },
      parseAs: "stream",
      ...signalled(following),
    });
  for await (const { data } of events(client, open, "", following)) {
    yield JSON.parse(data) as Schemas["Showing"];
  }
  throw new Error("A stream ends only by an error.");
}

function signalled({ signal }: Following): { signal?: AbortSignal } {
  return signal ? { signal } : {};
}

/** Yield the events of a stream, and open it again after the last one whenever it is cut. */
async function* events(
  client: Client,
  open: (place: string) => Answer,
  after: string,
  { signal, link }: Following,
): AsyncGenerator<EventSourceMessage, never, undefined> {
  const { patience } = client;
  let place = after;
  for (let attempt = 0; ; attempt++) {
    const body = await accepted(open(place));
    link?.(true);
    try {
      for await (const event of parsed(body, patience.silenceMs)) {
        attempt = 0;
        place = event.id ?? place;
        yield event;
      }
    } catch {
      signal?.throwIfAborted();
    }
    link?.(false);
    await patience.pause(waitMs(attempt, patience), signal);
  }
}

/** Yield the events of one connection. An event that is cut off is dropped. */
async function* parsed(
  body: ReadableStream<Uint8Array> | null | undefined,
  silenceMs: number,
): AsyncGenerator<EventSourceMessage, void, undefined> {
  if (!body) return;
  const arrived: EventSourceMessage[] = [];
  const onEvent = (event: EventSourceMessage): void => {
    if (event.data) arrived.push(event); // what only keeps the connection open has no data
  };
  const parser = createParser({ onEvent });
  const text = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await unlessSilent(reader.read(), silenceMs);
      if (done) return;
      parser.feed(text.decode(value, { stream: true }));
      yield* arrived.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function unlessSilent<T>(read: Promise<T>, silenceMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Offline(`The stream was silent for ${silenceMs} ms.`)),
      silenceMs,
    );
  });
  try {
    return await Promise.race([read, silence]);
  } finally {
    clearTimeout(timer);
  }
}
