/**
 * Hashes and signatures by the browser's Web Crypto, or by @noble if that is missing: pages on
 * plain HTTP have none, and older browsers don't know Ed25519.
 */
export type Bytes = Uint8Array<ArrayBuffer>;

const subtle = isSecureContext ? crypto.subtle : null;

/** Return the SHA-256 hash in hex. */
export async function sha256(data: Bytes): Promise<string> {
  if (subtle) return hex(new Uint8Array(await subtle.digest("SHA-256", data)));
  const { sha256: hash } = await import("@noble/hashes/sha2.js");
  return hex(hash(data));
}

/** Return a function that computes HMAC-SHA-256 in hex with this key. */
export async function hmacSha256(key: Bytes): Promise<(data: Bytes) => Promise<string>> {
  if (subtle) {
    const imported = await subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    return async (data) => hex(new Uint8Array(await subtle.sign("HMAC", imported, data)));
  }
  const [{ hmac }, { sha256: hash }] = await Promise.all([
    import("@noble/hashes/hmac.js"),
    import("@noble/hashes/sha2.js"),
  ]);
  return (data) => Promise.resolve(hex(hmac(hash, key, data)));
}

/** Return whether a signature is valid (Ed25519, RFC 8032). */
export async function signed(key: Bytes, signature: Bytes, data: Bytes): Promise<boolean> {
  if (subtle) {
    try {
      const imported = await subtle.importKey("raw", key, "Ed25519", false, ["verify"]);
      return await subtle.verify("Ed25519", imported, signature, data);
    } catch (error) {
      if (!(error instanceof DOMException && error.name === "NotSupportedError")) return false;
    }
  }
  const { ed25519 } = await import("@noble/curves/ed25519.js");
  try {
    return ed25519.verify(signature, data, key);
  } catch {
    return false;
  }
}

/** Write bytes as lower-case hex digits. */
export function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Parse hex digits; null if the text is not hex. */
export function unhex(text: string): Bytes | null {
  if (text.length % 2 > 0 || !/^[0-9a-f]*$/i.test(text)) return null;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
