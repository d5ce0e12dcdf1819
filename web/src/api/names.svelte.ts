/** Players' names, asked for once each while the page is open. */
import { SvelteMap } from "svelte/reactivity";
import { api } from "./client";
import { session } from "./session.svelte";

const names = new SvelteMap<string, string | null>();
const asked = new Set<string>();

/** Give a player's name; null while it is not known, and for one that was erased. */
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
