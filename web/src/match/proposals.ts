/** Requests to the table. */
import type { ProposalView } from "../api/types";

/** Return whether nobody can answer a proposal any more. */
export function hasExpired(proposal: ProposalView): boolean {
  return Date.parse(proposal.expires) <= Date.now();
}
