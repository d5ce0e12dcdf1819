/** What tokens, cards and vessels are, and what lifting costs now. */
import type { Explained, Words } from "../contract";
import { columnName, COLUMNS, partsOf, type View } from "./sea";
import { cardName, tokenName } from "./words";

export const about: NonNullable<Words["about"]> = (kind, id, _, explained) => {
  const { say, name } = explained;
  switch (kind) {
    case "token":
      return { title: tokenName(id, say), lines: ofToken(id, explained) };
    case "cell":
      return { title: id, lines: ofCell(id, explained) };
    case "slot":
      return { title: say(`motifs.${id}`), lines: [say("about.slot")] };
    case "card":
      return { title: say("about.card", { card: cardName(id, say) }), lines: [say("about.cardDoes")] };
    case "ship":
      return { title: say("about.ship", { who: name(Number(id)) }), lines: [say("about.shipDoes")] };
    case "sub":
      return {
        title: say("about.sub", { who: name(Number(id)) }),
        lines: [say("about.subDoes"), say("about.subCosts")],
      };
    default:
      return { title: say(`about.${kind}`), lines: [say(`about.${kind}Does`)] };
  }
};

/** Explain a cell: what lies in it, and what lifting costs there. */
function ofCell(cell: string, explained: Explained): string[] {
  const { say, view } = explained;
  const column = COLUMNS.findIndex((one) => columnName(one) === cell.charAt(0));
  const row = Number(cell.slice(1));
  if (row === 1) return [say("about.shipDoes")];
  const tokens = (view as View).cells[column]?.[row - 2] ?? [];
  if (tokens.length === 0) return [say("board.empty")];
  return [
    tokens.map((token) => tokenName(token, say)).join(", "),
    ...owing(tokens[0] ?? "", explained),
    say("about.lift"),
    say("about.joker"),
  ];
}

function ofToken(token: string, explained: Explained): string[] {
  const { say } = explained;
  const { motif } = partsOf(token);
  const shell = motif === "shell";
  return [
    say(shell ? "about.shell" : "about.treasure", { motif: say(`motifs.${motif}`) }),
    ...owing(token, explained),
    say("about.lift"),
    ...(shell ? [] : [say("about.joker")]),
  ];
}

/** Say who is paid for lifting a token now, if that is known. */
function owing(token: string, { say, name, view }: Explained): string[] {
  const owed = (view as View).owed
    .filter(([of]) => of === token)
    .map(([, seat, count]) => say("board.owing", { who: name(seat), count }));
  return owed.length > 0 ? [say("about.now", { list: owed.join(", ") })] : [];
}
