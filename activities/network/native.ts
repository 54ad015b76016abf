import { deliverNative } from '../../db/lifecycle/deliver-native.ts';
import { arrivalJudge } from '../../transaction-screening/judge-arrival.ts';
import type { JudgingDeps } from '../../transaction-screening/judge-in-time.ts';
import type { MessageNetwork } from './network.ts';

/** Delivers between tenants of this deployment: with the receiver's verdict, in one database transaction. */
export function nativeNetwork(screening: JudgingDeps): MessageNetwork {
  const judge = arrivalJudge(screening);
  return {
    deliver: async ({ tenantId, id }, counterparty, now) =>
      await deliverNative(
        screening.db,
        { tenantId, id, receiverTenantId: counterparty.tenantId, now },
        judge,
      ),
  };
}
