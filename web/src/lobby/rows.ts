/** Most matches that the service lists at once. */
const ROWS_MAX = 200;

/** Return how many matches a list begins with: a page, or as many as it showed when the player left. */
export const firstRows = (page: number, shown: number): number => Math.min(Math.max(page, shown), ROWS_MAX);
