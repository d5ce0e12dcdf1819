/**
 * One match as this player sees it: followed live, reconnected automatically, and no command is
 * sent twice.
 */
import { follow } from "@shiplog/client";
import { api, body, live, Refusal, tellable } from "../api/client";
import { freshKey, persist } from "../api/retry";
import type { Legal, MatchView, Message, SignedErratum, Tagged, ToldRecord } from "../api/types";
import { same } from "../boards/values";
import { keep, recall } from "../offline/seen";
import { codes } from "./codes";
import { hasExpired } from "./proposals";
import { seatName } from "./wording";

export type Link = "connecting" | "live" | "lost" | "over";

/** Attempts to send a command while other players' commands come first. */
const OVERTAKEN_MAX = 5;
/** Time after a change until the match is kept as seen: several changes are kept together. */
const KEEP_AFTER_MS = 1_000;
/** The longest time for which browsers can wait. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** What is kept of a match. */
interface Kept {
  readonly match: MatchView;
  readonly records: ToldRecord[];
  readonly talk: Message[];
}

/** A command under way, or waiting for the answer to the one before. */
interface Sending {
  readonly command: Tagged;
  /** The version that it leads to; null if it is refused, or not sent after all. */
  readonly led: Promise<number | null>;
}

function commandsOf(legal: Legal | null): readonly Tagged[] {
  return [...(legal?.commands ?? []), ...(legal?.match_commands ?? [])];
}

/** Return the command that takes back the player's last move; undefined if that is impossible. */
export function takeback(legal: Legal | null): Tagged | undefined {
  const commands = legal?.undo ? (legal.match_commands as readonly Tagged[]) : [];
  return commands.find(({ type, solve }) => (type === "undo" || type === "propose_undo") && solve !== true);
}

/**
 * Return whether a command of an earlier list of the player's own is legal and means the same. A
 * command without fields, such as the end of a step, also means what cannot be done afterwards.
 */
function stands(command: Tagged, before: Legal | null, now: Legal | null): boolean {
  const bare = Object.keys(command).length === 1;
  const known = new Set(before?.commands.map(({ type }) => type));
  return (
    commandsOf(now).some((other) => same(other, command)) &&
    (!bare || (now?.commands ?? []).every(({ type }) => known.has(type)))
  );
}

export class Table {
  match = $state.raw<MatchView | null>(null);
  legal = $state.raw<Legal | null>(null);
  records = $state.raw<ToldRecord[]>([]);
  talk = $state.raw<Message[]>([]);
  link = $state<Link>("connecting");
  /** The command under way, and those that wait for its answer. */
  sending = $state.raw<readonly Sending[]>([]);
  /** Whether the command under way had no answer yet and is being sent again. */
  resending = $state(false);
  /** Why the last command was refused, until the next one is sent. */
  refusal = $state.raw<Refusal | null>(null);
  /** When the shown match was seen, if it is a kept one; null while it is the present one. */
  seenAt = $state<string | null>(null);
  /** Why there is no match to show. */
  failure = $state.raw<Refusal | null>(null);

