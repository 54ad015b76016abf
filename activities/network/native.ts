import type { Database } from '../../db/database.ts';
import { deliverNative } from '../../db/lifecycle/deliver-native.ts';
import type { MessageNetwork } from './network.ts';

/** Delivers between tenants of this deployment, in one database transaction. */
export function nativeNetwork(db: Database): MessageNetwork {
  return {
    deliver: async (record, counterparty, now) =>
      await deliverNative(db, {
        tenantId: record.tenantId,
        id: record.id,
        receiverTenantId: counterparty.tenantId,
        now,
      }),
  };
}
