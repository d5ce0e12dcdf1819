/** The words of the pages with puzzles: a separate catalogue, loaded with them. */
import type { PuzzleSummary } from "../api/types";
import { known, wordsOf } from "../i18n/i18n.svelte";

export const PART = "puzzles";
export const w = wordsOf(PART);

/** Return the number of a puzzle among those of its game. */
export function numberOf(id: string): string {
  return id.slice(id.lastIndexOf("-") + 1);
}

/** Return the words of a group for the task of a puzzle: those of its game, if there are any. */
export function ofTask(
  group: "tasks" | "goals",
  { task, game }: Pick<PuzzleSummary, "task" | "game">,
): string {
  const own = `${group}.${task}_${game}`;
  return w(known(PART, own) ? own : `${group}.${task}`);
}
