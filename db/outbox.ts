import { insertSql, unnestValues, type Column } from './columns.ts';
import type { Queryable } from './postgres.ts';

type WorkflowName =
  | 'brakeRelease'
  | 'claimRequest'
  | 'dataExport'
  | 'mailDelivery'
  | 'reportGeneration'
  | 'ruleBacktest'
  | 'selfieAnalysis'
  | 'tenantErasure'
  | 'transactionLifecycle'
  | 'trpNotice'
  | 'walletRelease'
  | 'walletVerification'
  | 'webhookDelivery';

/**
 * A pending notification of a workflow: written with the change of its row, deleted when the workflow was notified.
 */
export interface OutboxEntry {
  id: number;
  tenantId: string;
  workflow: WorkflowName;
  subjectId: string;
  /** The record that a webhook is about; absent where the workflow serves the record itself. */
  resourceId?: string;
  /** One line for operators, without personal data. */
  summary: string;
}

export type NewOutboxEntry = Omit<OutboxEntry, 'id'>;

/**
 * The API notifies the workflow right after its response; only what it could not deliver becomes due for the relay.
 */
const GRACE_MS = 2_000;

export const outboxColumns = (now: Date): Column<NewOutboxEntry>[] => [
  { name: 'tenant_id', type: 'uuid', value: (entry) => entry.tenantId },
  { name: 'workflow', type: 'text', value: (entry) => entry.workflow },
  { name: 'subject_id', type: 'uuid', value: (entry) => entry.subjectId },
  { name: 'summary', type: 'text', value: (entry) => entry.summary },
  { name: 'resource_id', type: 'uuid', value: (entry) => entry.resourceId ?? null },
  { name: 'due_at', type: 'timestamptz', value: () => new Date(now.getTime() + GRACE_MS) },
];

export interface OutboxRow {
  id: number;
  tenant_id: string;
  workflow: WorkflowName;
  subject_id: string;
  summary: string;
  resource_id: string | null;
}

/** SQL: the columns of an `OutboxRow`. */
export const OUTBOX_COLUMNS = 'id, tenant_id, workflow, subject_id, summary, resource_id';

export function toOutboxEntry(row: OutboxRow): OutboxEntry {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    workflow: row.workflow,
    subjectId: row.subject_id,
    summary: row.summary,
    ...(row.resource_id !== null && { resourceId: row.resource_id }),
  };
}

/** Stores outbox entries in the transaction of the change that they announce. */
export async function insertOutboxEntries(
  tx: Queryable,
  outbox: NewOutboxEntry[],
  now: Date,
): Promise<OutboxEntry[]> {
  if (outbox.length === 0) return [];
  const columns = outboxColumns(now);
  const { rows } = await tx.query<OutboxRow>({
    name: 'insert-outbox',
    text: `${insertSql('outbox', columns)} returning ${OUTBOX_COLUMNS}`,
    values: unnestValues(columns, outbox),
  });
  return rows.map(toOutboxEntry);
}

/** Seconds before a claimed row may be claimed by another relay. */
const CLAIM_SECONDS = 30;

/**
 * Claims due rows for one relay round, oldest first but fair: no tenant gets more than `perTenant` of them. Rows of a
 * relay that dies become due again.
 */
export async function claimDueEntries(
  db: Queryable,
  limit: number,
  perTenant: number,
): Promise<OutboxEntry[]> {
  const { rows } = await db.query<OutboxRow>(
    `with due as (
       select id, row_number() over (partition by tenant_id order by due_at, id) as place
       from (select id, tenant_id, due_at from outbox where due_at <= now() order by due_at limit $1 * 20) oldest
     ), chosen as (
       select o.id from outbox o join due on due.id = o.id
       where due.place <= $2 and o.due_at <= now() order by due.place, o.id limit $1 for update of o skip locked
     )
     update outbox o set attempts = o.attempts + 1, due_at = now() + make_interval(secs => $3)
     from chosen where o.id = chosen.id
     returning o.id, o.tenant_id, o.workflow, o.subject_id, o.summary, o.resource_id`,
    [limit, perTenant, CLAIM_SECONDS],
  );
  return rows.map(toOutboxEntry);
}

/** SQL: the rows that wait for the relay, including those it has just claimed, without those scheduled for later. */
export const WAITING_ENTRIES = `outbox where due_at < now() + interval '1 minute' order by due_at`;

/** Deletes rows whose workflow was notified. */
export async function deleteOutboxEntries(db: Queryable, ids: readonly number[]): Promise<void> {
  const text = 'delete from outbox where id = any($1::bigint[])';
  await db.query({ name: 'delete-outbox', text, values: [ids] });
}

/** Makes rows whose workflow could not be notified due again after the delay. */
export async function postponeOutboxEntries(
  db: Queryable,
  ids: readonly number[],
  delayMs: number,
): Promise<void> {
  await db.query(
    `update outbox set due_at = now() + make_interval(secs => $2::numeric / 1000) where id = any($1::bigint[])`,
    [ids, delayMs],
  );
}
