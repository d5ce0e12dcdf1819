/** The coach: in the first match of a game, each new kind of decision is explained once. */
import { api, body, tellable } from "../api/client";
import { persist } from "../api/retry";
import { session } from "../api/session.svelte";
import type { CoachTip, Legal, MatchView, Tagged } from "../api/types";
import { settings } from "../settings/settings.svelte";
import { kept } from "../ui/kept";

/** The coached match of a game, and the names of the tips that were shown; by player and game. */
const coached = kept<{ match: string; seen: readonly string[] }>("shiplog.coached");

export class Coach {
  /** Whether decisions of this match are explained. */
  on = $state(false);
  #tips = $state.raw<readonly CoachTip[]>([]);
  #seen = $state.raw<readonly string[]>([]);
  /** The version at which a tip was closed: the next one waits for the next decision. */
  #closedAt = $state<number | null>(null);
  #slug: string | null = null;

  constructor(readonly match: string) {}

  /** Coach this match if it is the player's first one of the game. */
  async meet(slug: string): Promise<void> {
    if (this.#slug !== null || !settings.chosen.coach) return;
    const known = coached.of(this.#key(slug));
    if (known === null || known.match === this.match) await this.#start(slug, known?.seen ?? []);
  }

  /** Coach this match from now on, whatever was explained before. */
  begin(slug: string): void {
    settings.change({ coach: true });
    coached.keep(this.#key(slug), { match: this.match, seen: [] });
    void this.#start(slug, []);
  }

  /** Return the tip that belongs to the player's present decision, if there is one. */
  tip(match: MatchView, legal: Legal | null): CoachTip | null {
    if (!this.on || !settings.chosen.coach || match.version === this.#closedAt) return null;
    if (match.you === null || match.paused || !match.waiting.includes(match.you)) return null;
    const types = new Set((legal?.commands ?? []).map((command) => (command as Tagged).type));
    const view = match.view as Readonly<Record<string, unknown>> | null;
    const fits = ({ name, commands, when = {} }: CoachTip): boolean =>
      !this.#seen.includes(name) &&
      commands.some((type) => types.has(type)) &&
      Object.entries(when).every(([field, value]) => view?.[field] === value);
    return this.#tips.find(fits) ?? null;
  }

  /** Never show a tip again. The next one waits until the match has gone on. */
  close(tip: CoachTip, version: number): void {
    this.#seen = [...this.#seen, tip.name];
    this.#closedAt = version;
    if (this.#slug !== null) coached.keep(this.#key(this.#slug), { match: this.match, seen: this.#seen });
  }

  async #start(slug: string, seen: readonly string[]): Promise<void> {
    this.#slug = slug;
    this.#seen = seen;
    this.#closedAt = null;
    this.on = true;
    try {
      const path = { slug };
      const words = await persist(() => body(api.GET("/games/{slug}/coach", { params: { path } })));
      this.#tips = words.tips;
    } catch (error) {
      // A match is played without tips where they can't be loaded.
      tellable(error);
    }
  }

  #key(slug: string): string {
    return `${session.player?.player}/${slug}`;
  }
}

/** Return commands with only those fields that a tip marks, for the names in them. */
export function marked(tip: CoachTip, legal: Legal): Tagged[] {
  const fields = ["type", ...(tip.mark ?? [])];
  return (legal.commands as readonly Tagged[])
    .filter(({ type }) => tip.commands.includes(type))
    .map((command) => Object.fromEntries(fields.map((field) => [field, command[field]])) as Tagged);
}
