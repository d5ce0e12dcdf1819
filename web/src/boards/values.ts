/**
 * Fast comparison of command values. Most are numbers and names, and there are hundreds of
 * commands.
 */

/** Return a key that is equal for equal values. */
export const keyOf = (value: unknown): unknown =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : value;

export const same = (a: unknown, b: unknown): boolean => a === b || keyOf(a) === keyOf(b);
