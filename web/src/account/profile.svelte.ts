/** The player's own profile, read again after each change of the ways back: they decide about the name. */
import { api, body, tellable } from "../api/client";
import type { Schemas } from "../api/types";

class Profile {
  found = $state.raw<Schemas["Profile"] | null>(null);

  /** Read the profile. Without an answer it stays as it is. */
  async read(): Promise<void> {
    try {
      this.found = await body(api.GET("/players/me"));
    } catch (error) {
      tellable(error);
    }
  }
}

export const profile = new Profile();
