/**
 * A typed client for Shiplog. The README shows how to use it.
 *
 * The types are generated from the OpenAPI document of the service. This package adds what a
 * document cannot say: retries, refusals as errors, receipts, and streams that resume.
 */
import type { components } from "./schema.js";

export { type Client, connect, type Options } from "./client.js";
export { accepted, Offline, type Problem, Refusal } from "./errors.js";
export { PATIENCE, type Patience, persist, type Persistence, waitMs } from "./patience.js";
export {
  isRevoked,
  isSigned,
  type PublicKey,
  type Receipt,
  type ReceiptKeeper,
  Receipts,
  type Verifier,
  webCrypto,
} from "./receipts.js";
export {
  follow,
  type Following,
  followNotices,
  followShowing,
  type PlacedNotice,
} from "./stream.js";
export type { components, paths } from "./schema.js";
/** Types of everything in the document, by name. */
export type Schemas = components["schemas"];
