/** A match that is looked back at: whose eyes, which moment, and the moments that mattered. */
import { api, body, Refusal, tellable } from "../api/client";
import { persist } from "../api/retry";
import type { MatchView, Moment, Schemas } from "../api/types";
import { sightOf } from "../inspect/look.svelte";
import { matchParams, momentsOf } from "../inspect/source";
import { momentQuery } from "../match/moment";
import { Playback, type Sight } from "../match/playback.svelte";

export type Comment = Schemas["Comment"];
export type Mistake = Schemas["Analysis"]["mistakes"][number];

export class Review {
  readonly playback: Playback;
  /** Whether all views are open: the match is over. */
  readonly open: boolean;
  /** Called when the player wants another moment or other eyes. */
  onwish: () => void = () => undefined;
  sight = $state<Sight>("spectator");
  /** What can be shown, as seen in the sight. */
  steps = $state.raw<readonly Moment[]>([]);
  /** The decisions that cost most; null as long as nobody has asked for an analysis. */
  mistakes = $state.raw<readonly Mistake[] | null>(null);
  /** What people say of the match. */
  comments = $state.raw<readonly Comment[]>([]);
  /** The comments, by the version of the step at which they stand. */
  readonly remarks = $derived.by(() => {
    const found = new Map<number, Comment[]>();
    for (const comment of this.comments) {
      const version = this.steps[this.stepOf(comment.version)]?.v ?? 0;
      found.set(version, [...(found.get(version) ?? []), comment]);
    }
    return found;
  });
  readonly #moments = new Map<Sight, Promise<readonly Moment[]>>();
  /** When each record of the log was made. Viewers count versions in their own ways. */
  #times: readonly string[] = [];

  private constructor(
    readonly match: MatchView,
    /** Whether a record has words. */
    private readonly told: (moment: Moment) => boolean,
  ) {
    this.playback = new Playback(match.match, "halt");
    this.open = match.status === "finished" || match.status === "abandoned";
  }

  /** Open a match at the moment and with the eyes that an address names. */
  static async of(
    match: MatchView,
    told: (moment: Moment) => boolean,
    search: URLSearchParams,
  ): Promise<Review> {
    const review = new Review(match, told);
    const own = match.you ?? "spectator";
    const wish = sightOf(search.get("view"), match.seats.length);
    const version = Number.parseInt(search.get("at") ?? "", 10);
    if (review.open) {
      const [log] = await Promise.all([review.#momentsIn("full"), review.#hear()]);
      review.#times = log.map(({ at }) => at);
    }
    await review.#see(review.open ? (wish ?? own) : own);
    // The versions of eyes that are not open name other moments.
    const known = review.open || wish === null || wish === own;
    const place = known ? review.#stepAt(version) : review.#stepUpTo(search.get("time") ?? "");
    await review.playback.open(review.steps, review.sight, place);
    return review;
  }

  /** The moment that is wanted; the board follows as soon as it has the view. */
  get moment(): Moment | undefined {
    return this.steps[this.playback.at];
  }

  /** The query string of the address for what is shown. */
  get search(): string {
    return momentQuery(this.moment?.v ?? 1, this.sight, this.open ? null : (this.moment?.at ?? ""));
  }

  /** What is shown, for others to follow. */
  get shown(): { version: number; view: string } {
    return { version: this.#versionNow(), view: String(this.sight) };
  }

  /** Show what somebody else looks at. */
  async show({ version, view }: { version: number; view: string }): Promise<void> {
    const sight = sightOf(view, this.match.seats.length) ?? "spectator";
    if (sight !== this.sight) await this.#see(sight);
    await this.playback.open(this.steps, sight, this.stepOf(version));
  }

  /** Look with other eyes at the same moment. */
  async look(sight: Sight): Promise<void> {
    this.onwish();
    const time = this.moment?.at ?? "";
    await this.#see(sight);
    await this.playback.open(this.steps, sight, this.#stepUpTo(time));
  }

  /** Show a step and stay there. */
  async go(at: number): Promise<void> {
    this.onwish();
    this.playback.pause();
    await this.playback.seek(at);
  }

  /** Play on, or stop here. */
  toggle(): void {
    this.onwish();
    if (this.playback.playing) this.playback.pause();
    else this.playback.resume();
  }

  /** Return the step of a version of the log. */
  stepOf(version: number): number {
    return this.#stepUpTo(this.#times[version - 1] ?? "");
  }

  /** Fetch the decisions that cost most, from the analysis. */
  async findMistakes(): Promise<void> {
    const params = matchParams(this.match.match);
    const found = await persist(() => body(api.GET("/matches/{match}/analysis", { params })));
    this.mistakes = found.mistakes;
  }

  /** Comment on the shown moment. */
  async comment(text: string): Promise<void> {
    const params = matchParams(this.match.match);
    const version = this.#versionNow();
    await body(api.POST("/matches/{match}/comments", { params, body: { version, text } }));
    await this.#hear();
  }

  async uncomment(comment: string): Promise<void> {
    const { path, query } = matchParams(this.match.match);
    const params = { path: { ...path, comment }, query };
    await body(api.DELETE("/matches/{match}/comments/{comment}", { params }));
    await this.#hear();
  }

  /** Call something. Resolves to the code of a refusal, or null if it was done. */
  async attempt(what: () => Promise<void>): Promise<string | null> {
    try {
      await what();
      return null;
    } catch (error) {
      const why = tellable(error);
      return why instanceof Refusal ? why.code : "offline";
    }
  }

  /** Fetch the comments, and the decisions that cost most if they are known. */
  async #hear(): Promise<void> {
    const params = matchParams(this.match.match);
    const found = await persist(() => body(api.GET("/matches/{match}/comments", { params })));
    this.comments = found.comments;
    if (found.analysed && this.mistakes === null) await this.findMistakes();
  }

  /** Return the version of the log that is shown. */
  #versionNow(): number {
    const time = this.moment?.at ?? "";
    return Math.max(1, this.#times.findLastIndex((at) => at <= time) + 1);
  }

  async #see(sight: Sight): Promise<void> {
    const moments = await this.#momentsIn(sight);
    const start = moments.findIndex(({ events }) => events.some(({ type }) => type === "match_started"));
    this.sight = sight;
    this.steps = start < 0 ? [] : moments.slice(start).filter((one) => this.told(one));
  }

  #momentsIn(sight: Sight): Promise<readonly Moment[]> {
    const kept = this.#moments.get(sight);
    if (kept) return kept;
    const asked = persist(() => momentsOf(this.match.match, sight));
    this.#moments.set(sight, asked);
    asked.catch(() => this.#moments.delete(sight));
    return asked;
  }

  /** Return the last step up to a version of the sight; the first for no version. */
  #stepAt(version: number): number {
    return Math.max(
      0,
      this.steps.findLastIndex(({ v }) => v <= version),
    );
  }

  #stepUpTo(time: string): number {
    return Math.max(
      0,
      this.steps.findLastIndex(({ at }) => at <= time),
    );
  }
}
