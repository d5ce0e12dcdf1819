/**
 * Live records: server-sent events, read by fetch so that the request carries the token, and
 * resumed if cut.
 */
import type { EventSourceMessage } from "eventsource-parser";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { Offline, refusalOf } from "./client";
import { keep } from "./receipts";
import { backoffMs, pause } from "./retry";
import { session } from "./session.svelte";
import type { Notice, ToldRecord } from "./types";

/** Longer than the service's keep-alive: a connection that is silent for this long is dead. */
const SILENCE_MS = 40_000;

export interface Follower {
  /** Called for each record, in order. */
  record(record: ToldRecord): void;
  /** Called when the connection is up (true), or lost and being opened again (false). */
  link(up: boolean): void;
}

/**
 * Follow a match from its first record until it ends or `signal` aborts; throws the refusal that
 * ends it.
 */
export async function follow(
  match: string,
  joinCode: string | null,
  follower: Follower,
  signal: AbortSignal,
): Promise<void> {
  const query = joinCode ? `?join_code=${encodeURIComponent(joinCode)}` : "";
  const path = `/matches/${encodeURIComponent(match)}/stream${query}`;
  const heard = (event: EventSourceMessage): boolean => {
    if (event.event === "receipt") keep(event.data);
    if (event.event === "record") follower.record(JSON.parse(event.data) as ToldRecord);
    return event.event === "end";
  };
  await listen(path, heard, follower.link.bind(follower), signal, "0");
}

/** Follow the player's notices until `signal` aborts; throws the refusal that ends it. */
export async function followNotices(
  notice: (notice: Notice) => void,
  signal: AbortSignal,
  after: { place: string | null },
): Promise<void> {
  const heard = (event: EventSourceMessage): boolean => {
    after.place = event.id ?? after.place;
    notice(JSON.parse(event.data) as Notice);
    return false;
  };
  await listen("/players/me/stream", heard, () => undefined, signal, after.place);
}

/** Read a stream until `heard` returns true, and open it again where it was cut. */
async function listen(
  path: string,
  heard: (event: EventSourceMessage) => boolean,
  link: (up: boolean) => void,
  signal: AbortSignal,
  after: string | null,
): Promise<void> {
  let last = after;
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      const ended = await once(
        path,
        last,
        signal,
        (event) => {
          attempt = 0;
          last = event.id ?? last;
          return heard(event);
        },
        () => {
          link(true);
        },
      );
      if (ended) return;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Offline)) throw error;
    }
    link(false);
    await pause(backoffMs(attempt), signal).catch(() => undefined);
  }
}

/** Read one connection to its end. Returns whether the stream is over. */
async function once(
  path: string,
  after: string | null,
  signal: AbortSignal,
  event: (event: EventSourceMessage) => boolean,
  up: () => void,
): Promise<boolean> {
  const dead = new AbortController();
  const stop = (): void => {
    dead.abort();
  };
  signal.addEventListener("abort", stop);
  // The browser notices earlier than the time limit does.
  addEventListener("offline", stop);
  let timer = setTimeout(stop, SILENCE_MS);
  const heard = (): void => {
    clearTimeout(timer);
    timer = setTimeout(stop, SILENCE_MS);
  };
  try {
    const response = await fetch(path, {
      headers: {
        Accept: "text/event-stream",
        Authorization: `Bearer ${session.player?.token ?? ""}`,
        ...(after === null ? {} : { "Last-Event-ID": after }),
      },
      signal: dead.signal,
    });
    if (!response.ok || !response.body) {
      const refusal = refusalOf(response, await response.json().catch(() => null));
      throw refusal.passing ? new Offline(refusal.code) : refusal;
    }
    up();
    const watched = response.body.pipeThrough(
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(chunk, controller) {
          heard();
          controller.enqueue(chunk);
        },
      }),
    );
    const reader = watched
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream())
      .getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return false;
      if (value.data && event(value)) return true;
    }
  } catch (error) {
    if (error instanceof TypeError || error instanceof DOMException) throw new Offline(String(error));
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    removeEventListener("offline", stop);
    dead.abort();
  }
}
