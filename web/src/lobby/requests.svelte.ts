/** What other players ask of the player, or say, in any match. */
import { untrack } from "svelte";
import { api, body, Offline, Refusal, tellable } from "../api/client";
import { notices } from "../api/notices.svelte";
import { freshKey } from "../api/retry";
import type { MatchView, Notice, ProposalView } from "../api/types";
import { t } from "../i18n/i18n.svelte";
import { hasExpired } from "../match/proposals";
import { seatName } from "../match/wording";

interface Asking {
  readonly match: string;
  readonly game: string;
  /** Name of the player who asks. */
  readonly who: string;
  readonly proposal: ProposalView;
}
interface Said {
  readonly match: string;
  readonly game: string;
  readonly who: string;
  readonly text: string;
}

interface Shown {
  readonly proposal: string | null;
  readonly talk: string | null;
}
const NOTHING: Shown = { proposal: null, talk: null };

class Requests {
  /** The proposals that ask the player, the first one first. */
  asking = $state.raw<readonly Asking[]>([]);
  /** The last message of another player, until it is dismissed. */
  said = $state.raw<Said | null>(null);
  busy = $state(false);
  /** Why the last answer was not accepted, in words. */
  problem = $state<string | null>(null);

  /** The match whose proposal is in view, and the one whose talk is: they need no toast. */
  shown = $state.raw<Shown>(NOTHING);

  /** The proposals that the player has put aside. */
  readonly #dismissed = new Set<string>();

  /** Hear of requests and messages. Returns how to stop and forget them. */
  watch(): () => void {
    const stop = notices.hear((notice) => void this.#heard(notice));
    return () => {
      stop();
      this.asking = [];
      this.said = this.problem = null;
    };
  }

  /** Set what is in view. Returns how to end that. */
  show(shown: Shown): () => void {
    this.shown = shown;
    if (shown.talk !== null && untrack(() => this.said)?.match === shown.talk) this.said = null;
    return () => (this.shown = NOTHING);
  }

  /** Check whether the proposals are still open: no notice tells that one was withdrawn. */
  async look(): Promise<void> {
    await Promise.all(this.asking.map(({ match }) => this.#check(match)));
  }

  /** Keep the proposal of a match as long as the player has not answered it. */
  take(view: MatchView): void {
    const { match, game, proposal } = view;
    const rest = this.asking.filter((one) => one.match !== match);
    this.asking = rest;
    if (!proposal || !asksYou(view)) return;
    const one = { match, game, who: seatName(view.seats[proposal.seat], proposal.seat), proposal };
    if (!this.#dismissed.has(named(one))) this.asking = [...rest, one];
  }

  async answer({ match, proposal }: Asking, accept: boolean): Promise<void> {
    this.busy = true;
    this.problem = null;
    const params = { path: { match }, header: { "Idempotency-Key": freshKey() } };
    const command = { type: "answer" as const, proposal: proposal.proposal, accept };
    try {
      await body(api.POST("/matches/{match}/commands", { params, body: command }));
    } catch (error) {
      this.problem = t(tellable(error) instanceof Offline ? "problems.unreached" : "problems.later");
    } finally {
      this.busy = false;
    }
    await this.#check(match);
  }

  dismiss(one: Asking): void {
    this.#dismissed.add(named(one));
    this.asking = this.asking.filter((other) => other !== one);
    this.problem = null;
  }

  dismissTalk(): void {
    this.said = null;
  }

  async #heard(notice: Notice): Promise<void> {
    if (notice.type === "proposal") await this.#check(notice.match);
    if (notice.type === "talk") await this.#listen(notice);
    if (notice.type !== "reset") return;
    const standing = notice.standing.filter(({ type }) => type === "proposal");
    for (const { match } of standing) await this.#check(match);
    await this.look();
  }

  async #check(match: string): Promise<void> {
    const view = await this.#read(match);
    if (view) this.take(view);
    else if (view === null) this.asking = this.asking.filter((one) => one.match !== match);
  }

  async #listen({ match, game, seat, message }: Extract<Notice, { type: "talk" }>): Promise<void> {
    const params = { path: { match } };
    const [view, talk] = await Promise.all([
      this.#read(match),
      body(api.GET("/matches/{match}/talk", { params })).catch((error: unknown) => void tellable(error)),
    ]);
    const text = talk?.find(({ id }) => id === message)?.text;
    if (!view || text === undefined || this.shown.talk === match) return;
    this.said = { match, game, who: seatName(view.seats[seat], seat), text };
  }

  /** Return a match; null if it is not there, undefined without an answer. */
  async #read(match: string): Promise<MatchView | null | undefined> {
    try {
      return (await body(api.GET("/matches/{match}", { params: { path: { match } } }))) as MatchView;
    } catch (error) {
      if (error instanceof Offline) return undefined;
      if (error instanceof Refusal) return error.status === 404 ? null : undefined;
      throw error;
    }
  }
}

/** Return whether the proposal of a match waits for the viewer's answer. */
export function asksYou({ proposal, you, status }: MatchView): boolean {
  if (!proposal || you === null || status !== "running") return false;
  return !hasExpired(proposal) && proposal.asked.includes(you) && !proposal.accepted.includes(you);
}

function named({ match, proposal }: Asking): string {
  return `${match}/${proposal.proposal}`;
}

export const requests = new Requests();
