/** A puzzle in progress: its position, what the player tries there, and how the player fares. */
import { api, body } from "../api/client";
import { persist } from "../api/retry";
import type { PuzzleAttempt, PuzzleBoard, PuzzleScore, PuzzleSummary, Tagged } from "../api/types";
import { Practice } from "../learn/practice.svelte";

export class Solving extends Practice<PuzzleBoard, PuzzleAttempt> {
  score = $state.raw<PuzzleScore | null>(null);
  #all = $state.raw<readonly PuzzleSummary[]>([]);

  /** Solve a puzzle, and go on with those of a game, or of all if it is empty. */
  constructor(
    readonly id: string,
    readonly game: string,
  ) {
    super();
    void this.open(this.#load());
  }

  readonly outcome = $derived(this.attempt?.outcome ?? "open");
  readonly over = $derived(this.outcome !== "open");
  /** Whether there is more than one command to take back. */
  readonly long = $derived(this.made.length > 1);

  /** The puzzle to go on with: the next one that was not tried, else the next one. */
  readonly next = $derived.by(() => {
    const all = this.#all.filter((one) => this.game === "" || one.game === this.game);
    const at = all.findIndex((one) => one.id === this.id);
    const after = [...all.slice(at + 1), ...all.slice(0, Math.max(0, at))];
    const tried = this.score?.tried ?? [];
    return (after.find((one) => !tried.includes(one.id)) ?? after[0])?.id ?? null;
  });

  /** Take back the last command. */
  async back(): Promise<void> {
    const made = this.made.slice(0, -1);
    this.restart();
    if (made.length > 0) await this.try(made);
  }

  async #load(): Promise<void> {
    const path = { puzzle: this.id };
    const patience = { tries: Infinity, lost: () => (this.lost = true) };
    const [start, score, all] = await Promise.all([
      persist(() => body(api.GET("/puzzles/{puzzle}", { params: { path } })), patience),
      persist(() => body(api.GET("/players/me/puzzles")), patience),
      persist(() => body(api.GET("/puzzles")), patience),
    ]);
    this.#all = all;
    this.start = start as PuzzleBoard;
    this.score = score;
  }

  protected async ask(commands: readonly Tagged[]): Promise<PuzzleAttempt> {
    const answer = await body(
      api.POST("/puzzles/{puzzle}/attempts", {
        params: { path: { puzzle: this.id } },
        body: { attempt: commands as never },
      }),
    );
    this.score = answer.score;
    return answer.attempt as PuzzleAttempt;
  }
}
