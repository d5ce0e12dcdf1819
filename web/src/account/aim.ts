/** Where a visitor of this tab wanted to go before signing in. */
const KEY = "shiplog.aim";

export const aim = {
  keep(): void {
    sessionStorage.setItem(KEY, location.pathname + location.search);
  },

  /** Return the address that was kept, once; the lobby if there is none. */
  take(): string {
    const kept = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return kept ?? "/";
  },
};
