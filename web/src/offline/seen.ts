/**
 * Answers as a player has seen them last, for when there is no connection. Each player has a cache
 * of their own, which is deleted at sign-out. Browsers have caches on secure addresses only.
 */
import { Offline } from "../api/client";
import { session } from "../api/session.svelte";

const PREFIX = "seen/";
/** Number of answers that are kept; those that were seen longest ago are deleted first. */
const KEPT_MAX = 30;

export interface Seen<T> {
  readonly data: T;
  /** When the answer was seen; null if it has just come. */
  readonly at: string | null;
}

/** Keep an answer under a name for the player. */
export async function keep(name: string, data: unknown): Promise<void> {
  const player = session.player?.player;
  if (player === undefined || !("caches" in window)) return;
  const text = JSON.stringify({ data, at: new Date().toISOString() });
  const cache = await caches.open(PREFIX + player);
  await cache.delete(url(name));
  await cache.put(url(name), new Response(text));
  const names = await cache.keys();
  await Promise.all(names.slice(0, -KEPT_MAX).map((old) => cache.delete(old)));
  // Signed out meanwhile.
  if (session.player?.player !== player) await wipe();
}

/** Return what the player has seen under a name, if it is kept. */
export async function recall<T>(name: string): Promise<Seen<T> | null> {
  const player = session.player?.player;
  if (player === undefined || !("caches" in window)) return null;
  const found = await caches.match(url(name), { cacheName: PREFIX + player });
  return found ? ((await found.json()) as Seen<T>) : null;
}

/** Load an answer and keep it. Without a connection, return it as it was seen last. */
export async function loadOrRecall<T>(name: string, load: () => Promise<T>): Promise<Seen<T>> {
  try {
    const data = await load();
    void keep(name, data);
    return { data, at: null };
  } catch (error) {
    const seen = error instanceof Offline ? await recall<T>(name) : null;
    if (seen) return seen;
    throw error;
  }
}

/** Delete what other players than the present one have seen here. */
export async function wipe(): Promise<void> {
  if (!("caches" in window)) return;
  const own = session.player && PREFIX + session.player.player;
  const names = await caches.keys();
  const others = names.filter((name) => name.startsWith(PREFIX) && name !== own);
  await Promise.all(others.map((name) => caches.delete(name)));
}

function url(name: string): string {
  return `/${PREFIX}${name}`;
}
