import type { Database } from '../../db/database.ts';
import { deliverClaimNative } from '../../db/lifecycle/deliver-claim.ts';
import { ReceiverSuspended } from '../../db/lifecycle/plan-arrival.ts';
import type { ClaimNetwork } from './claim-network.ts';
import { CounterpartyUnreachable } from './network.ts';

/** Delivers claims between tenants of this deployment, in one database transaction. */
export function nativeClaims(db: Database): ClaimNetwork {
  return {
    async deliver({ record: { tenantId, id }, counterparty, now }) {
      try {
        return await deliverClaimNative(db, { tenantId, id, askedTenantId: counterparty.tenantId, now });
      } catch (error) {
        if (error instanceof ReceiverSuspended)
          throw new CounterpartyUnreachable('the asked tenant is suspended', { cause: error });
        throw error;
      }
    },
  };
}
