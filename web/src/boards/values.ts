/** Values in commands and events. */

/** Return whether a value is a place on a board: its column and its row. */
export const isCell = (value: unknown): value is readonly [column: number, row: number] =>
  Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === "number");

/**
 * Return a key that is equal for equal values. It is fast: most are numbers and names, and there are
 * hundreds of commands.
 */
export const keyOf = (value: unknown): unknown =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : value;

export const same = (a: unknown, b: unknown): boolean => a === b || keyOf(a) === keyOf(b);
