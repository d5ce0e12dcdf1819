/** A service that answers as written, and remembers what it was sent. */
import { type Client, connect, type Patience, type ReceiptKeeper } from "../src/index.js";

type Answer = Response | Error | ((request: Request) => Promise<Response>);

/** Waits that are too short to notice. */
export const QUICK: Partial<Patience> = { tries: 3, firstMs: 1, longestMs: 2 };

export class Script {
  readonly sent: Request[] = [];
  readonly #answers: Answer[];

  constructor(...answers: Answer[]) {
    this.#answers = answers;
  }

  get left(): number {
    return this.#answers.length;
  }

  client(
    token: () => string | null = () => "t",
    patience: Partial<Patience> = {},
    receipts?: ReceiptKeeper,
  ): Client {
    const fetch = async (request: Request): Promise<Response> => {
      this.sent.push(request);
      const answer = this.#answers.shift();
      if (answer === undefined) throw new Error("nothing is written for this request");
      if (answer instanceof Error) throw answer;
      return answer instanceof Response ? answer : answer(request);
    };
    return connect("http://shiplog", {
      token,
      fetch,
      patience: { ...QUICK, ...patience },
      receipts,
    });
  }

  /** Return a header of each request that was sent. */
  headers(name: string): (string | null)[] {
    return this.sent.map((request) => request.headers.get(name));
  }
}

/** A connection that is lost, as `fetch` reports it. */
export function lost(): Error {
  return new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") });
}

export function problem(
  status: number,
  code: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ status, code, detail: "Not here." }, { status, headers });
}
