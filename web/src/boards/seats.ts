import type { SeatView } from "../api/types";

/** Return the seats, the viewer's own first. */
export const ownFirst = (seats: readonly SeatView[], you: number | null): SeatView[] =>
  [...seats].sort((a, b) => Number(b.seat === you) - Number(a.seat === you));
