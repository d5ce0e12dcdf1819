/** Hints for one match: a rule of thumb at once, then the result of looking ahead. */
import { api, body } from "../api/client";
import { Asked } from "../api/asked.svelte";
import type { Schemas, Tagged } from "../api/types";

export type HintOf = Schemas["Hint"];
/** Number of playouts: a few seconds of a worker's time. */
const BUDGET = 160;
/** Number of other moves that are shown beside a hint. */
const OTHERS_MAX = 3;

/** How another move compares with the hint. */
export interface Gap {
  other: Tagged;
  /** Games of 100 that it wins more, or fewer if negative. */
  games: number;
  /** Two standard errors. */
  error: number;
}

/** Compare the best other moves of a hint with it. Empty before the first playout. */
export function gaps({ best, alternatives }: HintOf): Gap[] {
  return alternatives.slice(0, OTHERS_MAX).flatMap(({ command, gain, gain_error }) => {
    if (gain === null || gain_error === null || best.gain === null || best.gain_error === null) return [];
    const error = 200 * Math.hypot(gain_error, best.gain_error);
    return [
      { other: command as Tagged, games: Math.round(100 * (gain - best.gain)), error: Math.ceil(error) },
    ];
  });
}

export class Hints {
  readonly asked = new Asked();
  /** Whether the hint is shown in words. What it names stays marked on the board. */
  open = $state(false);
  #given = $state.raw<{ version: number; hint: HintOf } | null>(null);

  constructor(readonly match: string) {}

  /** Return the hint for a version; null if there is none. */
  at(version: number): HintOf | null {
    return this.#given?.version === version ? this.#given.hint : null;
  }

  /** Drop a hint for an earlier version, and the job that thinks it over. */
  pass(version: number): void {
    if (this.#given === null || this.#given.version >= version) return;
    this.drop();
  }

  /** Close the words of a hint, so that the board below them can be seen. */
  close(): void {
    this.open = false;
    this.asked.drop();
  }

  drop(): void {
    this.#given = null;
    this.close();
  }

  async ask(): Promise<void> {
    this.#given = null;
    const found = await this.asked.ask(async () => {
      const params = { path: { match: this.match } };
      const answer = await body(api.POST("/matches/{match}/hints", { params, body: { budget: BUDGET } }));
      this.#given = { version: answer.version, hint: answer.hint };
      this.open = true;
      return answer.job;
    });
    if (found) this.#better(this.asked.result as HintOf);
  }

  #better(hint: HintOf): void {
    if (this.#given) this.#given = { ...this.#given, hint };
  }
}
