/** Which moves of a log count no longer. */
import type { Tagged, ToldRecord } from "../api/types";
import { known } from "../i18n/i18n.svelte";

/**
 * Return the versions of the moves that were taken back, among records in order. A free undo takes
 * back only the moves of who undoes: what others have done in secret since then stays.
 */
export function takenBack(records: readonly ToldRecord[]): ReadonlySet<number> {
  const gone = new Set<number>();
  for (const { v, events } of records) {
    for (const event of events as readonly Tagged[]) {
      if (event.type !== "undone") continue;
      const { to, seat, undo } = event as unknown as { to: number; seat: number; undo: string };
      for (const earlier of records) {
        const later = earlier.v > to && earlier.v < v;
        if (later && isMove(earlier) && (undo !== "free" || earlier.by?.seat === seat)) gone.add(earlier.v);
      }
    }
  }
  return gone;
}

/** Return whether a record has events of the game: only the page has words for those of a match. */
function isMove({ events }: ToldRecord): boolean {
  return events.some(({ type }) => !known("client", `events.${type}`));
}
