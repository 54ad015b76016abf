import type { Database } from '../../db/database.ts';
import { deliverNative } from '../../db/lifecycle/deliver-native.ts';
import type { MessageNetwork } from './network.ts';

/** Tenants of this deployment reach each other in one database transaction. */
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
