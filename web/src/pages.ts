/** The pages that most visits begin with, each a chunk of its own. */
import { session } from "./api/session.svelte";
import { router } from "./router.svelte";

export const pages = {
  arrive: () => import("./lobby/Arrive.svelte"),
  lobby: () => import("./lobby/Lobby.svelte"),
  match: () => import("./match/MatchPage.svelte"),
  new: () => import("./lobby/NewMatch.svelte"),
  welcome: () => import("./lobby/Welcome.svelte"),
};

/** Load the page that the address asks for, while the words are on their way. */
export async function loadFirst(): Promise<void> {
  const { page } = router.place;
  if (session.player === null) await pages[page === "match" ? "arrive" : "welcome"]();
  else if (page === "match" || page === "new") await pages[page]();
  else if (page === "lobby" || page === "mine") await pages.lobby();
}
