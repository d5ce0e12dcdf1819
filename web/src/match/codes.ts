/** The join codes of private matches that this browser knows. */

const KEY = "shiplog.codes";

function all(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, string>;
  } catch {
    return {};
  }
}

export const codes = {
  of: (match: string): string | null => all()[match] ?? null,
  keep: (match: string, code: string): void => {
    localStorage.setItem(KEY, JSON.stringify({ ...all(), [match]: code }));
  },
};
