/** The board: a pile of stones. Tap one of the stones in reach to take it and those before it. */

export const words = {
  en: {
    families: { take_stones: "Take stones" },
    commands: {
      take_stones_one: "Take {{count}} stone",
      take_stones_other: "Take {{count}} stones",
    },
    fields: { count: "How many" },
    events: {
      pile_laid: "{{stones}} stones lie on the table.",
      stones_taken_one: "{{seat}} took {{count}} stone.",
      stones_taken_other: "{{seat}} took {{count}} stones.",
      game_ended: "The pile is empty.",
    },
    refusals: {
      "not-your-turn": "It is not your turn. (R-3)",
      "bad-count": "Take {{least}} to {{most}} stones. (R-3)",
    },
    reasons: { last_stone: "Whoever takes the last stone wins." },
    options: {
      stones: { name: "Stones in the pile" },
      most: { name: "Most stones in one turn" },
      turn_seconds: {
        name: "Seconds for a turn",
        help: "Counts if the match is played by phases.",
      },
    },
    board: {
      pile_one: "{{count}} stone left",
      pile_other: "{{count}} stones left",
      reach: "Tap a number to take that many stones",
      taken_one: "{{count}} stone taken",
      taken_other: "{{count}} stones taken",
    },
  },
  cs: {
    families: { take_stones: "Vzít kameny" },
    commands: {
      take_stones_one: "Vzít {{count}} kámen",
      take_stones_few: "Vzít {{count}} kameny",
      take_stones_many: "Vzít {{count}} kamene",
      take_stones_other: "Vzít {{count}} kamenů",
    },
    fields: { count: "Kolik" },
    events: {
      pile_laid: "Na stole leží {{stones}} kamenů.",
      stones_taken_one: "{{seat}} bere {{count}} kámen.",
      stones_taken_few: "{{seat}} bere {{count}} kameny.",
      stones_taken_many: "{{seat}} bere {{count}} kamene.",
      stones_taken_other: "{{seat}} bere {{count}} kamenů.",
      game_ended: "Hromádka je prázdná.",
    },
    refusals: {
      "not-your-turn": "Nejste na tahu. (R-3)",
      "bad-count": "Vezměte {{least}} až {{most}} kamenů. (R-3)",
    },
    reasons: { last_stone: "Vyhrává, kdo vezme poslední kámen." },
    options: {
      stones: { name: "Kamenů v hromádce" },
      most: { name: "Nejvíc kamenů v jednom tahu" },
      turn_seconds: { name: "Sekund na tah", help: "Platí, hraje-li se partie po fázích." },
    },
    board: {
      pile_one: "Zbývá {{count}} kámen",
      pile_few: "Zbývají {{count}} kameny",
      pile_many: "Zbývá {{count}} kamene",
      pile_other: "Zbývá {{count}} kamenů",
      reach: "Klepněte na číslo: tolik kamenů vezmete",
      taken_one: "{{count}} vzatý kámen",
      taken_few: "{{count}} vzaté kameny",
      taken_many: "{{count}} vzatého kamene",
      taken_other: "{{count}} vzatých kamenů",
    },
  },
};

const style = new CSSStyleSheet();
style.replaceSync(`
  section {
    display: grid;
    gap: 0.8rem;
    padding: 0.9rem;
    border-radius: 0.7rem;
    background: var(--paper);
    color: var(--ink);
    box-shadow: var(--shadow);
  }
  p, ul { margin: 0; padding: 0; }
  .left { font: 600 1.15rem var(--serif); }
  .stones { display: flex; flex-wrap: wrap; align-items: center; gap: 0.35rem; }
  .stones:empty { display: none; }
  .stone {
    flex: none;
    width: 1.9rem;
    height: 1.55rem;
    padding: 0;
    border: 1px solid var(--line);
    border-radius: 54% 46% 48% 52% / 58% 55% 45% 42%;
    background: color-mix(in srgb, var(--line) 40%, var(--paper));
    box-shadow: inset -0.15rem -0.2rem 0.35rem color-mix(in srgb, var(--ink) 22%, transparent);
    color: var(--ink);
    font: 600 1.1rem var(--sans);
  }
  .stone:nth-child(3n) { rotate: 9deg; }
  .stone:nth-child(3n + 1) { rotate: -7deg; }
  .reach { gap: 0.6rem; min-height: 3rem; }
  .reach .stone { width: 3.4rem; height: 2.9rem; rotate: none; }
  .stone.open {
    border: 2px solid var(--primary);
    cursor: pointer;
    touch-action: manipulation;
  }
  .moving .stone { transition: background 0.15s, color 0.15s; }
  .stone.open:hover,
  .stone.open:focus-visible,
  .stone.open:has(~ .open:hover),
  .stone.open:has(~ .open:focus-visible) {
    background: var(--primary);
    color: var(--on-primary);
    box-shadow: none;
  }
  .stone:focus-visible { outline: 3px solid var(--signal); outline-offset: 2px; }
  .hint { color: var(--quiet); min-height: 1.5em; }
  .reach:empty + .hint { display: none; }
  ul { display: flex; flex-wrap: wrap; gap: 0.5rem; list-style: none; }
  li {
    display: flex;
    gap: 0.6rem;
    padding: 0.35rem 0.7rem;
    border: 2px solid var(--line);
    border-radius: 0.5rem;
  }
  li.turn { border-color: var(--signal); font-weight: 600; }
`);

/** Show the board in an element of the page. */
export function mount(target, props) {
  const root = target.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [style];
  const [section, left, pile, reach, hint, seats] = [
    element("section"),
    element("p", "left"),
    element("div", "stones"),
    element("div", "stones reach"),
    element("p", "hint"),
    element("ul"),
  ];
  section.append(left, pile, reach, hint, seats);
  root.append(section);

  function update({ view, legal, options, seats: chairs, busy, animated, ...page }) {
    const near = Math.min(options.most, view.stones);
    section.classList.toggle("moving", animated);
    reach.inert = page.you === null || !page.live;
    left.textContent = page.say("board.pile", { count: view.stones });
    hint.textContent = legal.length > 0 ? page.say("board.reach") : "";
    pile.replaceChildren(
      ...Array.from({ length: view.stones - near }, () => element("span", "stone")),
    );
    // The stones in reach stay as they are while they can, so that the keyboard keeps its place.
    while (reach.childElementCount > near) reach.lastChild.remove();
    while (reach.childElementCount < near) reach.append(element("button", "stone"));
    [...reach.children].forEach((stone, place) => {
      const command = legal.find(({ count }) => count === place + 1);
      const name = page.describe({ type: "take_stones", count: place + 1 });
      stone.classList.toggle("open", command !== undefined);
      stone.textContent = command ? String(place + 1) : "";
      stone.setAttribute("aria-label", name);
      stone.setAttribute("aria-disabled", String(!command || busy));
      stone.onclick = () => command && !busy && void page.send(command);
    });
    seats.replaceChildren(
      ...chairs.map(({ seat }) => {
        const item = element("li", page.waiting.includes(seat) ? "turn" : "");
        const count = view.taken[seat];
        item.append(
          element("span", "", page.name(seat)),
          element("span", "", page.say("board.taken", { count })),
        );
        return item;
      }),
    );
  }

  update(props);
  return { update, destroy: () => target.replaceChildren() };
}

/** Create an element. */
function element(tag, classes = "", text = "") {
  const made = document.createElement(tag);
  made.className = classes;
  made.textContent = text;
  return made;
}
