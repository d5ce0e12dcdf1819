/** Links to moments of matches. */
import type { Sight } from "./playback.svelte";

/**
 * Return the query string of the replay at a version of a viewer. `time` finds the moment for those
 * whose eyes are others, as long as these are not open.
 */
export function momentQuery(version: number, view: Sight, time: string | null): string {
  const query = { at: String(version), view: String(view), ...(time === null ? {} : { time }) };
  return new URLSearchParams(query).toString();
}

/** Copy the link to a moment; where the browser allows no copy, show it. Resolves to whether it did. */
export async function copyMoment(match: string, query: string, title: string): Promise<boolean> {
  const link = `${location.origin}/replay/${match}?${query}`;
  try {
    await navigator.clipboard.writeText(link);
    return true;
  } catch {
    prompt(title, link);
    return false;
  }
}
