import type { SeatView } from "../api/types";

/** Give the seats with the own one first: it is the one to look at. */
export const ownFirst = (seats: readonly SeatView[], you: number | null): SeatView[] =>
  [...seats].sort((a, b) => Number(b.seat === you) - Number(a.seat === you));
