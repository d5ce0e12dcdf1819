/** How far this browser's player came in each tutorial. */

const KEY = "shiplog.learned";

function all(): Record<string, number> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, number>;
  } catch {
    return {};
  }
}

export const progress = {
  /** The step at which to go on, from 1. */
  of: (slug: string): number => all()[slug] ?? 1,
  keep: (slug: string, step: number): void => {
    localStorage.setItem(KEY, JSON.stringify({ ...all(), [slug]: step }));
  },
};
