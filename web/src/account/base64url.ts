/** Bytes in base64url without padding. */

export function bytes(value: string): Uint8Array<ArrayBuffer> {
  const packed = atob(value.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(packed, (character) => character.charCodeAt(0));
}

export function text(value: Uint8Array): string {
  const packed = btoa(String.fromCharCode(...value));
  return packed.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
