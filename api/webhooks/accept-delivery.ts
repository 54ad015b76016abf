import type pg from 'pg';
import { withIdempotency } from '../../db/idempotency/idempotency.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import type { TenantKeys } from '../../db/vault/tenant-keys.ts';
import { viewDelivery, type DeliveryRecord } from '../../domain/webhooks/schema.ts';
import type { Deps, IdempotentCall, TenantCaller } from '../deps.ts';
import type { EndpointAnswer } from '../middleware/send-answer.ts';
import { replayOf } from '../replay.ts';

interface AcceptRequest {
  caller: TenantCaller;
  idempotency: IdempotentCall | undefined;
}

interface DeliveryScope {
  tx: pg.PoolClient;
  keys: TenantKeys;
  tenantId: string;
  now: Date;
}

interface AcceptedDelivery {
  delivery: DeliveryRecord;
  outbox: OutboxEntry[];
}

/** Makes a delivery due in one database transaction, tells its workflow and answers 202 with it. */
export async function acceptDelivery(
  { caller: { tenantId }, idempotency }: AcceptRequest,
  { db, notifyWorkflows }: Deps,
  makeDue: (scope: DeliveryScope) => Promise<AcceptedDelivery>,
): Promise<EndpointAnswer> {
  const now = new Date();
  // Before the transaction, which must not wait for a second connection.
  const keys = await db.vault.tenantKeys(tenantId);
  let outbox: OutboxEntry[] = [];
  const answer = await withIdempotency(
    db,
    { tenantId, idempotency: idempotency ?? null, now },
    async (tx) => {
      const accepted = await makeDue({ tx, keys, tenantId, now });
      outbox = accepted.outbox;
      return { status: 202, body: viewDelivery(accepted.delivery), sealer: { tenantId, keys } };
    },
  );
  if (answer.replayed) return replayOf(answer);
  notifyWorkflows(outbox);
  return { status: answer.status, body: answer.body };
}
