/** Players' names, each requested once while the page is open. */
import { SvelteMap } from "svelte/reactivity";
import { api, body, Refusal } from "./client";
import { session } from "./session.svelte";

const names = new SvelteMap<string, string | null>();
const asked = new Set<string>();

/** Follows a name that is the player's own: no other player may take it, nor one with this sign. */
const OWN = " ✓";

/**
 * Return a player's name, marked if it is the player's own; null until it is known, and if the player was
 * erased.
 */
export function nameOf(player: string): string | null {
  if (player === session.player?.player) return session.player.name;
  if (!asked.has(player)) {
    asked.add(player);
    void api
      .GET("/players/{player}", { params: { path: { player } } })
      .then(({ data }) => names.set(player, data ? data.name + (data.owns_name ? OWN : "") : null))
      .catch(() => asked.delete(player));
  }
  return names.get(player) ?? null;
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
