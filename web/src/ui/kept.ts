/** A value per key, kept by this browser. */

export interface Kept<Value> {
  /** Return the value of a key; null if none is kept. */
  of(key: string): Value | null;
  keep(key: string, value: Value): void;
}

/** Open what this browser keeps under a name. What cannot be read counts as empty. */
export function kept<Value>(name: string): Kept<Value> {
  function all(): Record<string, Value> {
    try {
      return JSON.parse(localStorage.getItem(name) ?? "{}") as Record<string, Value>;
    } catch {
      return {};
    }
  }
  return {
    of: (key) => all()[key] ?? null,
    keep: (key, value) => {
      localStorage.setItem(name, JSON.stringify({ ...all(), [key]: value }));
    },
  };
}
