import { OUTBOX_COLUMNS, toOutboxEntry, type OutboxEntry, type OutboxRow } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';

/**
 * Starts the workflows that tell other VASPs what has changed of these records of the gateway, if they do not know that. A
 * record that has just been delivered needs none: the other VASP has it. A message that was withdrawn before its delivery has no
 * such record: it stands here itself.
 */
export async function insertTrpNotices(
  tx: Queryable,
  recordIds: readonly string[],
  now: Date,
): Promise<OutboxEntry[]> {
  if (recordIds.length === 0) return [];
  const { rows } = await tx.query<OutboxRow>({
    name: 'insert-trp-notices',
    text: `
      with changed as (
        update trp_transfers set wake_at = $2
        where sent_id = any($1::uuid[] || array(select outgoing_id from message_pairs where incoming_id = any($1::uuid[])))
        returning id, tenant_id, coalesce(replaced_for, sent_id) as message_id
      )
      insert into outbox (tenant_id, workflow, subject_id, summary, resource_id, due_at)
      select tenant_id, 'trpNotice', id, 'Notice to a VASP by TRP', message_id, $2::timestamptz + interval '2 seconds' from changed
      returning ${OUTBOX_COLUMNS}`,
    values: [recordIds, now],
  });
  return rows.map(toOutboxEntry);
}
