/** What lessons and puzzles share: a position, and what a player tries there. */
import { Refusal, tellable } from "../api/client";
import { persist } from "../api/retry";
import type { Tagged, ToldRecord } from "../api/types";

interface Position {
  readonly legal: readonly unknown[];
  readonly records: readonly ToldRecord[];
}

export abstract class Practice<Start extends Position, Attempt extends Position> {
  /** The position before the player's commands. */
  start = $state.raw<Start | null>(null);
  /** What the player's commands have led to. */
  attempt = $state.raw<Attempt | null>(null);
  busy = $state(false);
  /** Why the last command was refused, until the next one is sent. */
  refusal = $state.raw<Refusal | null>(null);
  /** Why there is nothing to show. */
  failure = $state.raw<Refusal | null>(null);
  /** Whether the service did not answer, while there is nothing to show yet. */
  lost = $state(false);
  protected made = $state.raw<readonly Tagged[]>([]);

  /** Whether nothing more can be tried. */
  abstract readonly over: boolean;

  readonly board = $derived(this.attempt ?? this.start);
  /** The commands that the board offers now. */
  readonly legal = $derived.by(() => (this.over ? [] : ((this.board?.legal ?? []) as Tagged[])));
  readonly records = $derived<readonly ToldRecord[]>([
    ...(this.start?.records ?? []),
    ...(this.attempt?.records ?? []),
  ]);

  /** Take back all commands. */
  restart(): void {
    this.attempt = null;
    this.refusal = null;
    this.made = [];
  }

  /** Try a command; resolves to whether the rules allow it. */
  send = (command: Tagged): Promise<boolean> => this.try([...this.made, command]);

  /** Ask the service what commands lead to from the start. */
  protected abstract ask(commands: readonly Tagged[]): Promise<Attempt>;

  protected async try(commands: readonly Tagged[]): Promise<boolean> {
    if (this.busy || this.over) return false;
    this.busy = true;
    this.refusal = null;
    try {
      this.attempt = await persist(() => this.ask(commands));
      this.made = commands;
      return true;
    } catch (error) {
      const why = tellable(error);
      this.refusal = why instanceof Refusal ? why : new Refusal(0, "offline");
      return false;
    } finally {
      this.busy = false;
    }
  }

  /** Wait for what is to be shown, or keep why there is none. */
  protected async open(loading: Promise<void>): Promise<void> {
    try {
      await loading;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.failure = error;
    }
  }
}
