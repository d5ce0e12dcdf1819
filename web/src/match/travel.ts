/**
 * Pieces and cards that travel: whatever has a name keeps it when it moves, so that a change of the
 * board is shown by what moved from where to where. What comes from elsewhere comes from its
 * player.
 */
import { settings } from "../settings/settings.svelte";
import { thingsIn } from "./marks";

const TRAVEL_MS = { slow: 600, normal: 380, fast: 220 } as const;
/** Between two events, unless there are so many that all would take too long. */
const STEP_MS = 250;
const ALL_MS = 2_000;
/** Shorter ways (CSS px) are not shown. */
const LEAST_PX = 6;
/** With more than this many movements at once, nobody could follow them. */
const MOST = 12;

export type Places = ReadonlyMap<string, DOMRect>;

/** Return where everything on the board is. Cells stay where they are. */
export function placesIn(board: Element): Places {
  const places = new Map<string, DOMRect>();
  for (const [name, thing] of thingsIn(board)) {
    if ("cell" in thing.dataset) continue;
    const rect = thing.getBoundingClientRect();
    if (rect.width > 0) places.set(name, rect);
  }
  return places;
}

/**
 * Show what has moved since `before`, one event after another: `order` says which event named a
 * thing. What is new comes from `origin`.
 */
export function travel(
  board: Element,
  before: Places,
  origin: Element | null,
  order: ReadonlyMap<string, number>,
): void {
  if (before.size === 0) return;
  const from = origin?.getBoundingClientRect() ?? null;
  const moved = thingsIn(board).flatMap(([name, thing]) => {
    if ("cell" in thing.dataset) return [];
    const [was, is] = [before.get(name) ?? from, thing.getBoundingClientRect()];
    if (!was || is.width === 0 || Math.hypot(was.x - is.x, was.y - is.y) < LEAST_PX) return [];
    return [{ thing, was, is, fresh: !before.has(name), event: order.get(name) }];
  });
  if (moved.length > MOST) return;
  const events = [...new Set(moved.map(({ event }) => event))]
    .filter((event) => event !== undefined)
    .sort((a, b) => a - b);
  const step = Math.min(STEP_MS, ALL_MS / Math.max(1, events.length));
  for (const { thing, was, is, fresh, event } of moved) {
    // What no event names only makes room for the others.
    const delay = Math.max(0, event === undefined ? 0 : events.indexOf(event)) * step;
    if (thing instanceof HTMLElement || thing instanceof SVGSVGElement) fly(thing, was, is, delay, fresh);
    else slide(thing as SVGGraphicsElement, was, is, delay);
  }
}

function timing(delay: number): KeyframeAnimationOptions {
  const duration = TRAVEL_MS[settings.chosen.pace];
  return { duration, delay, fill: "backwards", easing: "cubic-bezier(0.3, 0, 0.2, 1)" };
}

/** Fly a copy above everything, so that no box clips it; the thing itself appears at the end. */
function fly(
  thing: HTMLElement | SVGSVGElement,
  was: DOMRect,
  is: DOMRect,
  delay: number,
  fresh: boolean,
): void {
  const copy = thing.cloneNode(true) as HTMLElement | SVGSVGElement;
  copy.setAttribute("aria-hidden", "true");
  copy.removeAttribute("id");
  for (const { name } of [...copy.attributes]) if (name.startsWith("data-")) copy.removeAttribute(name);
  Object.assign(copy.style, {
    position: "fixed",
    zIndex: "9",
    margin: "0",
    pointerEvents: "none",
    left: `${is.x}px`,
    top: `${is.y}px`,
    width: `${is.width}px`,
    height: `${is.height}px`,
  });
  document.body.append(copy);
  const time = timing(delay);
  thing.animate([{ opacity: 0 }, { opacity: 0 }], { duration: delay + Number(time.duration) });
  const way = copy.animate(
    [
      {
        transform: `translate(${was.x + was.width / 2 - is.x - is.width / 2}px, ${was.y + was.height / 2 - is.y - is.height / 2}px) scale(${Math.min(2, was.width / is.width)})`,
        opacity: fresh ? 0 : 1,
      },
      { transform: "none", opacity: 1 },
    ],
    time,
  );
  way.onfinish = way.oncancel = () => {
    copy.remove();
  };
}

/** Slide a part of a drawing, in the units of its drawing. */
function slide(thing: SVGGraphicsElement, was: DOMRect, is: DOMRect, delay: number): void {
  const scale = thing.ownerSVGElement?.getScreenCTM()?.a ?? 1;
  const by = `translate(${(was.x - is.x) / scale}px, ${(was.y - is.y) / scale}px)`;
  // Added to the drawing's own transform.
  thing.animate([{ transform: by }, { transform: "translate(0, 0)" }], {
    ...timing(delay),
    composite: "add",
  });
}
