/** What a card is worth and does. */
import type { Words } from "../contract";
import { kindOf, typeOf } from "./cards";
import { cardName } from "./words";

export const about: NonNullable<Words["about"]> = (_, card, __, { say }) => {
  const kind = kindOf(card);
  return {
    title: cardName(card, say),
    lines: [
      ...(kind ? [`${say(`colours.${kind.colour}`)} · ${say("board.value", { value: kind.value })}`] : []),
      say(`abilities.${typeOf(card)}`),
    ],
  };
};
