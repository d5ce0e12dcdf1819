/** Names and places of the components. */
import type { Schemas } from "../../api/types";

export type View = Schemas["TranquilityView"];
export type Command = Schemas["TranquilityCommand"] & Record<string, unknown>;
export type Cell = readonly [column: number, row: number];
type Variant = View["options"]["variant"];

const SIX = [0, 1, 2, 3, 4, 5];
/** Columns of each row, bottom row first, as `seeds/tranquility.toml` has them. */
const ARCH = [...Array.from({ length: 6 }, () => [0, 1, 4, 5]), SIX];
const PYRAMID = [6, 5, 4, 3, 2, 1].map((count) => SIX.slice(0, count));
const SEA = Array.from({ length: 6 }, () => SIX);

/** Return the columns of each row, bottom row first. */
export function rowsOf(variant: Variant): readonly (readonly number[])[] {
  if (variant === "high_arch") return ARCH;
  return variant === "pyramid" ? PYRAMID : SEA;
}

/** Return the cells in chain order: the order of the view's grid. */
export function chain(variant: Variant): Cell[] {
  return rowsOf(variant).flatMap((columns, row) => columns.map((column): Cell => [column, row]));
}

/** Name a cell as on a chart: column letter, row number. */
export function cellName([column, row]: Cell): string {
  return `${"ABCDEF".charAt(column)}${row + 1}`;
}

/** Return a card's kind: `island`, `start`, `storm_yellow`; `hidden` for a hidden card. */
export function kindOf(card: string): string {
  return card === "?" ? "hidden" : card.replace(/_\d+$/, "");
}

/** Return an island's number; null for any other card. */
export function numberOf(card: string): number | null {
  const found = /^island_(\d+)$/.exec(card);
  return found ? Number(found[1]) : null;
}
