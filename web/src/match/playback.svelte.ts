/** What happened, played back on the board step by step, as the viewer saw it. */
import { api, body } from "../api/client";
import type { MatchView, ToldRecord } from "../api/types";
import { codes } from "./codes";
import { settings } from "../settings/settings.svelte";

const STEP_MS = { slow: 2_600, normal: 1_500, fast: 800 } as const;

export interface Step {
  readonly record: ToldRecord;
  readonly seen: MatchView;
  readonly at: number;
  readonly of: number;
}

export class Playback {
  /** The step that the board shows; null if it shows the present. */
  step = $state.raw<Step | null>(null);
  /** Whether it goes on by itself. */
  playing = $state(false);
  #records: readonly ToldRecord[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Of the latest request: answers to earlier ones are useless. */
  #asked = 0;

  constructor(private readonly match: string) {}

  /** Play records back from the first on; with one record, stay at it. */
  async play(records: readonly ToldRecord[], viewer: number | null): Promise<void> {
    this.stop();
    this.#records = records;
    this.playing = records.length > 1;
    await this.#show(0, viewer);
  }

  /** Go on by a number of steps; past the last step the present is shown. */
  async go(by: number): Promise<void> {
    const { step } = this;
    if (!step) return;
    await this.#show(Math.max(0, step.at + by), step.seen.you);
  }

  pause(): void {
    this.playing = false;
    clearTimeout(this.#timer);
  }

  resume(): void {
    this.playing = true;
    void this.go(1);
  }

  stop(): void {
    this.pause();
    this.#asked++;
    this.step = null;
  }

  async #show(at: number, viewer: number | null): Promise<void> {
    clearTimeout(this.#timer);
    const record = this.#records[at];
    if (!record) {
      this.stop();
      return;
    }
    const asked = ++this.#asked;
    const code = codes.of(this.match);
    const query = { at: record.v, view: viewer === null ? "spectator" : String(viewer) };
    const path = { match: this.match };
    const seen = await body(
      api.GET("/matches/{match}", {
        params: { path, query: code ? { ...query, join_code: code } : query },
      }),
    ).catch(() => null);
    if (asked !== this.#asked) return;
    if (seen === null) {
      this.stop();
      return;
    }
    this.step = { record, seen: seen as MatchView, at, of: this.#records.length };
    if (this.playing) this.#timer = setTimeout(() => void this.go(1), STEP_MS[settings.chosen.pace]);
  }
}
