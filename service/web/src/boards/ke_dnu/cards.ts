/** The cards as `seeds/ke_dnu.toml` has them, for their faces; what they do is the service's to know. */
import type { Schemas } from "../../api/types";
import type { Tagged } from "../../api/types";

export type View = Schemas["KeDnuView"];
export type Seat = View["seats"][number];
export type Command = Tagged;
export type Colour = "beige" | "red" | "blue" | "green" | "purple";

/** Types by colour, each `type value`, with `x` for the symbol of exhausting and `$` for another price in the shop. */
const TABLE: Readonly<Record<Colour, string>> = {
  beige: "passenger 1, baby 2, iceberg 10 $20, convict 3 x, drunkard 2 x, jack 0 x, lifeboat 10 $8, rats 3",
  red:
    "beggar 7 x, burglar 5 x, fanatic 8 x, lady 8 x, mime 4 x, pirate 12 x, priest 9 x, saboteur 8 x, " +
    "stowaway 1, torpedo 12 x",
  blue: "anchor 0, bartender 4 x, lifebuoy 3 x, ship_guard 6 x, steward 4 x, teacher 6",
  green:
    "arbiter 7, band 6, boogeyman 4, caretaker 3, fisherman 2, lifeguard 5, navigator 3, proletarian 4, " +
    "steersman 7, stoker 5, tycoon 9",
  purple:
    "assistant 4, captain 9 x, chef 4 x, dealer 5 x, diver 4 x, doctor 6 x, flapper 4, janitor 4 x, " +
    "life_jacket 5 x, lockdown 0, maid 4, polka_dancer 3 x, profiteer 6 x, rose 3, seal 5, stimulants 2 x, " +
    "storyteller 6 x, technician 5 x, singer 3 x",
};

export interface Kind {
  readonly colour: Colour;
  readonly value: number;
  /** Its price in the shop. */
  readonly cost: number;
  readonly exhausts: boolean;
}

const KINDS: ReadonlyMap<string, Kind> = new Map(
  Object.entries(TABLE).flatMap(([colour, line]) =>
    line.split(", ").map((entry): [string, Kind] => {
      const [type = "", value, ...marks] = entry.split(" ");
      const price = marks.find((mark) => mark.startsWith("$"));
      return [
        type,
        {
          colour: colour as Colour,
          value: Number(value),
          cost: Number(price?.slice(1) ?? value),
          exhausts: marks.includes("x"),
        },
      ];
    }),
  ),
);

/** Give a card's type: `ship_guard_1` is `ship_guard`; `hidden` for one that is not shown. */
export function typeOf(card: string): string {
  return card === "?" ? "hidden" : card.replace(/_\d+$/, "");
}

/** Give what a card's face shows; null for a hidden one. */
export function kindOf(card: string): Kind | null {
  return KINDS.get(typeOf(card)) ?? null;
}

/** Give the price of a card in the shop; that of a Lifeboat is an option of the match. */
export function shopPrice(card: string, options: Readonly<Record<string, unknown>>): number {
  const own = typeOf(card) === "lifeboat" ? options.lifeboat_cost : undefined;
  return typeof own === "number" ? own : (kindOf(card)?.cost ?? 0);
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
