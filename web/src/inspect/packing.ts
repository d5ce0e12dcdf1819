/** Exported files as the page reads them. */
import type { Bytes } from "./crypto";

const ZSTD_MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
const FEED = 0x0a;
const HEAD = new TextEncoder().encode('{"match":');

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

/** Return a decompressed export without its signed head, and without what follows the head. */
export function unsigned(data: Bytes): Bytes {
  for (let start = data.length; start > 1;) {
    start = data.lastIndexOf(FEED, start - 2) + 1;
    if (HEAD.every((byte, place) => data[start + place] === byte)) return data.slice(0, start);
  }
  return data;
}
