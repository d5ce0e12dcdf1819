/** What a player can try with a card, depending on where it is. */
import { kindOf, type Command, type View } from "./cards";

/**
 * An action with a card. `command` is set if it is illegal, so that the service can explain why.
 */
export interface Act {
  readonly type: string;
  readonly label: string;
  readonly command: Command | null;
}

/** Return the cards with which a command can be started. */
export function relatedTo(command: Command): string[] {
  return [command.card, command.seal, command.source].filter((card) => typeof card === "string");
}

/** Return the simple commands for a card where it is, legal or not. */
export function bareGestures(view: View, you: number, card: string): Command[] {
  const mine = view.seats[you];
  if (mine?.hand?.includes(card)) {
    return [
      { type: "jettison", card },
      { type: "play", card, target: -1, host: "" },
    ];
  }
  if (view.shop.includes(card) || (view.iceberg && card === "iceberg_1")) return [{ type: "buy", card }];
  if (mine?.board.some((berth) => berth.card === card) && kindOf(card)?.exhausts) {
    return kindOf(card)?.reaction
      ? [{ type: "react", card, cards: [], positions: [] }]
      : [{ type: "activate", card, target: -1, cards: [], victims: [], host: "" }];
  }
  return [];
}
