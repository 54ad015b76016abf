import { deliverNative } from '../../db/lifecycle/deliver-native.ts';
import { ReceiverSuspended, type OutsideReceiver } from '../../db/lifecycle/plan-arrival.ts';
import type { PartnerRoute } from '../../domain/transactions/lifecycle/route.ts';
import { arrivalJudge } from '../../transaction-screening/judge-arrival.ts';
import type { JudgingDeps } from '../../transaction-screening/judge-in-time.ts';
import { CounterpartyUnreachable, type MessageNetwork } from './network.ts';

/** The beneficiary VASP for which a gateway gets the message. */
function outsideReceiver({ entityId, skipped = [] }: PartnerRoute): OutsideReceiver {
  return { entityId, skipped };
}

/** Delivers between tenants of this deployment: with the verdicts of both, in one database transaction. */
export function nativeNetwork(screening: JudgingDeps): MessageNetwork {
  const judge = arrivalJudge(screening);
  return {
    async deliver({ record: { tenantId, id }, counterparty, ...message }) {
      const delivery = {
        ...message,
        tenantId,
        id,
        receiverTenantId: counterparty.tenantId,
        ...(counterparty.network === 'PARTNER' && { outside: outsideReceiver(counterparty) }),
      };
      try {
        return await deliverNative(screening.db, delivery, judge);
      } catch (error) {
        if (error instanceof ReceiverSuspended)
          throw new CounterpartyUnreachable('the receiver is suspended', { cause: error });
        throw error;
      }
    },
  };
}
