import type { Tagged } from "../../api/types";
import type { BoardProps, Words } from "../contract";
import { loadComponents } from "../components";
import { thrownFor, typeOf, type View } from "./cards";
import { about } from "./about";

type Say = BoardProps["say"];

const CARDS = new Set([
  "card",
  "cards",
  "seal",
  "host",
  "pay",
  "source",
  "blocker",
  "revealed",
  "removed",
  "shop",
]);
const CAUSES = new Set(["janitor", "proletarian"]);

export const words: Words = {
  about,
  load: () => loadComponents("ke_dnu"),
  value(field, value, say, view) {
    if (typeof value === "string") {
      if (field === "victims") return victimName(value, say, view as View | undefined);
      if (field === "source" && !value.includes("_")) return undefined;
      if (CARDS.has(field)) return value === "" ? "–" : cardName(value, say);
      if (field === "cause") return CAUSES.has(value) ? say(`cards.${value}`) : undefined;
    }
    if (typeof value === "number" && ["positions", "take", "put"].includes(field)) return String(value + 1);
    return undefined;
  },
  more(thing, say, view, name) {
    const thrown = thrownFor(String(thing.card ?? ""));
    switch (thing.type) {
      case "jettison":
        return { points: thrown };
      case "jettison_pair":
        return { points: 2 * thrown };
      case "play":
        return { context: thing.host ? "host" : Number(thing.target) >= 0 ? "target" : undefined } as never;
      case "place_story":
        return { context: thing.host ? "host" : String(thing.where) };
      case "activate":
      case "react":
      case "use_flapper":
        return { on: objects(thing, say, view, name) };
      case "action_announced":
        return {
          on: objects(thing, say, view, name),
          ...(thing.source === "flapper" ? { context: "flapper" } : {}),
        };
      case "jettisoned":
        return { context: thrownHow(thing) };
      case "points_gained":
        return { context: thing.cause === "house" ? "house" : undefined };
      case "cards_drawn": {
        const cards = thing.cards as string[];
        const seen = cards.length > 0 && !cards.includes("?");
        return { context: seen ? "seen" : "hidden", count: cards.length };
      }
      case "picked": {
        const cards = thing.cards as string[];
        return { context: cards.includes("?") ? "hidden" : "seen", count: cards.length };
      }
      case "play_announced":
        return { context: String(thing.via) };
      case "card_played":
        return { context: thing.host ? "host" : "own" };
      case "moved":
        return {
          context: thing.seat === thing.to_seat ? "own" : "across",
          from: say(`zones.${String(thing.zone)}`),
          to: say(`zones.${String(thing.to_zone)}`),
        };
      case "story_placed":
        return { context: String(thing.where) };
      case "closed":
        return { context: String(thing.kind) };
      case "voyage_ended":
        return { context: String(thing.reason) };
      case "game_over":
        return { context: (thing.result as { reason: string }).reason };
      default:
        return {};
    }
  },
};

/** Name a card by its type. */
export function cardName(card: string, say: Say): string {
  return say(`cards.${typeOf(card)}`);
}

/** Name the objects of an effect, as in ": Captain"; empty if there are none. */
export function objects(thing: Tagged, say: Say, view: unknown, name: BoardProps["name"]): string {
  const list = (field: string): string[] => (Array.isArray(thing[field]) ? (thing[field] as string[]) : []);
  const parts = [
    ...list("victims").map((card) => victimName(card, say, view as View | undefined, name)),
    ...list("cards").map((card) => cardName(card, say)),
    ...(typeof thing.target === "number" && thing.target >= 0 ? [name(thing.target)] : []),
    ...(thing.type === "react" ? list("positions").map((place) => `${Number(place) + 1}.`) : []),
  ];
  return parts.length > 0 ? `: ${parts.join(", ")}` : "";
}

function victimName(
  card: string,
  say: Say,
  view: View | undefined,
  name: BoardProps["name"] | null = null,
): string {
  const seat = view?.seats.findIndex(
    ({ board, hand }) => board.some((berth) => berth.card === card) || hand?.includes(card),
  );
  const what = cardName(card, say);
  if (seat === undefined || seat < 0) return what;
  return name ? say("ofPlayer", { what, who: name(seat) }) : say("ofSeat", { what, seat: seat + 1 });
}

function thrownHow(event: Tagged): string {
  if (typeOf(String(event.card)) === "rose") return "rose";
  if (event.cause === "pay") return "pay";
  return Number(event.points) > 0 || event.cause === "jettison" || event.cause === "pair"
    ? "points"
    : "plain";
}
