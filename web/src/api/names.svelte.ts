/** Players' names, each requested once while the page is open, and kept for when there is no connection. */
import { SvelteMap } from "svelte/reactivity";
import { t } from "../i18n/i18n.svelte";
import { keep, recall } from "../offline/seen";
import { api, body, Offline, Refusal } from "./client";
import { session } from "./session.svelte";

const names = new SvelteMap<string, string | null>();
const asked = new Set<string>();

/** Follows a name that is the player's own: no other player may take it, nor one with this sign. */
const OWN = " ✓";

/** What the service calls erased players, and nobody else. */
const ERASED = "erased player";
const KEPT = "names";
const KEPT_MAX = 200;
/** Names that come within this time are kept together (ms). */
const TOGETHER = 500;

/** Return a player's name, marked if it is the player's own; null until it is known, or for nobody. */
export function nameOf(player: string | null | undefined): string | null {
  if (!player) return null;
  if (player === session.player?.player) return session.player.name;
  if (!asked.has(player)) {
    asked.add(player);
    void load(player);
  }
  const name = names.get(player);
  return name === undefined || name === null ? null : shownName(name);
}

/** Return a name as the service gives it in the words of the page: erased players have none. */
export function shownName(name: string): string {
  return name === ERASED ? t("seats.erased") : name;
}

async function load(player: string): Promise<void> {
  try {
    const { data } = await api.GET("/players/{player}", { params: { path: { player } } });
    names.set(player, data ? data.name + (data.owns_name ? OWN : "") : null);
    keepSoon();
  } catch (error) {
    asked.delete(player);
    if (!(error instanceof Offline)) return;
    const name = (await recall<Record<string, string>>(KEPT))?.data[player];
    if (name !== undefined) names.set(player, name);
  }
}

let soon: number | undefined;

function keepSoon(): void {
  clearTimeout(soon);
  soon = window.setTimeout(() => void keep(KEPT, Object.fromEntries([...names].slice(-KEPT_MAX))), TOGETHER);
}

/** Rename the player of this browser. */
export async function rename(name: string): Promise<void> {
  const renamed = await body(api.PATCH("/players/me", { body: { name } }));
  if (session.player) session.keep({ ...session.player, name: renamed.name });
}

/** Return the free name that a refused one could be replaced with; null if that is not why. */
export function suggested(refusal: Refusal): string | null {
  const { suggestion } = refusal.problem as { suggestion?: unknown };
  return refusal.code === "name-taken" && typeof suggestion === "string" ? suggestion : null;
}
