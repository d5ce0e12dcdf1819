/** Seats where nobody but the player is a person: tutorials, puzzles, the gallery. */
import type { SeatView } from "../api/types";

/** Return the seats of a table with the player at `you`; the others are bots. */
export function practiceSeats(count: number, you: number, name: (seat: number) => string): SeatView[] {
  return Array.from({ length: count }, (_, seat) => ({
    seat,
    player: null,
    name: name(seat),
    bot: seat === you ? null : "medium",
    program: false,
    clock: null,
    left: false,
    away: false,
  }));
}
