import { newId } from '../new-id.ts';
import { OUTBOX_COLUMNS, toOutboxEntry, type OutboxEntry, type OutboxRow } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';

/**
 * Sets the inquiry of a message aside that goes another way now, and starts the workflow that tells its VASP. Whether that has
 * the inquiry may not be known: it is told once it has answered.
 */
export async function replaceInquiry(tx: Queryable, sentId: string, now: Date): Promise<OutboxEntry[]> {
  const { rows } = await tx.query<OutboxRow>({
    name: 'replace-inquiry',
    text: `
      with replaced as (
        update trp_transfers set replaced_for = sent_id, sent_id = $2, wake_at = $3, updated_at = $3
        where sent_id = $1 and direction = 'OUTGOING'
        returning id, tenant_id, replaced_for
      )
      insert into outbox (tenant_id, workflow, subject_id, summary, resource_id, due_at)
      select tenant_id, 'trpNotice', id, 'Notice to a VASP by TRP', replaced_for, $3::timestamptz + interval '2 seconds'
      from replaced
      returning ${OUTBOX_COLUMNS}`,
    values: [sentId, newId(now), now],
  });
  return rows.map(toOutboxEntry);
}
