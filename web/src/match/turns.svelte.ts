/** The player's matches that wait for a move: badge, title, sound and notification. */
import { api, body, Offline, Refusal } from "../api/client";
import type { ListedMatch } from "../api/types";
import { t } from "../i18n/i18n.svelte";
import { ring } from "./bell";

const EVERY_MS = 15_000;
const WATCHED_MAX = 20;

class Turns {
  /** The matches that wait for the player. */
  yours = $state.raw<ReadonlySet<string>>(new Set());
  /** The player's matches as last listed. */
  mine = $state.raw<readonly ListedMatch[]>([]);

  get count(): number {
    return this.yours.size;
  }

  /** Check regularly while there is a player. */
  watch(on: boolean): (() => void) | undefined {
    if (!on) return undefined;
    const timer = setInterval(() => void this.look(), EVERY_MS);
    void this.look();
    return () => {
      clearInterval(timer);
    };
  }

  async look(): Promise<void> {
    try {
      const { matches } = await body(
        api.GET("/players/{player}/matches", { params: { path: { player: "me" }, query: { count: 50 } } }),
      );
      this.mine = matches;
      const running = matches.filter((match) => match.status === "running").slice(0, WATCHED_MAX);
      const waits = await Promise.all(running.map((match) => this.#waits(match.match)));
      this.#set(new Set(running.filter((_, index) => waits[index]).map((match) => match.match)));
    } catch (error) {
      if (!(error instanceof Offline || error instanceof Refusal)) throw error;
    }
  }

  /** Update one match: its page knows before the next check. */
  tell(match: string, yours: boolean): void {
    if (this.yours.has(match) === yours) return;
    const next = new Set(this.yours);
    if (yours) next.add(match);
    else next.delete(match);
    this.#set(next);
  }

  async #waits(match: string): Promise<boolean> {
    const view = await body(api.GET("/matches/{match}", { params: { path: { match } } }));
    return view.status === "running" && "you" in view && view.you !== null && view.waiting.includes(view.you);
  }

  #set(next: ReadonlySet<string>): void {
    const fresh = [...next].filter((match) => !this.yours.has(match));
    this.yours = next;
    document.title = next.size > 0 ? `● ${t("turns.yours")} – Shiplog` : "Shiplog";
    if (fresh.length > 0) ring(fresh[0] ?? "");
  }
}

export const turns = new Turns();
