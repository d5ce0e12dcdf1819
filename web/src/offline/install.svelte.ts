/** The service worker of the page, and whether a new release of the page waits to take over. */
import { router } from "../router.svelte";

const WORKER = "/worker.js";
const HOUR_MS = 3_600_000;
const policy = window.trustedTypes?.createPolicy("worker", {
  createScriptURL(url) {
    if (url !== WORKER) throw new TypeError(`Not the service worker: ${url}`);
    return url;
  },
});

class Installed {
  /** The worker of a new release, until the player lets it take over. */
  waiting = $state.raw<ServiceWorker | null>(null);

  /** Register the worker. Without one the page works as before, but only with a connection. */
  async start(): Promise<void> {
    if (!("serviceWorker" in navigator) || !import.meta.env.PROD) return;
    const { serviceWorker } = navigator;
    serviceWorker.addEventListener("message", ({ data }: MessageEvent<{ open?: string }>) => {
      if (data.open) router.go(data.open);
    });
    try {
      this.#follow(await serviceWorker.register((policy?.createScriptURL(WORKER) ?? WORKER) as string));
    } catch {
      // Private windows and full disks refuse it.
    }
  }

  /** Let the new release take over, and load its page. */
  update(): void {
    navigator.serviceWorker.addEventListener("controllerchange", () => {
      location.reload();
    });
    this.waiting?.postMessage("take over");
  }

  #follow(registration: ServiceWorkerRegistration): void {
    const look = (): void => {
      // Without a controller this is the first installation.
      this.waiting = navigator.serviceWorker.controller && registration.waiting;
    };
    look();
    registration.addEventListener("updatefound", () => {
      registration.installing?.addEventListener("statechange", look);
    });
    let checked = Date.now();
    document.addEventListener("visibilitychange", () => {
      if (document.hidden || Date.now() - checked < HOUR_MS) return;
      checked = Date.now();
      registration.update().catch(() => undefined);
    });
  }
}

export const installed = new Installed();