  readonly #closing = new AbortController();
  readonly #query: { join_code: string } | undefined;
  #reading: Promise<void> | null = null;
  #stale = false;
  #awaited: { version: number; reached: () => void } | null = null;
  #keeping: ReturnType<typeof setTimeout> | null = null;
  readonly #taken: ToldRecord[] = [];
  #expiring: ReturnType<typeof setTimeout> | undefined;
  #adding: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly id: string,
    readonly joinCode: string | null = codes.of(id),
  ) {
    this.#query = joinCode ? { join_code: joinCode } : undefined;
    void this.#open();
  }

  close(): void {
    this.#closing.abort();
    clearTimeout(this.#adding);
    clearTimeout(this.#expiring);
    if (this.#keeping !== null) this.#keep();
  }

  get over(): boolean {
    return this.match?.status === "finished" || this.match?.status === "abandoned";
  }

  get yourTurn(): boolean {
    const { match } = this;
    if (match?.status !== "running" || match.paused || match.you === null) return false;
    return match.waiting.includes(match.you);
  }

  name = (seat: number): string => seatName(this.match?.seats[seat], seat);

  /** Fetch the match and its legal commands. Calls during a fetch share the next one. */
  refresh(): Promise<void> {
    this.#stale = true;
    this.#reading ??= this.#read().finally(() => (this.#reading = null));
    return this.#reading;
  }

  /**
   * Send a command. Resolves to whether it was accepted. After a version conflict it is sent again
   * if it is still legal and means the same. A command that comes while another one is under way
   * waits for the answer, and is sent if the player saw that it was legal and it still means the
   * same. The same command twice is one.
   */
  send = async (command: Tagged): Promise<boolean> => {
    const { legal, sending } = this;
    const twin = sending.find((other) => same(other.command, command));
    if (twin) return (await twin.led) !== null;
    const last = sending.at(-1);
    if (last && !commandsOf(legal).some((other) => same(other, command))) return false;
    const led = last ? this.#sendAfter(last.led, command, legal) : this.#send(command);
    const one = { command, led };
    this.sending = [...sending, one];
    const accepted = (await led) !== null;
    this.sending = this.sending.filter((other) => other !== one);
    return accepted;
  };

  /** Send a command that waited for another one's answer. It is dropped if that one was refused. */
  async #sendAfter(
    first: Promise<number | null>,
    command: Tagged,
    seen: Legal | null,
  ): Promise<number | null> {
    const version = await first;
    if (version === null) return null;
    if (version === this.match?.version && stands(command, seen, this.legal)) return this.#send(command);
    this.refusal = new Refusal(412, "stale-version");
    return null;
  }

  /** Send a command. Returns the version of its record once that is shown; null if it is refused. */
  async #send(command: Tagged): Promise<number | null> {
    this.refusal = null;
    try {
      const version = await this.#deliver(command);
      await this.#reach(version);
      return version;
    } catch (error) {
      const why = tellable(error);
      this.refusal = why instanceof Refusal ? why : new Refusal(0, "offline");
      // Not awaited: the player may act as soon as the refusal is shown.
      void this.refresh().catch(() => undefined);
      return null;
    } finally {
      this.resending = false;
    }
  }

  async say(text: string, channel: "table" | "crew"): Promise<void> {
    await body(api.POST("/matches/{match}/talk", { params: this.#params(), body: { text, channel } }));
    await this.listen();
  }

  /** Return the errata of the match, which only a match that has ended can have. */
  errata(): Promise<SignedErratum[]> {
    return body(api.GET("/matches/{match}/errata", { params: this.#params() }));
  }

  async listen(): Promise<void> {
    this.talk = await body(api.GET("/matches/{match}/talk", { params: this.#params() }));
  }

  /** Wait until the shown view includes a version; what comes after it need not be waited for. */
  async #reach(version: number): Promise<void> {
    if ((this.match?.version ?? 0) >= version) return;
    await new Promise<void>((reached, failed) => {
      this.#awaited = { version, reached };
      this.refresh().then(reached, failed);
    });
  }

  /** Send a command until there is an answer. Returns the version of its record. */
  async #deliver(wanted: Tagged): Promise<number> {
    let command = wanted;
    for (let overtaken = 0; ; overtaken++) {
      const key = freshKey();
      const version = this.match?.version ?? 0;
      const { legal } = this;
      try {
        const accepted = await persist(
          () =>
            body(
              api.POST("/matches/{match}/commands", {
                params: { ...this.#params(), header: { "Idempotency-Key": key, "If-Match": `"${version}"` } },
                body: command as never,
              }),
            ),
          { lost: () => (this.resending = true) },
        );
        return accepted.version;
      } catch (error) {
        const conflict = error instanceof Refusal && error.code === "stale-version";
        if (!conflict || overtaken >= OVERTAKEN_MAX) throw error;
        await this.refresh();
        const renewed = this.#renewed(command, legal);
        if (!renewed) throw error;
        command = renewed;
      }
    }
  }

  /**
   * Return the command that now means what a command meant in an earlier list; undefined if none
   * does. Throws if taking back now needs the consent of others.
   */
  #renewed(command: Tagged, before: Legal | null): Tagged | undefined {
    if (same(command, takeback(before))) {
      const now = takeback(this.legal);
      if (now?.to !== command.to) return undefined;
      const asked = this.legal?.undo?.asked ?? [];
      if (asked.every((seat) => before?.undo?.asked.includes(seat))) return now;
      throw new Refusal(412, "takeback-asks", { asked });
    }
    const exactly = commandsOf(before).some((other) => same(other, command));
    // Some commands are listed by an example only.
    const legal = commandsOf(this.legal).some((other) =>
      exactly ? same(other, command) : other.type === command.type,
    );
    return legal ? command : undefined;
  }

  /** Follow the match from its first record. */
  #begin(): Promise<void> {
    this.#taken.length = 0;
    this.records = [];
    return this.#open();
  }

  async #open(): Promise<void> {
    try {
      await persist(() => this.refresh(), {
        lost: () => {
          this.link = "lost";
          void this.#recall();
        },
        tries: Infinity,
        signal: this.#closing.signal,
      });
      const link = (up: boolean): void => {
        if (up && this.link === "lost") this.#catchUp();
        this.link = up ? "live" : "lost";
      };
      this.link = "connecting";
      const { signal } = this.#closing;
      for await (const record of follow(live, this.id, { joinCode: this.joinCode, signal, link })) {
        this.#take(record);
      }
      this.link = "over";
      await this.refresh();
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      if (!(error instanceof Refusal)) throw error;
      // A failover of the log has taken back records that were shown here.
      if (error.code === "no-such-version") return this.#begin();
      this.failure = error;
    }
  }

  /** Add a record. Those that the shown view includes come many at once, and are added together. */
  #take(record: ToldRecord): void {
    this.#taken.push(record);
    if (record.v > (this.match?.version ?? 0)) {
      this.#add();
      this.#catchUp();
    } else {
      this.#adding ??= setTimeout(() => {
        this.#add();
        this.#keepSoon();
      });
    }
  }

  #add(): void {
    clearTimeout(this.#adding);
    this.#adding = undefined;
    this.records = [...this.records, ...this.#taken.splice(0)];
  }

  /** Fetch what is new and retry until it succeeds, because the stream announced a record. */
  #catchUp(): void {
    const { signal } = this.#closing;
    const again = persist(() => this.refresh(), { tries: Infinity, signal });
    again.catch((error: unknown) => {
      if (!signal.aborted) tellable(error);
    });
  }

  async #read(): Promise<void> {
    while (this.#stale) {
      this.#stale = false;
      const params = this.#params();
      const [match, legal] = await Promise.all([
        body(api.GET("/matches/{match}", { params })),
        body(api.GET("/matches/{match}/legal", { params })),
      ]);
      if (this.#closing.signal.aborted) return;
      if (match.version !== legal.version) {
        this.#stale = true;
        continue;
      }
      this.#show(match as MatchView);
      this.legal = legal as Legal;
      if (this.seenAt !== null) {
        this.seenAt = null;
        this.records = [];
      }
      this.#keepSoon();
      if (this.#awaited && match.version >= this.#awaited.version) this.#awaited.reached();
    }
  }

  /** Show a match, with its proposal until that expires: no record tells of the end. */
  #show(match: MatchView): void {
    const { proposal } = match;
    clearTimeout(this.#expiring);
    this.match = proposal && hasExpired(proposal) ? { ...match, proposal: null } : match;
    if (!this.match.proposal) return;
    const left = Date.parse(this.match.proposal.expires) - Date.now();
    this.#expiring = setTimeout(() => this.#show(match), Math.min(left, TIMER_MAX_MS));
  }

  /** Show the match as it was seen last, unless there is a newer one. */
  async #recall(): Promise<void> {
    const seen = this.match ? null : await recall<Kept>(this.#name);
    if (!seen || this.match) return;
    this.seenAt = seen.at;
    this.records = seen.data.records;
    this.talk = seen.data.talk;
    this.match = seen.data.match;
  }

  #keepSoon(): void {
    this.#keeping ??= setTimeout(() => {
      this.#keep();
    }, KEEP_AFTER_MS);
  }

  #keep(): void {
    if (this.#keeping !== null) clearTimeout(this.#keeping);
    this.#keeping = null;
    const { match, records, talk } = this;
    if (match && this.seenAt === null) void keep(this.#name, { match, records, talk } satisfies Kept);
  }

  get #name(): string {
    return `match/${this.id}`;
  }

  #params(): { path: { match: string }; query?: { join_code: string } } {
    return { path: { match: this.id }, ...(this.#query ? { query: this.#query } : {}) };
  }
}
