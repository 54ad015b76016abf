import type { ChangedClaim } from '../../db/claims/change-claim.ts';
import type { ClaimRoute } from '../../db/lifecycle/resolve-claim-route.ts';
import type { ClaimRecord } from '../../domain/claims/record.ts';

/** A Travel Rule network that carries claims to originator VASPs. */
export interface ClaimNetwork {
  /**
   * Delivers a claim, or offers it, once, however often it is called. Null when the claim does not wait for delivery any more. Throws
   * CounterpartyUnreachable when a later attempt may succeed.
   */
  deliver(claim: { record: ClaimRecord; counterparty: ClaimRoute; now: Date }): Promise<ChangedClaim | null>;
}

/** Every network that carries claims; one that is added is also found by `resolveClaimRoute`. */
export type ClaimNetworks = Record<ClaimRoute['network'], ClaimNetwork>;
