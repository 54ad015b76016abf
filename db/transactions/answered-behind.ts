import type { RecordChange } from '../../domain/transactions/change.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { isPassedUnscreened, markForLists } from '../../domain/transactions/screening-due.ts';
import type { Queryable } from '../postgres.ts';
import { keepComparisons } from '../sanctions-lists/version-lock.ts';
import { isBehindLists } from './compared-lists.ts';
import { comparedWith, hasNewName } from './compared-names.ts';
import type { OpenTransaction } from './row.ts';

/**
 * The change of a sent message that its receiver confirms: where a false positive was taken back, a list got a new version or the
 * directory a name of the receiver since the message was screened, it is screened again, and its coins wait for that. One that is
 * held waits for its reviewer, who is shown that first; one that a reviewer has let pass without a screening, and that had none since,
 * needs none now.
 */
export async function comparedWhenConfirmed<Change extends RecordChange | null>(
  tx: Queryable,
  { open, change }: { open: OpenTransaction | null | undefined; change: Change },
  now: Date,
): Promise<Change> {
  if (!open || !change || !isJustConfirmed(open, change)) return change;
  const { record } = open;
  if (isPassedUnscreened(record) && (await comparedWith({ pool: tx }, open)) === null) return change;
  // What is taken back or comes after this look would wake nothing any more.
  await keepComparisons(tx, [record.tenantId]);
  const isBehind =
    (await isBehindLists(tx, record)) || (await hasNewName({ pool: tx }, open, await receiverOf(tx, record)));
  return isBehind ? { ...change, after: markForLists(change.after, now), wakesWorkflow: true } : change;
}

/** The entity of the receiver: where nobody knew it when the message went out, the only other one that has its name by now. */
async function receiverOf(tx: Queryable, record: TransactionRecord): Promise<string | null> {
  const { tenantId, id, counterpartyEntityId } = record;
  if (counterpartyEntityId !== null) return counterpartyEntityId;
  const { rows } = await tx.query<{ id: string }>({
    name: 'named-receiver',
    text: `select min(coalesce(e.master_entity_id, e.id)::text) as id
      from transactions o
        join tenants s on s.id = o.tenant_id
        join entity_names n on n.folded = o.beneficiary_vasp_folded and n.kind <> 'LEGAL'
        join entities e on e.id = n.entity_id
      where o.tenant_id = $1 and o.id = $2
      having count(distinct coalesce(e.master_entity_id, e.id)) = 1
        and bool_and(coalesce(e.master_entity_id, e.id) is distinct from s.entity_id)`,
    values: [tenantId, id],
  });
  return rows[0]?.id ?? null;
}

function isJustConfirmed({ record }: OpenTransaction, { after }: RecordChange): boolean {
  const isConfirmed = record.status !== 'CONFIRMED' && after.status === 'CONFIRMED';
  const isSent = record.direction === 'OUTGOING' && record.pairId !== null;
  return isSent && isConfirmed && after.hold === null;
}
