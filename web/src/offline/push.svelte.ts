/** Messages that the service pushes to this browser, as its player has chosen them. */
import { api, body, tellable } from "../api/client";
import { session } from "../api/session.svelte";
import type { Schemas } from "../api/types";
import { settings } from "../settings/settings.svelte";

export type Kind = Schemas["NewSubscription"]["events"][number];
export interface Chosen {
  readonly events: readonly Kind[];
  readonly quiet: Schemas["Quiet"] | null;
}

const KEY = "shiplog.push";

/** What was chosen here, for whom, and as what the service knows it. */
interface Kept extends Chosen {
  readonly player: string;
  readonly token: string;
  readonly endpoint: string;
}

export const possible = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

class Push {
  kept = $state.raw<Kept | null>(stored());

  /** Subscribe this browser, or change what it gets. Throws if the browser or the service refuses. */
  async choose(key: string, chosen: Chosen): Promise<void> {
    const registration = await installedWorker();
    const applicationServerKey = bytes(key);
    const made =
      (await registration.pushManager.getSubscription()) ??
      (await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }));
    await this.#send(made, chosen);
  }

  /** Tell the service again after the token or the browser's endpoint has changed. */
  async renew(): Promise<void> {
    const { kept } = this;
    if (!possible || kept === null) return;
    const registration = await navigator.serviceWorker.getRegistration();
    const made = await registration?.pushManager.getSubscription();
    const { player } = session;
    if (kept.player !== player?.player || Notification.permission !== "granted" || !made) {
      await made?.unsubscribe();
      this.#keep(null);
    } else if (kept.token !== player.token || kept.endpoint !== made.endpoint) {
      await this.#send(made, kept).catch(tellable);
    }
  }

  /** Let nothing more come to this browser. */
  async stop(): Promise<void> {
    const registration = await installedWorker();
    const made = await registration.pushManager.getSubscription();
    const { subscriptions } = await body(api.GET("/players/me/push"));
    const known = subscriptions.find((one) => one.endpoint === (made?.endpoint ?? this.kept?.endpoint));
    if (known)
      await body(api.DELETE("/push/{subscription}", { params: { path: { subscription: known.id } } }));
    await made?.unsubscribe();
    this.#keep(null);
  }

  /** Ask the service for a message to this browser. */
  async test(): Promise<void> {
    const { subscriptions } = await body(api.GET("/players/me/push"));
    const known = subscriptions.find((one) => one.endpoint === this.kept?.endpoint);
    if (known)
      await body(api.POST("/push/{subscription}/test", { params: { path: { subscription: known.id } } }));
  }

  async #send(made: PushSubscription, { events, quiet }: Chosen): Promise<void> {
    const { player } = session;
    const { keys } = made.toJSON();
    if (!player || !keys?.p256dh || !keys.auth) return;
    const { endpoint } = made;
    const { p256dh, auth } = keys;
    const wanted = { endpoint, p256dh, auth, events: [...events], quiet };
    await body(api.POST("/players/me/push", { body: { ...wanted, language: settings.chosen.language } }));
    this.#keep({ events, quiet, endpoint, player: player.player, token: player.token });
  }

  #keep(kept: Kept | null): void {
    this.kept = kept;
    if (kept) localStorage.setItem(KEY, JSON.stringify(kept));
    else localStorage.removeItem(KEY);
  }
}

export const push = new Push();

async function installedWorker(): Promise<ServiceWorkerRegistration> {
  if (!(await navigator.serviceWorker.getRegistration())) throw new Error("The page is not installed.");
  return navigator.serviceWorker.ready;
}

function stored(): Kept | null {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null") as Kept | null;
  } catch {
    return null;
  }
}

/** Decode Base64 for URLs. */
function bytes(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}
