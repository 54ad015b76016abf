import type { VerificationRecord } from '../../domain/verifications/record.ts';
import type { Queryable } from '../postgres.ts';
import { type OutboxEntry, insertOutboxEntries } from '../outbox.ts';
import { lifecycleEntry } from './lifecycle-entry.ts';

type ProvenWallet = Pick<VerificationRecord, 'tenantId' | 'addressNormal' | 'blockchainKey'>;

interface WokenRow {
  id: string;
  tenant_id: string;
  asset: string;
  direction: 'OUTGOING' | 'INCOMING';
}

// Two arms, since each has an index of its own. Only the tenant that holds the proof has anything of it. Those that are
// just being decided are among them: whoever decides holds the row, and is waited for here or waits for this.
const OPEN = `t.status = 'PENDING' and t.sub_status in ('ROUTING', 'OWNERSHIP_UNCONFIRMED', 'WAITING') and t.deleted_at is null`;
const WAITS = `t.tenant_id = p.tenant_id and t.blockchain_key = p.blockchain_key and ${OPEN}`;
const WAKE = `
  with proven as materialized (
    select * from unnest($1::uuid[], $2::text[], $3::text[]) as p(tenant_id, address_normal, blockchain_key)
  ), waiting as (
    select t.id from proven p join transactions t on t.destination_normal = p.address_normal and ${WAITS}
      and t.direction = 'OUTGOING' and t.destination_type = 'NON_CUSTODIAL'
    union
    select t.id from proven p join transactions t on t.origin_normal = p.address_normal and ${WAITS}
      and t.direction = 'INCOMING' and t.origin_type = 'NON_CUSTODIAL'
  )
  update transactions t set wake_at = $4,
    screening_state = case when t.screening_state = 'CLEARED' then 'DUE' else t.screening_state end,
    screening_due_since = case when t.screening_state in ('CLEARED', 'DUE') then $4 else t.screening_due_since end
  from waiting w
  where t.id = w.id and ${OPEN}
  returning t.id, t.tenant_id, t.asset, t.direction`;

/**
 * Lets the tenant's transfers that wait for a proof of these wallets be looked at again. Runs in the transaction that
 * accepts the proofs.
 */
export async function wakeSelfHosted(
  tx: Queryable,
  proven: readonly ProvenWallet[],
  now: Date,
): Promise<OutboxEntry[]> {
  if (proven.length === 0) return [];
  const { rows } = await tx.query<WokenRow>({
    name: 'wake-self-hosted',
    text: WAKE,
    values: [
      proven.map((record) => record.tenantId),
      proven.map((record) => record.addressNormal),
      proven.map((record) => record.blockchainKey),
      now,
    ],
  });
  const outbox = rows.map(({ id, tenant_id: tenantId, asset, direction }) =>
    lifecycleEntry({ id, tenantId, asset, direction }),
  );
  return await insertOutboxEntries(tx, outbox, now);
}
