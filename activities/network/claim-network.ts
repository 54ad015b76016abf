import type { ChangedClaim } from '../../db/claims/change-claim.ts';
import type { RoutedCounterparty } from '../../db/lifecycle/resolve-counterparty.ts';
import type { ClaimRecord } from '../../domain/claims/record.ts';

/** A Travel Rule network that carries claims to originator VASPs. */
export interface ClaimNetwork {
  /**
   * Delivers a claim once, however often it is called. Null when the claim does not wait for delivery any more. Throws
   * CounterpartyUnreachable when a later attempt may succeed.
   */
  deliver(claim: {
    record: ClaimRecord;
    counterparty: RoutedCounterparty;
    now: Date;
  }): Promise<ChangedClaim | null>;
}

/** Every network that carries claims; one that is added is also found by `resolveClaimRoute`. */
export type ClaimNetworks = Record<RoutedCounterparty['network'], ClaimNetwork>;
