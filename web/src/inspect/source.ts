/** The source of an inspected match: the service, or a file. */
import { api, body, Refusal } from "../api/client";
import { session } from "../api/session.svelte";
import type { FullView, MatchView, Moment, Replay, Schemas } from "../api/types";
import { codes } from "../match/codes";
import type { Bytes } from "./crypto";
import { ask } from "./python";

export type Explanation = Schemas["Explanation"];
export type Change = Schemas["Blame"]["history"][number];

/** As many changes of a place as the service lists. */
const CHANGES_MAX = 1000;

/** Whose view is shown: everything, a spectator's or a seat's. */
export type Viewer = "spectator" | number;
export type Sight = "full" | Viewer;

/** A match at one version. */
export interface Picture {
  /** The game's state, or the viewer's view of it. */
  readonly tree: unknown;
  /** What the board shows. */
  readonly seen: MatchView;
}

export interface Source {
  readonly match: MatchView;
  /** Whether the caller may see other players' views. */
  readonly open: boolean;
  /** The match's id at the service; null for a file, which cannot be branched or analysed. */
  readonly id: string | null;
  moments(sight: Sight): Promise<readonly Moment[]>;
  picture(sight: Sight, at: number, eyes: Viewer): Promise<Picture>;
  /** Return a record of the full view as recorded and as decided again. */
  explanation(record: number): Promise<Explanation>;
  /** Return all that set a place, oldest first. */
  changes(sight: Sight, path: string): Promise<readonly Change[]>;
}

/** A match of the service. */
export class Served implements Source {
  readonly open: boolean;

  private constructor(
    readonly id: string,
    readonly match: MatchView,
    /** The full view; null if the caller may not see it. */
    readonly full: FullView | null,
  ) {
    this.open = full !== null;
  }

  static async of(id: string): Promise<Served> {
    const params = matchParams(id);
    const match = (await body(api.GET("/matches/{match}", { params }))) as MatchView;
    // During a match only officers see everything. The only way to find out is to ask.
    const everything = api.GET("/matches/{match}", { params: matchParams(id, { view: "full" }) });
    const { data, response } = await everything;
    return new Served(id, match, response.ok ? (data as FullView) : null);
  }

  /** Whether the match has ended. */
  get over(): boolean {
    return this.match.status === "finished" || this.match.status === "abandoned";
  }

  log(): Promise<Bytes> {
    return exportedLog(this.id);
  }

  moments(sight: Sight): Promise<readonly Moment[]> {
    return momentsOf(this.id, sight);
  }

  async picture(sight: Sight, at: number, eyes: Viewer): Promise<Picture> {
    const ask = (query: Record<string, string | number>): Promise<MatchView | FullView> =>
      body(api.GET("/matches/{match}", { params: matchParams(this.id, { at, ...query }) }));
    if (sight !== "full") {
      const seen = (await ask({ view: String(sight) })) as MatchView;
      return { tree: seen.view, seen };
    }
    const [full, seen] = await Promise.all([
      ask({ view: "full" }) as Promise<FullView>,
      ask({ view: "full", eyes: String(eyes) }) as Promise<MatchView>,
    ]);
    return { tree: full.state, seen };
  }

  explanation(record: number): Promise<Explanation> {
    return body(api.GET("/matches/{match}/explanation", { params: matchParams(this.id, { record }) }));
  }

  async changes(sight: Sight, path: string): Promise<readonly Change[]> {
    const params = matchParams(this.id, { path, view: String(sight), limit: CHANGES_MAX });
    return (await body(api.GET("/matches/{match}/blame", { params }))).history;
  }
}

/**
 * A log from a file. The service reads it but keeps nothing, so each version uploads the file again.
 * Records and places are explained by this browser.
 */
export class Uploaded implements Source {
  readonly id = null;
  readonly open = true;
  readonly match: MatchView;

  private constructor(
    readonly file: Bytes,
    readonly replay: Replay,
  ) {
    this.match = replay.seen;
  }

  static async of(file: Bytes): Promise<Uploaded> {
    return new Uploaded(file, await read(file, ""));
  }

  moments(): Promise<readonly Moment[]> {
    return Promise.resolve(this.replay.moments);
  }

  async picture(_sight: Sight, at: number, eyes: Viewer): Promise<Picture> {
    const { full, seen } = await read(this.file, `?at=${at}&eyes=${eyes}`);
    return { tree: (full as FullView).state, seen };
  }

  async explanation(record: number): Promise<Explanation> {
    return (await ask({ ask: "explain", data: this.file, record })) as Explanation;
  }

  async changes(_sight: Sight, path: string): Promise<readonly Change[]> {
    const question = { ask: "blame", data: this.file, path, limit: CHANGES_MAX } as const;
    return ((await ask(question)) as Schemas["Blame"]).history;
  }
}

/** Send a file as bytes. The typed client would send JSON. */
async function read(file: Bytes, query: string): Promise<Replay> {
  const response = await fetch(`/replays${query}`, {
    method: "POST",
    body: file,
    headers: {
      Authorization: `Bearer ${session.player?.token ?? ""}`,
      "Content-Type": "application/octet-stream",
    },
  });
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw Refusal.from(response, answer);
  return answer as Replay;
}

/** Return all records of a match as shown in a view. */
export async function momentsOf(id: string, sight: Sight): Promise<readonly Moment[]> {
  const moments: Moment[] = [];
  for (let more = true; more;) {
    const params = matchParams(id, { view: String(sight), after: moments.length });
    const page = await body(api.GET("/matches/{match}/timeline", { params }));
    moments.push(...page.moments);
    more = page.more ?? false;
  }
  return moments;
}

/** Return the exported log of a match. */
export async function exportedLog(id: string): Promise<Bytes> {
  const data = await body(
    api.GET("/matches/{match}/export", { params: matchParams(id), parseAs: "arrayBuffer" }) as Promise<{
      data?: ArrayBuffer;
      error?: unknown;
      response: Response;
    }>,
  );
  return new Uint8Array(data);
}

/** Return the parameters of a call about a match, with its join code if this browser has one. */
export function matchParams<Query extends object>(
  id: string,
  query?: Query,
): { path: { match: string }; query: Query & { join_code?: string } } {
  const code = codes.of(id);
  return { path: { match: id }, query: { ...(query as Query), ...(code ? { join_code: code } : {}) } };
}
