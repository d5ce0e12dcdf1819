/** Devices in which the player is signed in; notices tell of new ones. */
import { api, body, tellable } from "../api/client";
import { notices } from "../api/notices.svelte";
import type { Notice, Schemas } from "../api/types";

class Devices {
  list = $state.raw<readonly Schemas["DeviceView"][]>([]);
  /** The device that has just been signed in, until it is dismissed. */
  fresh = $state.raw<Schemas["DeviceView"] | null>(null);

  /** Read the list; throws the refusal. */
  async load(): Promise<void> {
    this.list = await body(api.GET("/players/me/devices"));
  }

  /** Hear of new devices. Returns how to stop and forget the last one. */
  watch(): () => void {
    const stop = notices.hear((notice) => void this.#heard(notice));
    return () => {
      stop();
      this.fresh = null;
    };
  }

  async #heard(notice: Notice): Promise<void> {
    if (notice.type !== "device") return;
    try {
      await this.load();
    } catch (error) {
      tellable(error);
      return;
    }
    if (notice.state === "ended") return;
    const added = this.list.find((one) => one.id === notice.device);
    if (added && !added.current) this.fresh = added;
  }

  /** Sign out a device; throws the refusal. */
  async end(id: string): Promise<void> {
    await body(api.DELETE("/devices/{device}", { params: { path: { device: id } } }));
    this.list = this.list.filter((one) => one.id !== id);
    if (this.fresh?.id === id) this.fresh = null;
  }

  dismiss(): void {
    this.fresh = null;
  }
}

export const devices = new Devices();
