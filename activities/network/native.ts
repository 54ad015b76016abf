import { deliverNative } from '../../db/lifecycle/deliver-native.ts';
import { arrivalJudge } from '../../transaction-screening/judge-arrival.ts';
import type { JudgingDeps } from '../../transaction-screening/judge-in-time.ts';
import type { MessageNetwork } from './network.ts';

/** Delivers between tenants of this deployment: with the verdicts of both, in one database transaction. */
export function nativeNetwork(screening: JudgingDeps): MessageNetwork {
  const judge = arrivalJudge(screening);
  return {
    deliver: async ({ record: { tenantId, id }, counterparty, ...message }) =>
      await deliverNative(
        screening.db,
        { ...message, tenantId, id, receiverTenantId: counterparty.tenantId },
        judge,
      ),
  };
}
