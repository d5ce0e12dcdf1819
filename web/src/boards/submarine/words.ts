import type { Words } from "../contract";
import { isCell } from "../values";
import { cellName, columnName, HARBOUR, OFF, partsOf, type Cell, type View } from "./sea";
import { about } from "./about";

type Say = (key: string) => string;

const CARDS = new Set(["card", "pay", "cards", "put", "got"]);
const CELLS = new Set(["cell", "to", "from"]);
const TOKENS = new Set(["token", "joker"]);

export const words: Words = {
  people: true,
  about,
  value(field, value, say, view) {
    if (CARDS.has(field) && typeof value === "string") return cardName(value, say);
    if (TOKENS.has(field) && typeof value === "string") return tokenName(value, say);
    if (CELLS.has(field) && isCell(value)) return cellName(value);
    if (field === "column" && typeof value === "number") return columnName(value);
    if ((field === "to" || field === "from") && typeof value === "number") return placeName(value, say);
    if (field === "sub" && typeof value === "number") {
      const cell = subCell(view as View | null, value);
      return cell ? `${value + 1} (${cellName(cell)})` : String(value + 1);
    }
    return undefined;
  },
  places(event) {
    if (event.type === "ship_moved")
      return [`ship_${String(event.seat)}`, `${columnName(Number(event.to))}1`];
    return typeof event.column === "number" ? [`${columnName(event.column)}2`] : [];
  },
  more(thing, say, view, name) {
    switch (thing.type) {
      case "move_ship":
      case "ship_moved":
        return { context: thing.to === OFF ? "off" : undefined };
      case "move_sub": {
        const cell = subCell(view as View | null, Number(thing.sub));
        return cell ? { context: "known", from: cellName(cell) } : {};
      }
      case "salvage":
        return { context: lengthOf(thing.pay) > 0 ? "paid" : undefined };
      case "compensation_paid":
        return { to: name(Number(thing.to)), count: lengthOf(thing.cards) };
      case "cards_drawn":
        return {
          context: Array.isArray(thing.cards) && thing.cards.includes("?") ? "hidden" : "known",
          count: lengthOf(thing.cards),
        };
      case "card_swapped":
        return { context: thing.got === "?" ? "hidden" : "known" };
      case "treasure_salvaged":
        return { context: String(thing.into) };
      case "game_ended":
        return { reason: say(`reasons.${String(thing.reason)}`) };
      default:
        return {};
    }
  },
};

/** Name a card by its colour. */
export function cardName(card: string, say: Say): string {
  return card === "?" ? say("hidden") : say(`colours.f.${card}`);
}

/** Name a token: colour and motif, the colour in the motif's gender. */
export function tokenName(token: string, say: Say): string {
  const { motif, colour } = partsOf(token);
  return `${say(`colours.${say(`genders.${motif}`)}.${colour}`)} ${say(`motifs.${motif}`)}`;
}

/** Name a ship's place. */
export function placeName(place: number, say: Say): string {
  if (place === HARBOUR) return say("board.harbour");
  return place === OFF ? say("board.off") : columnName(place);
}

/** Find where a submarine of the seat on turn is. */
function subCell(view: View | null, sub: number): Cell | null {
  return (view?.subs[view.active]?.[sub] ?? null) as Cell | null;
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}
