/** Players' names, each requested once while the page is open. */
import { SvelteMap } from "svelte/reactivity";
import { api } from "./client";
import { session } from "./session.svelte";

const names = new SvelteMap<string, string | null>();
const asked = new Set<string>();

/** Return a player's name; null until it is known, and if the player was erased. */
export function nameOf(player: string): string | null {
  if (player === session.player?.player) return session.player.name;
  if (!asked.has(player)) {
    asked.add(player);
    void api
      .GET("/players/{player}", { params: { path: { player } } })
      .then(({ data }) => names.set(player, data?.name ?? null))
      .catch(() => asked.delete(player));
  }
  return names.get(player) ?? null;
}
