/**
 * Receipts that the service signed for this browser's player, and the keys that it signed with as
 * this browser first met them. They are kept in IndexedDB, at most `MATCH_MAX` for each match.
 */
import type { PublicKey, Receipt, ReceiptKeeper } from "@shiplog/client";
import { session } from "./session.svelte";

/** A public key, with the time when this browser first met it. */
export interface MetKey extends PublicKey {
  readonly met: string;
}

interface Kept {
  readonly player: string;
  readonly match: string;
  readonly viewer: Receipt["viewer"];
  readonly version: number;
  readonly head: string;
  readonly at: number;
  /** The receipt as it came. */
  readonly text: string;
}

/** Number of receipts of a match. Each stands for all records before it, so the oldest can go. */
const MATCH_MAX = 400;
const TOTAL_MAX = 10_000;
const ORDER = "order";
const AGE = "age";

let opening: Promise<IDBDatabase> | null = null;
let writing: Promise<unknown> = Promise.resolve();
const heard = new EventTarget();

/** Keeps the receipts of streams: the page follows each match that it shows. */
export const keeper: ReceiptKeeper = { keep, asks: () => false };

/** Keep a receipt as it came. It does not throw: a browser without a database keeps none. */
function keep(text: string): void {
  const player = session.player?.player;
  if (player === undefined) return;
  const { match, viewer, version, head, key } = JSON.parse(text) as Receipt;
  writing = writing
    .then(async () => {
      await add({ player, match, viewer, version, head, at: Date.now(), text });
      heard.dispatchEvent(new Event(match));
      await meet(key);
    })
    .catch((error: unknown) => {
      console.info("A receipt was not kept.", error);
    });
}

/** Return the receipts of a match as they came, oldest first, once all that came are kept. */
export async function kept(match: string): Promise<string[]> {
  const player = session.player?.player;
  if (player === undefined) return [];
  await writing;
  const store = (await database()).transaction("receipts").objectStore("receipts");
  const found = await answer(store.index(ORDER).getAll(ofMatch(player, match)));
  return (found as Kept[]).map(({ text }) => text);
}

/** Return the keys that this browser has met, revoked or not as the service lists them now. */
export async function metKeys(): Promise<MetKey[]> {
  await writing;
  const listed = await listedKeys();
  const store = (await database()).transaction("keys").objectStore("keys");
  const met = (await answer(store.getAll())) as MetKey[];
  return met.map((key) => {
    const revoked = listed.find(({ service }) => service === key.service)?.revoked ?? null;
    return { ...key, revoked };
  });
}

async function listedKeys(): Promise<PublicKey[]> {
  return (await (await fetch("/keys")).json()) as PublicKey[];
}

/** Call `changed` whenever a receipt of a match was kept, until the signal aborts. */
export function watch(match: string, changed: () => void, signal: AbortSignal): void {
  heard.addEventListener(match, changed, { signal });
}

/** Note the service's keys if a receipt names an unknown one. */
async function meet(key: string): Promise<void> {
  const base = await database();
  const known = await answer(base.transaction("keys").objectStore("keys").getKey(key));
  if (known !== undefined) return;
  const listed = await listedKeys();
  const met = new Date().toISOString();
  const change = base.transaction("keys", "readwrite");
  for (const { service, public_key } of listed) {
    const store = change.objectStore("keys");
    if ((await answer(store.getKey(service))) === undefined) store.add({ service, public_key, met });
  }
  await done(change);
}

async function add(one: Kept): Promise<void> {
  const change = (await database()).transaction("receipts", "readwrite");
  const store = change.objectStore("receipts");
  const { player, match, viewer, version, head } = one;
  const same = await answer(store.getKey([player, match, viewer, version, head]));
  if (same === undefined) {
    store.add(one);
    await thin(store.index(ORDER), ofMatch(player, match), MATCH_MAX);
    await thin(store.index(AGE), undefined, TOTAL_MAX);
  }
  await done(change);
}

/** Delete the first of what an index has beyond a number. */
async function thin(index: IDBIndex, range: IDBKeyRange | undefined, max: number): Promise<void> {
  const surplus = (await answer(index.count(range))) - max;
  if (surplus <= 0) return;
  for (const key of await answer(index.getAllKeys(range, surplus))) index.objectStore.delete(key);
}

/** Return the range of a match in the order of versions. */
function ofMatch(player: string, match: string): IDBKeyRange {
  return IDBKeyRange.bound([player, match], [player, match, []]);
}

function database(): Promise<IDBDatabase> {
  opening ??= new Promise((opened, failed) => {
    const request = indexedDB.open("shiplog", 1);
    request.onupgradeneeded = () => {
      const keyPath = ["player", "match", "viewer", "version", "head"];
      const receipts = request.result.createObjectStore("receipts", { keyPath });
      receipts.createIndex(ORDER, ["player", "match", "version", "at"]);
      receipts.createIndex(AGE, "at");
      request.result.createObjectStore("keys", { keyPath: "service" });
    };
    request.onsuccess = () => {
      opened(request.result);
    };
    request.onerror = () => {
      failed(request.error ?? new Error("There is no database."));
    };
  });
  return opening;
}

function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((answered, failed) => {
    request.onsuccess = () => {
      answered(request.result);
    };
    request.onerror = () => {
      failed(request.error ?? new Error("The database did not answer."));
    };
  });
}

function done(change: IDBTransaction): Promise<void> {
  return new Promise((finished, failed) => {
    change.oncomplete = () => {
      finished();
    };
    change.onabort = () => {
      failed(change.error ?? new Error("The database did not write."));
    };
  });
}
