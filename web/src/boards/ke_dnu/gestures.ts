/** What can be tried with a card, by where it lies. */
import { kindOf, type Command, type View } from "./cards";

/** A thing to do with a card; `command` is set where it is not legal, so that the service can say why. */
export interface Act {
  readonly type: string;
  readonly label: string;
  readonly command: Command | null;
}

/** Give the cards by which a command is begun. */
export function relatedTo(command: Command): string[] {
  return [command.card, command.seal, command.source].filter((card) => typeof card === "string");
}

/** Give the plain gestures for a card where it lies, legal or not. */
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
