/** The player's matches that wait for a move: badge, title, sound and notification. */
import { api, body, Offline, Refusal } from "../api/client";
import { notices } from "../api/notices.svelte";
import { poll } from "../api/poll";
import type { ListedMatch } from "../api/types";
import { t } from "../i18n/i18n.svelte";
import icon from "../ui/icon.svg";
import iconOfTurn from "../ui/icon-turn.svg";
import { ring } from "./bell";

const EVERY_MS = 15_000;
const WATCHED_MAX = 20;

class Turns {
  /** The matches that wait for the player. */
  yours = $state.raw<ReadonlySet<string>>(new Set());
  /** The player's matches as last listed. */
  mine = $state.raw<readonly ListedMatch[]>([]);

  /** The match whose page is open: only its turns are told by title, icon and sound. */
  #watched: string | null = null;

  /** What the view is called. */
  #title = "";

  /** The matches that were told since the last check began: that check may be older. */
  readonly #told = new Set<string>();

  get count(): number {
    return this.yours.size;
  }

  /** Check regularly, on a hidden page too, and hear of turns in between. */
  watch(): () => void {
    const stopHearing = notices.hear((notice) => {
      if (notice.type === "turn") this.tell(notice.match, true);
    });
    const stopLooking = poll(() => this.look(), EVERY_MS, { hidden: true });
    return () => {
      stopHearing();
      stopLooking();
    };
  }

  async look(): Promise<void> {
    this.#told.clear();
    try {
      const { matches } = await body(
        api.GET("/players/{player}/matches", { params: { path: { player: "me" }, query: { count: 50 } } }),
      );
      this.mine = matches;
      const running = matches.filter((match) => match.status === "running").slice(0, WATCHED_MAX);
      const waits = await Promise.all(running.map((match) => this.#waits(match.match)));
      const yours = running.filter(({ match }, index) =>
        this.#told.has(match) ? this.yours.has(match) : waits[index],
      );
      this.#set(new Set(yours.map(({ match }) => match)));
    } catch (error) {
      if (!(error instanceof Offline || error instanceof Refusal)) throw error;
    }
  }

  /** Say which match's page is open; null for none. */
  see(match: string | null): void {
    this.#watched = match;
    this.#show();
  }

  /** Put the name of the view into the title. */
  name(title: string): void {
    if (title === this.#title) return;
    this.#title = title;
    this.#show();
  }

  /** Update one match: its page knows before the next check. */
  tell(match: string, yours: boolean): void {
    this.#told.add(match);
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
    this.#show();
    const heard = fresh.filter((match) => document.hidden || (this.#watched ?? match) === match);
    if (heard[0] !== undefined) ring(heard[0]);
  }

  #show(): void {
    const yours = this.#watched ? this.yours.has(this.#watched) : this.count > 0;
    if ("setAppBadge" in navigator) void navigator.setAppBadge(this.count).catch(() => undefined);
    const mark = yours ? `● ${t("turns.yours")}` : "";
    document.title = [mark, this.#title, "Shiplog"].filter(Boolean).join(" – ");
    const link = document.querySelector<HTMLLinkElement>("link[rel=icon]");
    if (link) link.href = yours ? iconOfTurn : icon;
  }
}

export const turns = new Turns();
