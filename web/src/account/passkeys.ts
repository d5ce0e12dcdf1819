/** Passkeys in the browser (WebAuthn): bytes travel in base64url. */
import { api, body, Refusal } from "../api/client";
import type { Schemas } from "../api/types";
import { bytes, text } from "./base64url";

const ES256 = -7;
const RS256 = -257;
const EDDSA = -8;

/** Whether the browser knows passkeys; only secure pages and localhost may use them. */
export const hasPasskeys = "PublicKeyCredential" in window;

/** Let the browser make a passkey; null if the player thinks better of it. */
export async function makePasskey(name: string): Promise<Schemas["PasskeyView"] | null> {
  const options = await body(api.POST("/players/me/passkeys/options"));
  const made = await asked(() =>
    navigator.credentials.create({
      publicKey: {
        challenge: bytes(options.challenge),
        rp: { id: options.domain, name: "Shiplog" },
        user: { id: bytes(options.user_handle), name: options.name, displayName: options.name },
        pubKeyCredParams: [EDDSA, ES256, RS256].map((alg) => ({ type: "public-key", alg })),
        authenticatorSelection: { residentKey: "required", userVerification: "preferred" },
        excludeCredentials: options.known.map((id) => ({ type: "public-key", id: bytes(id) })),
      },
    }),
  );
  if (made === null) return null;
  const response = made.response as AuthenticatorAttestationResponse;
  return body(
    api.POST("/players/me/passkeys", {
      body: {
        name,
        id: made.id,
        client_data: text(new Uint8Array(response.clientDataJSON)),
        attestation: text(new Uint8Array(response.attestationObject)),
        transports: response.getTransports(),
      },
    }),
  );
}

/** Sign in with a passkey; null if the player thinks better of it. */
export async function usePasskey(): Promise<Schemas["SignedIn"] | null> {
  const options = await body(api.POST("/sign-ins/passkey/options"));
  const used = await asked(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: bytes(options.challenge),
        rpId: options.domain,
        userVerification: "preferred",
      },
    }),
  );
  if (used === null) return null;
  const response = used.response as AuthenticatorAssertionResponse;
  return body(
    api.POST("/sign-ins/passkey", {
      body: {
        id: used.id,
        client_data: text(new Uint8Array(response.clientDataJSON)),
        authenticator_data: text(new Uint8Array(response.authenticatorData)),
        signature: text(new Uint8Array(response.signature)),
        user_handle: response.userHandle ? text(new Uint8Array(response.userHandle)) : "",
      },
    }),
  );
}

/** Errors of the browser that a player can do something about, by name, as codes of refusals. */
const REFUSED: Readonly<Record<string, string>> = {
  InvalidStateError: "known-passkey",
  SecurityError: "no-passkeys-here",
};

/** Return the browser's answer; null if its dialog was closed or timed out. Throws a `Refusal` for other reasons. */
async function asked(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential | null> {
  try {
    return (await ask()) as PublicKeyCredential | null;
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    const code = REFUSED[error.name];
    if (code !== undefined) throw new Refusal(0, code);
    return null;
  }
}
