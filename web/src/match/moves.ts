/** A way through any list of legal commands: choose a family, then field by field what is left open. */
import type { Tagged } from "../api/types";
import { keyOf, same } from "../boards/values";

export interface Choice {
  readonly field: string;
  readonly values: readonly unknown[];
}

/** Give the families of commands, in the order in which the game lists them. */
export function families(legal: readonly Tagged[]): string[] {
  return [...new Set(legal.map((command) => command.type))];
}

/** Give the commands that agree with what is chosen so far. */
export function agreeing(
  legal: readonly Tagged[],
  type: string,
  chosen: Readonly<Record<string, unknown>>,
): Tagged[] {
  return legal.filter(
    (command) =>
      command.type === type && Object.entries(chosen).every(([field, value]) => same(command[field], value)),
  );
}

/**
 * Give the fields that are to be chosen, each with the values that fit the choices before it. A field with one value
 * left is chosen by itself; the fields behind one that is open wait for it.
 */
export function choices(
  legal: readonly Tagged[],
  type: string,
  chosen: Readonly<Record<string, unknown>>,
): { open: Choice[]; command: Tagged | null } {
  let left = legal.filter((command) => command.type === type);
  const open: Choice[] = [];
  const fields = [...new Set(left.flatMap((command) => Object.keys(command)))].filter(
    (field) => field !== "type",
  );
  for (const field of fields) {
    const values = distinct(left.map((command) => command[field]));
    if (values.length < 2) continue;
    open.push({ field, values });
    const picked = field in chosen ? values.find((value) => same(value, chosen[field])) : undefined;
    if (picked === undefined) return { open, command: null };
    left = left.filter((command) => same(command[field], picked));
  }
  return { open, command: left[0] ?? null };
}

function distinct(values: readonly unknown[]): unknown[] {
  const seen = new Map(values.map((value) => [keyOf(value), value]));
  return [...seen.values()];
}
