/** What tells values of commands apart: most are numbers and names, and there are hundreds of commands. */

/** Give what a value can be looked up by. */
export const keyOf = (value: unknown): unknown =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : value;

export const same = (a: unknown, b: unknown): boolean => a === b || keyOf(a) === keyOf(b);
