/**
 * The service worker: it keeps the files of one release, so that the page opens without a
 * connection, and shows what the service pushes. It keeps no answer of the service.
 */

/** What the build knows of this release (`vite.config.ts`). */
interface Release {
  /** Name of the cache with its files. */
  readonly name: string;
  readonly files: readonly string[];
  readonly icon: string;
  readonly badge: string;
  /** First parts of the addresses that belong to the API. */
  readonly calls: readonly string[];
}

/** A message of the service, as `service/play/push.py` writes it. */
interface Pushed {
  readonly title: string;
  readonly body: string;
  /** Messages with the same tag replace each other. */
  readonly tag: string;
  readonly url: string;
  /** Number of matches that wait for the player; null if that is unknown. */
  readonly turns: number | null;
}

/** The parts of `ServiceWorkerGlobalScope` that are used: the page is checked with other types. */
interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetching extends Lasting {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface PushEvent extends Lasting {
  readonly data: { json(): unknown } | null;
}
interface Clicked extends Lasting {
  readonly notification: Notification;
}
interface Window {
  readonly url: string;
  focus(): Promise<unknown>;
  postMessage(message: unknown): void;
}
interface Worker {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { type: "window"; includeUncontrolled: boolean }): Promise<readonly Window[]>;
    openWindow(url: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listen: (event: Lasting) => void): void;
  addEventListener(type: "fetch", listen: (event: Fetching) => void): void;
  addEventListener(type: "push", listen: (event: PushEvent) => void): void;
  addEventListener(type: "notificationclick", listen: (event: Clicked) => void): void;
  addEventListener(type: "message", listen: (event: MessageEvent) => void): void;
}

declare const RELEASE_OF_THE_PAGE: Release;
const release = RELEASE_OF_THE_PAGE;
const worker = self as unknown as Worker;
const SHELL = "/";

worker.addEventListener("install", (event) => {
  event.waitUntil(fill());
});
worker.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([drop(), worker.clients.claim()]));
});
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (release.files.includes(pathname) && pathname !== SHELL) event.respondWith(file(request));
  else if (request.mode === "navigate" && !isCall(pathname)) event.respondWith(page(request));
});
// The page asks for it when its player wants the new release.
worker.addEventListener("message", ({ data }) => {
  if (data === "take over") void worker.skipWaiting();
});
worker.addEventListener("push", (event) => {
  if (event.data) event.waitUntil(show(event.data.json() as Pushed));
});
worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open((event.notification.data as { url: string }).url));
});

/** Keep the files of this release. Those that another release has too are not fetched again. */
async function fill(): Promise<void> {
  const cache = await caches.open(release.name);
  await Promise.all(
    release.files.map(async (path) => {
      const known = path === SHELL ? undefined : await caches.match(path);
      if (known) await cache.put(path, known);
      else await cache.add(new Request(path, { cache: path === SHELL ? "reload" : "default" }));
    }),
  );
}

/** Delete the files of other releases. */
async function drop(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith("page/") && name !== release.name);
  await Promise.all(old.map((name) => caches.delete(name)));
}

/** Return a file of this release. Its name has a hash, so it never changes. */
async function file(request: Request): Promise<Response> {
  return (await caches.match(request.url)) ?? fetch(request);
}

/** Return the newest page, or the one of this release without a connection. */
async function page(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const cache = await caches.open(release.name);
    const kept = await cache.match(SHELL);
    if (kept) return kept;
    throw error;
  }
}

function isCall(path: string): boolean {
  return release.calls.some((call) => path === call || path.startsWith(`${call}/`));
}

async function show({ title, body, tag, url, turns }: Pushed): Promise<void> {
  const { icon, badge } = release;
  if (turns !== null && "setAppBadge" in navigator) await navigator.setAppBadge(turns);
  await worker.registration.showNotification(title, { body, tag, icon, badge, data: { url } });
}

/** Show an address in a window of the page: an open one if there is any. */
async function open(url: string): Promise<void> {
  const [window] = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (!window) {
    await worker.clients.openWindow(url);
    return;
  }
  await window.focus();
  window.postMessage({ open: url });
}
