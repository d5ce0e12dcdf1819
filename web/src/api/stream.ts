/**
 * Live records: server-sent events, read by fetch so that the request carries the token, and
 * resumed if cut.
 */
import { EventSourceParserStream } from "eventsource-parser/stream";
import { Offline, refusalOf } from "./client";
import { backoffMs, pause } from "./retry";
import { session } from "./session.svelte";
import type { ToldRecord } from "./types";

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
  let last = 0;
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      const ended = await once(
        match,
        joinCode,
        last,
        signal,
        (record) => {
          attempt = 0;
          last = record.v;
          follower.record(record);
        },
        () => {
          follower.link(true);
        },
      );
      if (ended) return;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Offline)) throw error;
    }
    follower.link(false);
    await pause(backoffMs(attempt), signal).catch(() => undefined);
  }
}

/** Read one connection to its end. Returns whether the match is over. */
async function once(
  match: string,
  joinCode: string | null,
  after: number,
  signal: AbortSignal,
  record: (record: ToldRecord) => void,
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
    const query = joinCode ? `?join_code=${encodeURIComponent(joinCode)}` : "";
    const response = await fetch(`/matches/${encodeURIComponent(match)}/stream${query}`, {
      headers: {
        Accept: "text/event-stream",
        Authorization: `Bearer ${session.player?.token ?? ""}`,
        "Last-Event-ID": String(after),
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
      if (value.event === "end") return true;
      if (value.event === "record") record(JSON.parse(value.data) as ToldRecord);
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
