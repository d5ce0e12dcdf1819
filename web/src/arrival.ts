/** What a change of the view asks for once its heading is there: a title and the focus. */
import { untrack } from "svelte";
import { turns } from "./match/turns.svelte";
import { router } from "./router.svelte";

/** The heading of the view that is shown; null until the first one is there. */
let heading: HTMLElement | null = null;

/** Follow the view in the main region. Runs again after each navigation. */
export function arrive(main: HTMLElement): () => void {
  void router.place;
  let moved = heading !== null;

  function look(): void {
    const found = main.querySelector("h1");
    if (!found) return;
    untrack(() => turns.name(found.textContent.trim()));
    // Without a navigation as well: what was pressed is gone with the heading before.
    if (moved || (heading && heading !== found)) lead(found);
    moved = false;
    heading = found;
  }

  const observer = new MutationObserver(look);
  observer.observe(main, { childList: true, characterData: true, subtree: true });
  look();
  return () => observer.disconnect();
}

/** Move the focus to a heading. An address with a hash names its own target. */
function lead(heading: HTMLElement): void {
  if (location.hash) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
