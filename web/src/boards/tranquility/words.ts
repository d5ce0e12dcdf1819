import type { Words } from "../contract";
import { isCell } from "../values";
import { cellName, kindOf, numberOf } from "./cards";
import { about } from "./about";

const CARDS = new Set([
  "card",
  "cards",
  "discards",
  "source",
  "storm",
  "destroyed",
  "compass",
  "removed",
  "row_cards",
]);

export const words: Words = {
  people: true,
  about,
  value(field, value, say) {
    if (CARDS.has(field) && typeof value === "string") return cardName(value, say);
    if (field === "cell" && isCell(value)) return cellName(value);
    if (field === "row" && typeof value === "number") return value < 0 ? "–" : String(value + 1);
    if (field === "as" && value === 0) return say("asItself");
    return undefined;
  },
  more(thing, say) {
    switch (thing.type) {
      case "play_card":
        return {
          context: Array.isArray(thing.discards) && thing.discards.length > 0 ? "paid" : undefined,
        } as never;
      case "island_placed":
        return {
          context: kindOf(String(thing.card)) === "wild" ? "wild" : "plain",
          count: Number(thing.cost),
        };
      case "cards_discarded":
        // The event of the island tells its price.
        return { context: String(thing.why) };
      case "storm_landed":
        return { context: Number(thing.row) >= 0 ? "row" : "seat" };
      case "voyage_lost":
        return { reason: say(`reasons.${String(thing.reason)}`) };
      case "card_flipped":
      case "hands_turned":
        return { side: say(`sides.${String(thing.side)}`) };
      default:
        return {};
    }
  },
};

/** Name a card: an island by its number, any other by its kind. */
export function cardName(card: string, say: (key: string) => string): string {
  const number = numberOf(card);
  return number === null ? say(`cards.${kindOf(card)}`) : String(number);
}
