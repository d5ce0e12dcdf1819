/**
 * What the inspector shows of a match: whose view, which version, which place, and the data for it.
 */
import { Offline, Refusal } from "../api/client";
import { persist } from "../api/retry";
import type { Moment } from "../api/types";
import type { Picture, Sight, Source, Viewer } from "./source";

const KEPT = 200;

export class Look {
  sight = $state<Sight>("full");
  /** In the full view: whose view the board shows. */
  eyes = $state<Viewer>(0);
  at = $state(1);
  /** The place whose history is shown. */
  path = $state<string | null>(null);
  /** Whether the shown record is explained. */
  explained = $state(false);
  /** The condition to search for. */
  when = $state("");

  moments = $state.raw<readonly Moment[]>([]);
  picture = $state.raw<Picture | null>(null);
  /** The tree one version before; undefined if there is none. */
  before = $state.raw<unknown>(undefined);
  /** The version of `picture`, which follows `at`. */
  shown = $state(0);
  lost = $state(false);
  failure = $state.raw<Refusal | null>(null);

  readonly #pictures = new Map<string, Promise<Picture>>();
  #momentsOf: Sight | null = null;
  #reading: Promise<void> | null = null;
  #stale = false;
  /** The time to go to once the records of another viewer are loaded. */
  #then: string | null = null;

  constructor(
    readonly source: Source,
    search: URLSearchParams,
  ) {
    this.read(search);
  }

  // Getters, because a fetch may end after the component is destroyed, and a $derived is stale then.
  get last(): number {
    return this.moments.length;
  }
  get moment(): Moment | undefined {
    return this.moments[this.at - 1];
  }
  /** The query string of the address for what is shown. */
  get search(): string {
    const search = new URLSearchParams();
    search.set("view", String(this.sight));
    search.set("at", String(this.at));
    if (this.sight === "full") search.set("eyes", String(this.eyes));
    if (this.path !== null) search.set("path", this.path);
    if (this.explained) search.set("explain", "");
    if (this.when) search.set("when", this.when);
    return search.toString();
  }

  /**
   * Show what an address asks for, if the caller may see it. By default that is the end, in the
   * full view if possible.
   */
  read(search: URLSearchParams): void {
    const { match, open } = this.source;
    const own: Viewer = match.you ?? "spectator";
    const wish = sightOf(search.get("view"), match.seats.length);
    this.sight = open ? (wish ?? "full") : own;
    const eyes = sightOf(search.get("eyes"), match.seats.length);
    this.eyes = eyes === null || eyes === "full" ? (match.you ?? 0) : eyes;
    this.path = search.get("path");
    this.explained = search.has("explain");
    this.when = search.get("when") ?? "";
    this.at = Math.max(1, Number.parseInt(search.get("at") ?? "", 10) || Number.MAX_SAFE_INTEGER);
    this.refresh();
  }

  /** Show another view at about the same time, because every viewer counts versions separately. */
  look(sight: Sight): void {
    this.#then = this.moment?.at ?? null;
    this.sight = sight;
    this.path = null;
    this.refresh();
  }
  see(eyes: Viewer): void {
    this.eyes = eyes;
    this.refresh();
  }

  go(version: number): void {
    this.at = Math.min(Math.max(1, version), Math.max(1, this.last));
    this.refresh();
  }

  /** Go to a record and explain it. */
  explain(version: number): void {
    this.explained = true;
    this.go(version);
  }

  /**
   * Go to the first record of the next turn, or back to the start of this turn or the one before.
   */
  turn(step: 1 | -1): void {
    const { moments, at } = this;
    const turnAt = (version: number): number | undefined => moments[version - 1]?.turn;
    let to = at + step;
    if (step > 0) while (to < this.last && turnAt(to) === turnAt(at)) to++;
    else while (to > 1 && turnAt(to - 1) === turnAt(to)) to--;
    this.go(to);
  }

  /** Fetch the records again, because a running match goes on. */
  renew(): void {
    this.#momentsOf = null;
    this.refresh();
  }

  /** Fetch what is shown. Calls during a fetch share the next one. */
  refresh(): void {
    this.#stale = true;
    this.#reading ??= this.#read().finally(() => (this.#reading = null));
  }

  async #read(): Promise<void> {
    try {
      while (this.#stale) {
        this.#stale = false;
        await this.#follow();
      }
      this.lost = false;
      this.failure = null;
    } catch (error) {
      if (error instanceof Refusal) this.failure = error;
      else if (error instanceof Offline) this.lost = true;
      else throw error;
    }
  }

  async #follow(): Promise<void> {
    const sight = this.sight;
    if (this.#momentsOf !== sight) {
      const moments = await this.#ask(() => this.source.moments(sight));
      if (this.sight !== sight) return;
      this.moments = moments;
      this.#momentsOf = sight;
      if (this.#then !== null) this.at = lastUpTo(moments, this.#then);
      this.#then = null;
    }
    this.at = Math.min(Math.max(1, this.at), Math.max(1, this.last));
    const { at, eyes } = this;
    const [picture, before] = await this.#ask(() =>
      Promise.all([this.#of(sight, at, eyes), at > 1 ? this.#of(sight, at - 1, eyes) : null]),
    );
    if (this.at !== at || this.sight !== sight || this.eyes !== eyes) return;
    this.picture = picture;
    this.before = before?.tree;
    this.shown = at;
    if (at < this.last) void this.#of(sight, at + 1, eyes).catch(() => undefined);
  }

  #ask<T>(what: () => Promise<T>): Promise<T> {
    return persist(what, { lost: () => (this.lost = true) });
  }

  #of(sight: Sight, at: number, eyes: Viewer): Promise<Picture> {
    const key = `${sight} ${at} ${sight === "full" ? eyes : ""}`;
    const kept = this.#pictures.get(key);
    if (kept) return kept;
    const asked = this.source.picture(sight, at, eyes);
    this.#pictures.set(key, asked);
    asked.catch(() => this.#pictures.delete(key));
    for (const oldest of this.#pictures.keys()) {
      if (this.#pictures.size <= KEPT) break;
      this.#pictures.delete(oldest);
    }
    return asked;
  }
}

function lastUpTo(moments: readonly Moment[], at: string): number {
  return Math.max(1, moments.findLastIndex((moment) => moment.at <= at) + 1);
}

/** Parse a view from an address; null if it is invalid. */
export function sightOf(text: string | null, seats: number): Sight | null {
  if (text === "full" || text === "spectator") return text;
  return text !== null && /^\d{1,2}$/.test(text) && Number(text) < seats ? Number(text) : null;
}
