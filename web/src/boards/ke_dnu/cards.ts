/**
 * What is printed on the cards, from the game's components. Only the service knows what they do.
 */
import type { Schemas, Tagged } from "../../api/types";
import { componentsOf } from "../components";

export type View = Schemas["KeDnuView"];
export type Seat = View["seats"][number];
export type Command = Tagged;
export type Colour = "beige" | "red" | "blue" | "green" | "purple";

export interface Kind {
  readonly colour: Colour;
  readonly value: number;
  /** Price in the shop, if it is not the value. */
  readonly cost?: number;
  /** Points when thrown overboard, if they are not the value. */
  readonly worth?: number;
  readonly exhausts?: boolean;
  readonly reaction?: string;
}

interface Box {
  readonly card: readonly (Kind & { readonly id: string })[];
}

let kinds: ReadonlyMap<string, Kind> | null = null;

/** Return a card's type: `ship_guard` of `ship_guard_1`; `hidden` for a hidden card. */
export function typeOf(card: string): string {
  return card === "?" ? "hidden" : card.replace(/_\d+$/, "");
}

/** Return what is printed on a card; null for a hidden card. */
export function kindOf(card: string): Kind | null {
  kinds ??= new Map(componentsOf<Box>("ke_dnu").card.map((kind) => [kind.id, kind]));
  return kinds.get(typeOf(card)) ?? null;
}

/** Return the price of a card in the shop. The price of a Lifeboat is an option of the match. */
export function shopPrice(card: string, options: Readonly<Record<string, unknown>>): number {
  const own = typeOf(card) === "lifeboat" ? options.lifeboat_cost : undefined;
  return typeof own === "number" ? own : (kindOf(card)?.cost ?? kindOf(card)?.value ?? 0);
}

/** Return the points for throwing a card overboard (KED-20, KED-44). */
export function thrownFor(card: string): number {
  return kindOf(card)?.worth ?? kindOf(card)?.value ?? 0;
}

/** Return the price of laying a card on a board (KED-31), for display only: the service decides. */
export function layPrice(card: string, board: Seat["board"]): number {
  const guards = board.filter((berth) => typeOf(berth.card) === "lifeguard");
  const times = 1 + Math.floor((board.length - guards.length) / 5);
  const off = guards.reduce(
    (sum, guard) => sum + (board.some((berth) => berth.host === guard.card) ? 2 : 1),
    0,
  );
  return Math.max(0, (kindOf(card)?.value ?? 0) * times - off);
}

/** Return the points of a board (KED-111). */
export function worth(board: Seat["board"]): number {
  return board.reduce((sum, berth) => sum + (kindOf(berth.card)?.value ?? 0), 0);
}
