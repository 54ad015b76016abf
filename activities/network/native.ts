import { deliverNative } from '../../db/lifecycle/deliver-native.ts';
import type { ScreeningDeps } from '../../transaction-screening/gather-findings.ts';
import { judgeArrival } from '../../transaction-screening/judge-transaction.ts';
import type { MessageNetwork } from './network.ts';

/** Delivers between tenants of this deployment: with the receiver's verdict, in one database transaction. */
export function nativeNetwork(screening: ScreeningDeps): MessageNetwork {
  return {
    deliver: async (record, counterparty, now) =>
      await deliverNative(
        screening.db,
        { tenantId: record.tenantId, id: record.id, receiverTenantId: counterparty.tenantId, now },
        async (arriving) => await judgeArrival(screening, arriving),
      ),
  };
}
