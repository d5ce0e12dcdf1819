/** Exported files as the page reads them. */
import type { Bytes } from "./crypto";

const ZSTD_MAGIC = [0x28, 0xb5, 0x2f, 0xfd];

/** Decompress zstd; return anything else unchanged, also damaged data. */
export async function unpacked(data: Bytes): Promise<Bytes> {
  if (!ZSTD_MAGIC.every((byte, place) => data[place] === byte)) return data;
  const { decompress } = await import("fzstd");
  try {
    return new Uint8Array(decompress(data));
  } catch {
    return data;
  }
}
