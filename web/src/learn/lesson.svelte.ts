/** A tutorial in progress: the board at a step, and what the learner tries there. */
import { api, body, Refusal, tellable } from "../api/client";
import { persist } from "../api/retry";
import type { Tagged, ToldRecord, TutorialAttempt, TutorialBoard, TutorialWords } from "../api/types";
import { kept } from "../ui/kept";

/** The step at which to go on, from 1, by tutorial. */
const reached = kept<number>("shiplog.learned");

export class Lesson {
  words = $state.raw<TutorialWords | null>(null);
  /** The board at the step, before the learner's commands. */
  start = $state.raw<TutorialBoard | null>(null);
  /** What the learner's commands have led to. */
  attempt = $state.raw<TutorialAttempt | null>(null);
  /** Number of the step, from 1. */
  at = $state(1);
  hinted = $state(false);
  busy = $state(false);
  /** Why the last command was refused, until the next one is sent. */
  refusal = $state.raw<Refusal | null>(null);
  /** Why there is no tutorial to show. */
  failure = $state.raw<Refusal | null>(null);
  #made: readonly Tagged[] = [];

  constructor(readonly slug: string) {
    void this.#open();
  }

  readonly step = $derived(this.words?.steps[this.at - 1] ?? null);
  readonly board = $derived(this.attempt ?? this.start);
  readonly reached = $derived(this.attempt?.reached ?? false);
  /** Whether the learner has done something else than the task. */
  readonly missed = $derived(this.attempt !== null && !this.attempt.reached && !this.attempt.expected);
  /** The commands that the board offers now. */
  readonly legal = $derived(this.reached || this.missed ? [] : ((this.board?.legal ?? []) as Tagged[]));
  readonly records = $derived<readonly ToldRecord[]>([
    ...(this.start?.records ?? []),
    ...(this.attempt?.records ?? []),
  ]);

  /** A getter, because the words may come after the component is destroyed, and a $derived is stale then. */
  get last(): number {
    return this.words?.steps.length ?? 0;
  }

  /** Show a step. */
  async go(at: number): Promise<void> {
    if (at < 1 || at > this.last || this.busy) return;
    this.busy = true;
    try {
      const path = { slug: this.slug, step: at };
      const found = await persist(
        () => body(api.GET("/games/{slug}/tutorial/steps/{step}", { params: { path } })),
        { tries: Infinity },
      );
      this.start = found as TutorialBoard;
      this.at = at;
      this.hinted = false;
      this.back();
      reached.keep(this.slug, at);
    } finally {
      this.busy = false;
    }
  }

  /** Take back all commands of this step. */
  back(): void {
    this.attempt = null;
    this.refusal = null;
    this.#made = [];
  }

  /** Try a command; resolves to whether the rules allow it. */
  send = (command: Tagged): Promise<boolean> => this.#attempt([...this.#made, command]);

  /** Do what the step asks for. */
  async show(): Promise<void> {
    this.back();
    await this.#attempt((this.start?.shown ?? []) as Tagged[]);
  }

  async #open(): Promise<void> {
    try {
      const path = { slug: this.slug };
      this.words = (await persist(() => body(api.GET("/games/{slug}/tutorial", { params: { path } })), {
        tries: Infinity,
      })) as TutorialWords;
      await this.go(Math.min(reached.of(this.slug) ?? 1, this.last));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.failure = error;
    }
  }

  async #attempt(commands: readonly Tagged[]): Promise<boolean> {
    if (this.busy || this.reached || this.missed) return false;
    this.busy = true;
    this.refusal = null;
    try {
      const path = { slug: this.slug, step: this.at };
      const answer = await persist(() =>
        body(
          api.POST("/games/{slug}/tutorial/steps/{step}/try", {
            params: { path },
            body: { attempt: commands as never },
          }),
        ),
      );
      this.attempt = answer as TutorialAttempt;
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
