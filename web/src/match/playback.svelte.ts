/** What happened, played back on the board step by step, as a viewer saw it. */
import { api, body, type Offline, type Refusal, tellable } from "../api/client";
import { persist } from "../api/retry";
import type { MatchView, ToldRecord } from "../api/types";
import { codes } from "./codes";
import { settings } from "../settings/settings.svelte";

const STEP_MS = { slow: 3_000, normal: 1_500, fast: 750 } as const;
/** Number of views that are kept. */
const KEPT = 200;

/** Whose view is shown: a seat's, a spectator's, or everything. */
export type Sight = number | "spectator" | "full";

export interface Step {
  readonly record: ToldRecord;
  readonly seen: MatchView;
  readonly at: number;
  readonly of: number;
}

export class Playback {
  /** The step that the board shows; null if it shows the present. */
  step = $state.raw<Step | null>(null);
  /** The step that is wanted; the board follows as soon as it has the view. */
  at = $state(0);
  /** Whether it goes on by itself. */
  playing = $state(false);
  /** Why the wanted step cannot be shown. */
  problem = $state.raw<Refusal | Offline | null>(null);
  #records: readonly ToldRecord[] = [];
  #sight: Sight = "spectator";
  readonly #views = new Map<string, Promise<MatchView>>();
  #reading: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `last` says what comes after the last step: the present, or a halt. */
  constructor(
    private readonly match: string,
    private readonly last: "present" | "halt" = "present",
  ) {}

  /** Play records back from the first on; with one record, stay at it. */
  async play(records: readonly ToldRecord[], sight: Sight): Promise<void> {
    await this.open(records, sight, 0, records.length > 1);
  }

  /** Show one of the records. */
  async open(records: readonly ToldRecord[], sight: Sight, at: number, playing = false): Promise<void> {
    this.pause();
    this.#records = records;
    this.#sight = sight;
    this.playing = playing;
    await this.#show(at);
  }

  /** Show a step, from 0. */
  async seek(at: number): Promise<void> {
    await this.#show(Math.min(Math.max(0, at), this.#records.length - 1));
  }

  /** Go on by a number of steps. */
  async go(by: number): Promise<void> {
    const at = Math.max(0, this.at + by);
    if (at < this.#records.length) await this.#show(at);
    else if (this.last === "present") this.stop();
    else this.pause();
  }

  pause(): void {
    this.playing = false;
    clearTimeout(this.#timer);
  }

  /** Go on from here; from the end, start again. */
  resume(): void {
    const ended = this.at + 1 >= this.#records.length && this.last === "halt";
    this.playing = true;
    void (ended ? this.seek(0) : this.go(1));
  }

  stop(): void {
    this.pause();
    this.#records = [];
    this.step = null;
  }

  /** Show a step. While a view is on its way, only the latest wish counts. */
  async #show(at: number): Promise<void> {
    clearTimeout(this.#timer);
    this.at = at;
    this.#reading ??= this.#read().finally(() => (this.#reading = null));
    await this.#reading;
  }

  async #read(): Promise<void> {
    for (;;) {
      const [records, sight, at] = [this.#records, this.#sight, this.at];
      const record = records[at];
      if (!record) return;
      let seen: MatchView | null = null;
      try {
        seen = await this.#view(record, sight);
      } catch (error) {
        this.problem = tellable(error);
      }
      if (records !== this.#records || sight !== this.#sight || at !== this.at) continue;
      if (seen === null) {
        if (this.last === "present") this.stop();
        else this.pause();
        return;
      }
      this.problem = null;
      this.step = { record, seen, at, of: records.length };
      const next = records[at + 1];
      if (next && this.last === "halt") void this.#view(next, sight).catch(() => undefined);
      if (this.playing) this.#timer = setTimeout(() => void this.go(1), STEP_MS[settings.chosen.pace]);
      return;
    }
  }

  /** Return what the viewer saw after a record. Everything is seen with the eyes of who moved. */
  #view(record: ToldRecord, sight: Sight): Promise<MatchView> {
    const key = `${sight} ${record.v}`;
    const kept = this.#views.get(key);
    if (kept) return kept;
    const code = codes.of(this.match);
    const query = {
      at: record.v,
      view: String(sight),
      ...(sight === "full" ? { eyes: String(record.by?.seat ?? "spectator") } : {}),
      ...(code ? { join_code: code } : {}),
    };
    const path = { match: this.match };
    const asked = persist(
      () => body(api.GET("/matches/{match}", { params: { path, query } })) as Promise<MatchView>,
    );
    this.#views.set(key, asked);
    asked.catch(() => this.#views.delete(key));
    for (const oldest of this.#views.keys()) {
      if (this.#views.size <= KEPT) break;
      this.#views.delete(oldest);
    }
    return asked;
  }
}
