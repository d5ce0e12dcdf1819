/** Choosing from any list of legal commands: first a family, then each field that is still open. */
import type { Tagged } from "../api/types";
import { keyOf, same } from "../boards/values";

export interface Choice {
  readonly field: string;
  readonly values: readonly unknown[];
}

/** Return the families of commands, in the order in which the game lists them. */
export function families(legal: readonly Tagged[]): string[] {
  return [...new Set(legal.map((command) => command.type))];
}

/** Return the commands that agree with the choices so far. */
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
 * Return the fields to choose, each with the values that fit the earlier choices. A field with only
 * one value left is chosen automatically. Fields after an open field are not offered yet.
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
