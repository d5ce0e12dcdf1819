/** A tutorial in progress: the board at a step, and what the learner tries there. */
import { api, body } from "../api/client";
import { persist } from "../api/retry";
import type { Tagged, TutorialAttempt, TutorialBoard, TutorialWords } from "../api/types";
import { same } from "../boards/values";
import { kept } from "../ui/kept";
import { Practice } from "./practice.svelte";

/** The step at which to go on, from 1, by tutorial. */
const reached = kept<number>("shiplog.learned");

/** Return all texts in a value: a command names things of the board by them. */
function namedIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(namedIn) : [];
}

export class Lesson extends Practice<TutorialBoard, TutorialAttempt> {
  words = $state.raw<TutorialWords | null>(null);
  /** Number of the step, from 1. */
  at = $state(1);
  hinted = $state(false);

  constructor(readonly slug: string) {
    super();
    void this.open(this.#load());
  }

  readonly step = $derived(this.words?.steps[this.at - 1] ?? null);
  readonly reached = $derived(this.attempt?.reached ?? false);
  /** Whether the learner has done something else than the task. */
  readonly missed = $derived(this.attempt !== null && !this.attempt.reached && !this.attempt.expected);
  readonly over = $derived(this.reached || this.missed);

  /** What the step marks, without what nothing more has to be done with. */
  readonly marks: ReadonlySet<string> = $derived.by(() => {
    const left = [...((this.start?.shown ?? []) as Tagged[])];
    const done = this.made.flatMap((command) => {
      const at = left.findIndex((one) => same(one, command));
      return at < 0 ? [] : namedIn(left.splice(at, 1));
    });
    const due = new Set(left.flatMap(namedIn));
    const past = new Set(done.filter((name) => !due.has(name)));
    return new Set(this.over ? [] : (this.step?.highlight ?? []).filter((name) => !past.has(name)));
  });

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
      this.restart();
      reached.keep(this.slug, at);
    } finally {
      this.busy = false;
    }
  }

  /** Do what the step asks for. */
  async show(): Promise<void> {
    this.restart();
    await this.try((this.start?.shown ?? []) as Tagged[]);
  }

  async #load(): Promise<void> {
    const path = { slug: this.slug };
    this.words = (await persist(() => body(api.GET("/games/{slug}/tutorial", { params: { path } })), {
      tries: Infinity,
      lost: () => (this.lost = true),
    })) as TutorialWords;
    await this.go(Math.min(reached.of(this.slug) ?? 1, this.last));
  }

  protected async ask(commands: readonly Tagged[]): Promise<TutorialAttempt> {
    const path = { slug: this.slug, step: this.at };
    const answer = await body(
      api.POST("/games/{slug}/tutorial/steps/{step}/try", {
        params: { path },
        body: { attempt: commands as never },
      }),
    );
    return answer as TutorialAttempt;
  }
}
