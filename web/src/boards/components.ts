/**
 * A game's components from the service: maps, cards, boards. Loaded once, before the board is
 * shown.
 */
import { api, body } from "../api/client";
import { persist } from "../api/retry";
import { loadOrRecall } from "../offline/seen";

const boxes = new Map<string, unknown>();
const loading = new Map<string, Promise<void>>();

/** Load a game's components, however long the service takes to answer. */
export function loadComponents(slug: string): Promise<void> {
  const begun = loading.get(slug) ?? load(slug);
  loading.set(slug, begun);
  return begun;
}

async function load(slug: string): Promise<void> {
  const path = { slug };
  const components = await persist(
    () =>
      loadOrRecall(`components/${slug}`, () =>
        body(api.GET("/games/{slug}/components", { params: { path } })),
      ),
    { tries: Infinity },
  );
  boxes.set(slug, components.data);
}

/** Return a game's loaded components, as the type that the caller reads. */
export function componentsOf<T>(slug: string): T {
  return boxes.get(slug) as T;
}
