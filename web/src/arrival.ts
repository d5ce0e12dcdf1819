/** What a change of the view asks for once its heading is there: a title, the focus, and the place in a list. */
import { untrack } from "svelte";
import { turns } from "./match/turns.svelte";
import { router } from "./router.svelte";
import { focusOn } from "./ui/focus";

const SCROLLING = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/** The heading of the view that is shown; null until the first one is there. */
let heading: HTMLElement | null = null;

/** Follow the view in the main region. Runs again after each navigation. */
export function arrive(main: HTMLElement): () => void {
  void router.place;
  let moved = heading !== null;
  let { scroll } = router;

  function look(): void {
    const found = main.querySelector("h1");
    if (!found) return;
    untrack(() => turns.name(found.textContent.trim()));
    // Without a navigation as well: what was pressed is gone with the heading before.
    if (moved || (heading && heading !== found && navigator.userActivation.hasBeenActive)) lead(found);
    moved = false;
    heading = found;
    // Lists come later than headings.
    if (scroll === null) return;
    scrollTo(0, scroll);
    if (Math.abs(scrollY - scroll) < 1) scroll = null;
  }

  const observer = new MutationObserver(look);
  observer.observe(main, { childList: true, characterData: true, subtree: true });
  const stay = (): void => void (scroll = null);
  for (const type of SCROLLING) addEventListener(type, stay);
  look();
  return () => {
    observer.disconnect();
    for (const type of SCROLLING) removeEventListener(type, stay);
  };
}

/** Move the focus to a heading. An address with a hash names its own target. */
function lead(heading: HTMLElement): void {
  if (location.hash) return;
  focusOn(heading);
}
