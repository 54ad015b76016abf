import type { Database } from '../../db/database.ts';
import { deliverClaim } from '../../db/lifecycle/deliver-claim.ts';
import { ReceiverSuspended } from '../../db/lifecycle/plan-arrival.ts';
import type { ClaimNetwork } from './claim-network.ts';
import { CounterpartyUnreachable } from './network.ts';

/**
 * Delivers claims between tenants of this deployment, in one database transaction. A partner's gateway is a tenant, too: it sees
 * whom the coins were for, and answers for the entities that operators have put on its network.
 */
export function nativeClaims(db: Database): ClaimNetwork {
  return {
    async deliver({ record: { tenantId, id }, counterparty, now }) {
      try {
        const delivery = { tenantId, id, askedTenantId: counterparty.tenantId, now };
        if (counterparty.network === 'NATIVE') return await deliverClaim(db, delivery);
        const { entityId, skipped = [] } = counterparty;
        const outside = { entityId, skipped, isVouched: true };
        return await deliverClaim(db, { ...delivery, outside });
      } catch (error) {
        if (error instanceof ReceiverSuspended)
          throw new CounterpartyUnreachable('the asked tenant is suspended', { cause: error });
        throw error;
      }
    },
  };
}
