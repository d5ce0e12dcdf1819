/** Where the page is: its addresses, as `service/http/web.py` serves them. */

export type Place =
  | { page: "lobby" }
  | { page: "new" }
  | { page: "mine" }
  | { page: "upload" }
  | { page: "gallery" }
  | { page: "programs" }
  | { page: "account" }
  | { page: "puzzles"; game: string }
  | { page: "sign-in" }
  | { page: "sign-in-back" }
  | { page: "move" }
  | { page: "mail"; stop: string | null }
  | { page: "match"; match: string; code: string | null }
  | { page: "inspect" | "replay"; match: string; search: URLSearchParams }
  | { page: "profile"; player: string | null }
  | { page: "rules"; slug: string }
  | { page: "learn"; slug: string }
  | { page: "puzzle"; puzzle: string; game: string }
  | { page: "nowhere" };

const PAGES = ["new", "mine", "upload", "gallery", "programs", "account", "sign-in", "move"] as const;

function read(): Place {
  const [first = "", second, ...rest] = location.pathname.split("/").filter(Boolean);
  if (rest.length > 0) return { page: "nowhere" };
  const search = new URLSearchParams(location.search);
  if (second === undefined) {
    if (first === "") return { page: "lobby" };
    if (first === "mail") return { page: "mail", stop: null };
    if (first === "puzzle") return { page: "puzzles", game: search.get("game") ?? "" };
    if (first === "profile") return { page: "profile", player: null };
    const known = PAGES.find((page) => page === first);
    return { page: known ?? "nowhere" };
  }
  if (first === "sign-in" && second === "back") return { page: "sign-in-back" };
  if (first === "mail") return { page: "mail", stop: second };
  if (first === "match") return { page: "match", match: second, code: search.get("code") };
  if (first === "player") return { page: "profile", player: second };
  if (first === "inspect" || first === "replay") return { page: first, match: second, search };
  if (first === "puzzle") return { page: first, puzzle: second, game: search.get("game") ?? "" };
  return first === "rules" || first === "learn" ? { page: first, slug: second } : { page: "nowhere" };
}

const address = (): string => location.pathname + location.search;

/** What an entry of the history keeps. */
interface Kept {
  /** How far the view was scrolled when it was left (px). */
  scroll?: number;
  /** Whether something is open over the page. */
  covered?: true;
  /** What the list on the page shows. */
  list?: object;
}

const kept = (): Kept => (history.state as Kept | null) ?? {};

class Router {
  place = $state.raw<Place>(read());
  /** How far the view was scrolled when it was left, if the player has come back to it (px). */
  scroll: number | null = null;
  #address = address();
  /** Address of the entry below what is open over the page. */
  #beneath: string | null = null;

  /** Go to an address of the page. */
  go(path: string, replace = this.#covered): void {
    if (!replace) history.replaceState({ ...kept(), scroll: scrollY }, "");
    history[replace ? "replaceState" : "pushState"](null, "", path);
    this.#look(null);
    scrollTo(0, 0);
  }

  /** Give the page that is shown another address, such as that of its moment. */
  rename(path: string): void {
    history.replaceState(history.state, "", path);
    this.#address = address();
  }

  /** Let Back close what is open over the page, instead of leaving it. Called when that opens and closes. */
  cover(open: boolean): void {
    if (open === this.#covered) return;
    if (open) {
      this.#beneath = address();
      history.pushState({ covered: true }, "");
    } else history.back();
  }

  /** What the list on the page showed when the player left it; empty on the first visit. */
  list<T extends object>(): Partial<T> {
    return kept().list ?? {};
  }

  /** Keep what the list on the page shows, for when the player comes back to it. */
  keep(list: object): void {
    history.replaceState({ ...kept(), list }, "");
  }

  get #covered(): boolean {
    return kept().covered ?? false;
  }

  #look(scroll: number | null): void {
    this.#address = address();
    this.#beneath = null;
    this.scroll = scroll;
    this.place = read();
  }

  constructor() {
    addEventListener("popstate", () => {
      // The page may have been given another address since it was covered.
      if (address() === this.#beneath) this.rename(this.#address);
      this.#beneath = null;
      // A link to a place on the page, such as the skip link, changes the hash alone.
      if (address() !== this.#address) this.#look(kept().scroll ?? null);
    });
    document.addEventListener("click", (event) => {
      const link = (event.target as Element).closest?.("a");
      const plainClick =
        event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      if (
        !link ||
        !plainClick ||
        link.target ||
        link.origin !== location.origin ||
        link.hasAttribute("data-out")
      )
        return;
      if (link.pathname === location.pathname && link.hash) return;
      event.preventDefault();
      this.go(link.pathname + link.search + link.hash);
    });
  }
}

export const router = new Router();
