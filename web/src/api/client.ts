/** The service of this page. A refused request throws `Refusal`, a lost connection `Offline`. */
import { connect, Offline, Refusal } from "@shiplog/client";
import { keeper } from "./receipts";
import { patience } from "./retry";
import { session } from "./session.svelte";

export { accepted as body, Offline, Refusal } from "@shiplog/client";

/**
 * Return an error that can be shown to a player. Any other error is a bug of the page and is thrown
 * again.
 */
export function tellable(error: unknown): Refusal | Offline {
  if (error instanceof Refusal || error instanceof Offline) return error;
  throw error;
}

const token = (): string | null => session.player?.token ?? null;

/** Calls fail at once, unless the caller persists. */
export const api = connect(location.origin, { token, fetch: send, patience: { tries: 1 } });

/** For streams, which are opened until they are up. */
export const live = connect(location.origin, {
  token,
  fetch: sendWhileOnline,
  receipts: keeper,
  patience: { ...patience, tries: Infinity },
});

async function send(request: Request): Promise<Response> {
  const used = token();
  const response = await fetch(request);
  if (response.status === 401 && used !== null && used === token()) session.forget("ended");
  return response;
}

/** Cut a stream when the browser goes offline: it notices earlier than the time limit does. */
function sendWhileOnline(request: Request): Promise<Response> {
  const online = new AbortController();
  const stop = (): void => {
    online.abort();
  };
  request.signal.addEventListener("abort", stop);
  addEventListener("offline", stop, { once: true, signal: request.signal });
  return send(new Request(request, { signal: online.signal }));
}
