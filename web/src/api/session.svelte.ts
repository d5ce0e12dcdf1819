/** The player of this browser: id, name and token, kept in local storage. */

const KEY = "shiplog.session";

export interface Player {
  readonly player: string;
  readonly name: string;
  readonly token: string;
}

function stored(): Player | null {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null") as Player | null;
  } catch {
    return null;
  }
}

class Session {
  player = $state.raw(stored());
  /** Why this page has lost its player; null if the player left it here on purpose. */
  lost = $state<"erased" | "ended" | null>(null);

  /** Keep who signed in. The answer to a recovery code holds the next one, which is not kept. */
  keep({ player, name, token }: Player): void {
    this.lost = null;
    this.player = { player, name, token };
    localStorage.setItem(KEY, JSON.stringify(this.player));
  }

  forget(lost: Session["lost"] = null): void {
    this.lost = lost;
    this.player = null;
    localStorage.removeItem(KEY);
  }
}

export const session = new Session();

// Another tab signed in, out or renamed.
addEventListener("storage", (event) => {
  if (event.key === KEY) session.player = stored();
});
