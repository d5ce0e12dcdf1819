/** The cards for their faces, from the game's components; what they do is the service's to know. */
import type { Schemas, Tagged } from "../../api/types";
import { componentsOf } from "../components";

export type View = Schemas["KeDnuView"];
export type Seat = View["seats"][number];
export type Command = Tagged;
export type Colour = "beige" | "red" | "blue" | "green" | "purple";

export interface Kind {
  readonly colour: Colour;
  readonly value: number;
  /** Its price in the shop, where that is not its value. */
  readonly cost?: number;
  /** Points when thrown, where they are not its value. */
  readonly worth?: number;
  readonly exhausts?: boolean;
  readonly reaction?: string;
}

interface Box {
  readonly card: readonly (Kind & { readonly id: string })[];
}

let kinds: ReadonlyMap<string, Kind> | null = null;

/** Give a card's type: `ship_guard_1` is `ship_guard`; `hidden` for one that is not shown. */
export function typeOf(card: string): string {
  return card === "?" ? "hidden" : card.replace(/_\d+$/, "");
}

/** Give what a card's face shows; null for a hidden one. */
export function kindOf(card: string): Kind | null {
  kinds ??= new Map(componentsOf<Box>("ke_dnu").card.map((kind) => [kind.id, kind]));
  return kinds.get(typeOf(card)) ?? null;
}

/** Give the price of a card in the shop; that of a Lifeboat is an option of the match. */
export function shopPrice(card: string, options: Readonly<Record<string, unknown>>): number {
  const own = typeOf(card) === "lifeboat" ? options.lifeboat_cost : undefined;
  return typeof own === "number" ? own : (kindOf(card)?.cost ?? kindOf(card)?.value ?? 0);
}

/** Give the points for which a card is thrown (KED-20, KED-44). */
export function thrownFor(card: string): number {
  return kindOf(card)?.worth ?? kindOf(card)?.value ?? 0;
}

/** Give the price of laying a card by a board, as its face is to show it (KED-31); the service decides. */
export function layPrice(card: string, board: Seat["board"]): number {
  const guards = board.filter((berth) => typeOf(berth.card) === "lifeguard");
  const times = 1 + Math.floor((board.length - guards.length) / 5);
  const off = guards.reduce(
    (sum, guard) => sum + (board.some((berth) => berth.host === guard.card) ? 2 : 1),
    0,
  );
  return Math.max(0, (kindOf(card)?.value ?? 0) * times - off);
}

/** Give what a board counts for (KED-111). */
export function worth(board: Seat["board"]): number {
  return board.reduce((sum, berth) => sum + (kindOf(berth.card)?.value ?? 0), 0);
}
