/** Standing orders: what a seat may have the match pass in its stead. */
import type { Legal, MatchView, Tagged } from "../api/types";

/** Give the orders that the viewer's seat may give or has given, as the game lists them. */
export function ordersOf(match: MatchView, legal: Legal): string[] {
  const named = (command: Tagged): string[] =>
    command.type === "set_standing_orders" && Array.isArray(command.orders)
      ? (command.orders as string[])
      : [];
  return [...new Set([...legal.match_commands.flatMap(named), ...(match.orders?.orders ?? [])])].sort();
}
