/** What a card, a cell and its price are. */
import type { Words } from "../contract";
import { cellName, chain, kindOf, numberOf, type View } from "./cards";
import { cardName } from "./words";

export const about: NonNullable<Words["about"]> = (kind, id, [price], { say, view }) => {
  if (kind === "card") {
    const number = numberOf(id);
    return number === null
      ? { title: cardName(id, say), lines: [say(`about.cards.${kindOf(id)}`)] }
      : {
          title: say("about.island", { number }),
          lines: [say("about.islandDoes"), say("about.islandPays")],
        };
  }
  const { grid, options } = view as View;
  const index = chain(options.variant).findIndex((cell) => cellName(cell) === id);
  const laid = grid[index];
  if (laid) {
    return {
      title: say("about.island", { number: laid.number }),
      lines: [say("about.laidPays", { number: laid.number })],
    };
  }
  const [a, b] = [grid[index - 1], grid[index + 1]].flatMap((one) => (one ? [one.number] : []));
  const near = b !== undefined ? "between" : a !== undefined ? "beside" : "alone";
  return {
    title: id,
    lines: [say(`about.${near}`, { a, b }), ...(price ? [say("about.price", { count: Number(price) })] : [])],
  };
};
