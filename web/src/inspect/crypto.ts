/** Hashes and signatures in a browser, also on plain HTTP, where Web Crypto is missing. */
import { ed25519 } from "@noble/curves/ed25519.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { Crypto } from "../verifier/chance.mjs";

export type Bytes = Uint8Array<ArrayBuffer>;

export const crypto: Crypto = {
  sha256,
  hmacSha256: (key, data) => hmac(sha256, key, data),
  isSigned(key, signature, data) {
    try {
      return ed25519.verify(signature, data, key);
    } catch {
      return false;
    }
  },
};
