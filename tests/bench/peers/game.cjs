// As much of a solo voyage of Tranquility as the benchmark plays: discard two cards, draw two. The
// state holds a deck, a grid and what was discarded, so that an answer has as many cells and cards.

const CARDS = Array.from({ length: 80 }, (_, number) => `island_${number + 1}`);
const HAND = 5;

function setup({ random }) {
  const deck = random.Shuffle(CARDS);
  return { hand: deck.splice(0, HAND), deck, grid: Array(36).fill(null), discarded: [] };
}

function discardTwo({ G }, first, second) {
  if (!G.hand.includes(first) || !G.hand.includes(second) || first === second) {
    return "INVALID_MOVE";
  }
  G.hand = G.hand.filter((card) => card !== first && card !== second);
  G.discarded.push(first, second);
  G.hand.push(...G.deck.splice(0, 2));
}

module.exports.Discard = {
  name: "discard",
  setup,
  moves: { discardTwo: { move: discardTwo, client: false } },
  playerView: ({ G }) => ({ ...G, deck: G.deck.length }),
  endIf: ({ G }) => (G.hand.length < 2 ? { winner: null } : undefined),
};
