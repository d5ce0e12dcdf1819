/** Sign in with the operator's identity provider: OpenID Connect with PKCE. */
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { api, body } from "../api/client";
import { session } from "../api/session.svelte";
import type { Schemas } from "../api/types";
import { text } from "./base64url";

/** What is kept while the player is at the provider. */
const KEY = "shiplog.identity";
const BYTES = 32;

interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The player who links an identity; null to sign in. */
  readonly links: string | null;
}

export interface Return {
  readonly grant: Schemas["AuthorizationGrant"];
  readonly links: boolean;
}

/** Go to the provider, to link an identity to a player or else to sign in. */
export async function leave(links: string | null): Promise<void> {
  const { authorization_endpoint, ...fixed } = await body(api.GET("/sign-ins/oidc"));
  const [state, nonce, verifier] = [random(), random(), random()];
  const attempt: Attempt = { state, nonce, verifier, links };
  sessionStorage.setItem(KEY, JSON.stringify(attempt));
  const url = new URL(authorization_endpoint);
  const asked = {
    ...fixed,
    response_type: "code",
    state,
    nonce,
    code_challenge: text(sha256(utf8ToBytes(verifier))),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  location.assign(url);
}

/** Return what came back, once; null if it is not what this tab and player had asked for. */
export function returned(search: string): Return | null {
  const found = new URLSearchParams(search);
  const kept = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  const code = found.get("code");
  if (kept === null || code === null) return null;
  const { state, nonce, verifier, links } = JSON.parse(kept) as Attempt;
  if (found.get("state") !== state) return null;
  if (links !== null && links !== session.player?.player) return null;
  return { grant: { code, verifier, nonce }, links: links !== null };
}

function random(): string {
  return text(crypto.getRandomValues(new Uint8Array(BYTES)));
}
