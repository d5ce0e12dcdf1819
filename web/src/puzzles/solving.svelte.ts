/** A puzzle in progress: its position, what the player tries there, and how the player fares. */
import { api, body, Refusal, tellable } from "../api/client";
import { persist } from "../api/retry";
import type {
  PuzzleAttempt,
  PuzzleBoard,
  PuzzleScore,
  PuzzleSummary,
  Tagged,
  ToldRecord,
} from "../api/types";

export class Solving {
  /** The position of the puzzle. */
  start = $state.raw<PuzzleBoard | null>(null);
  /** What the player's commands have led to. */
  attempt = $state.raw<PuzzleAttempt | null>(null);
  score = $state.raw<PuzzleScore | null>(null);
  busy = $state(false);
  /** Why the last command was refused, until the next one is sent. */
  refusal = $state.raw<Refusal | null>(null);
  /** Why there is no puzzle to show. */
  failure = $state.raw<Refusal | null>(null);
  #all = $state.raw<readonly PuzzleSummary[]>([]);
  #made = $state.raw<readonly Tagged[]>([]);

  constructor(readonly id: string) {
    void this.#open();
  }

  readonly board = $derived(this.attempt ?? this.start);
  readonly outcome = $derived(this.attempt?.outcome ?? "open");
  /** The commands that the board offers now. */
  readonly legal = $derived(this.outcome === "open" ? ((this.board?.legal ?? []) as Tagged[]) : []);
  readonly records = $derived<readonly ToldRecord[]>([
    ...(this.start?.records ?? []),
    ...(this.attempt?.records ?? []),
  ]);
  /** Whether there is more than one command to take back. */
  readonly long = $derived(this.#made.length > 1);

  /** The puzzle to go on with: the next one that was not tried, else the next one. */
  readonly next = $derived.by(() => {
    const at = this.#all.findIndex((one) => one.id === this.id);
    const after = [...this.#all.slice(at + 1), ...this.#all.slice(0, Math.max(0, at))];
    const tried = this.score?.tried ?? [];
    return (after.find((one) => !tried.includes(one.id)) ?? after[0])?.id ?? null;
  });

  /** Take back all commands. */
  restart(): void {
    this.attempt = null;
    this.refusal = null;
    this.#made = [];
  }

  /** Take back the last command. */
  async back(): Promise<void> {
    const made = this.#made.slice(0, -1);
    this.restart();
    if (made.length > 0) await this.#attempt(made);
  }

  /** Try a command; resolves to whether the rules allow it. */
  send = (command: Tagged): Promise<boolean> => this.#attempt([...this.#made, command]);

  async #open(): Promise<void> {
    try {
      const path = { puzzle: this.id };
      const [start, score, all] = await Promise.all([
        persist(() => body(api.GET("/puzzles/{puzzle}", { params: { path } })), { tries: Infinity }),
        persist(() => body(api.GET("/players/me/puzzles")), { tries: Infinity }),
        persist(() => body(api.GET("/puzzles")), { tries: Infinity }),
      ]);
      this.#all = all;
      this.start = start as PuzzleBoard;
      this.score = score;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.failure = error;
    }
  }

  async #attempt(commands: readonly Tagged[]): Promise<boolean> {
    if (this.busy || this.outcome !== "open") return false;
    this.busy = true;
    this.refusal = null;
    try {
      const path = { puzzle: this.id };
      const answer = await persist(() =>
        body(
          api.POST("/puzzles/{puzzle}/attempts", {
            params: { path },
            body: { attempt: commands as never },
          }),
        ),
      );
      this.attempt = answer.attempt as PuzzleAttempt;
      this.score = answer.score;
      this.#made = commands;
      return true;
    } catch (error) {
      const why = tellable(error);
      this.refusal = why instanceof Refusal ? why : new Refusal(0, "offline");
      return false;
    } finally {
      this.busy = false;
    }
  }
}
