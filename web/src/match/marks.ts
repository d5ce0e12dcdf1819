/** What a record or a line of the log names on the board, and how that is marked there. */
import type { Tagged, ToldRecord } from "../api/types";
import { say } from "../i18n/i18n.svelte";
import type { Speaker } from "./wording";

/** The attributes by which boards name what they show. */
const NAMING = ["cell", "card", "token", "module", "boat", "thing", "gauge", "symbol"] as const;
const NAMED = NAMING.map((kind) => `[data-${kind}]`).join();

/** Return the names of everything on the board that a record's events concern. */
export function namesIn(
  speaker: Speaker,
  record: { readonly events: readonly { readonly type: string }[] },
): ReadonlySet<string> {
  return new Set((record.events as readonly Tagged[]).flatMap((event) => placesOf(speaker, event)));
}

function placesOf(speaker: Speaker, event: Tagged): string[] {
  // Events of the match itself concern no place, but the result has numbers in pairs.
  if (event.type.startsWith("match_")) return [];
  const fields = Object.entries(event).filter(([field]) => field !== "type");
  return [
    ...(speaker.words.places?.(event) ?? []),
    ...fields.flatMap(([field, value]) => namesOf(speaker, field, value)),
  ];
}

/** Return by which event of some records each thing was named first. */
export function orderOf(speaker: Speaker, records: readonly ToldRecord[]): ReadonlyMap<string, number> {
  const order = new Map<string, number>();
  let at = 0;
  for (const record of records) {
    for (const event of record.events as readonly Tagged[]) {
      at += 1;
      for (const name of placesOf(speaker, event)) if (!order.has(name)) order.set(name, at);
    }
  }
  return order;
}

function namesOf(speaker: Speaker, field: string, value: unknown): string[] {
  if (typeof value === "string") return value === "" || value === "?" ? [] : [value];
  if (!Array.isArray(value)) return [];
  if (value.length === 2 && value.every((part) => typeof part === "number")) {
    const cell = speaker.words.value?.(field, value, (key) => say(speaker.slug, key), speaker.view);
    return cell === undefined ? [] : [cell];
  }
  // Of a path, only where it leads: the way there is for the eye.
  const parts: readonly unknown[] = field === "path" ? value.slice(-1) : value;
  return parts.flatMap((part) => namesOf(speaker, field, part));
}

/** Return the name of the thing under a pointer or with the focus; null if it has none. */
export function nameAt(target: EventTarget | null): string | null {
  const found = target instanceof Element ? target.closest<HTMLElement | SVGElement>(NAMED) : null;
  return found ? (namesOn(found)[0] ?? null) : null;
}

/** Return all things of the board by name. */
export function thingsIn(board: Element): [name: string, thing: HTMLElement | SVGElement][] {
  return [...board.querySelectorAll<HTMLElement | SVGElement>(NAMED)].flatMap((thing) =>
    namesOn(thing).map((name): [string, HTMLElement | SVGElement] => [name, thing]),
  );
}

/** Mark what is named, and nothing else. */
export function mark(board: Element, names: ReadonlySet<string>): void {
  for (const one of board.querySelectorAll("[data-marked]")) one.removeAttribute("data-marked");
  if (names.size === 0) return;
  for (const [name, thing] of thingsIn(board)) {
    if (names.has(name)) thing.setAttribute("data-marked", "");
  }
}

function namesOn(thing: HTMLElement | SVGElement): string[] {
  return NAMING.flatMap((kind) => thing.dataset[kind] ?? []);
}
