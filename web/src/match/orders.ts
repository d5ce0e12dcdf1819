/** Standing orders: windows that the match passes for a seat. */
import type { Legal, MatchView, Tagged } from "../api/types";

/** Return the orders that the viewer's seat can give or has given, in the game's order. */
export function ordersOf(match: MatchView, legal: Legal): string[] {
  const named = (command: Tagged): string[] =>
    command.type === "set_standing_orders" && Array.isArray(command.orders)
      ? (command.orders as string[])
      : [];
  return [...new Set([...legal.match_commands.flatMap(named), ...(match.orders?.orders ?? [])])].sort();
}
