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
  /** Whether the last player of this page was erased. */
  erased = $state(false);

  keep(player: Player): void {
    this.erased = false;
    this.player = player;
    localStorage.setItem(KEY, JSON.stringify(player));
  }

  forget(): void {
    this.player = null;
    localStorage.removeItem(KEY);
  }
}

export const session = new Session();

// Another tab signed in, out or renamed.
addEventListener("storage", (event) => {
  if (event.key === KEY) session.player = stored();
});
