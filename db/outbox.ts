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

// The tenants are found one after the other in the index, each by one look; so none is hidden behind the rows of another. Their
// entries are given as an array, since the planner guesses the number of joined ones and would read the whole table for them.
const CLAIM_DUE = `
  with recursive tenants as (
    (select tenant_id from outbox where (select min(due_at) from outbox) <= now() order by tenant_id limit 1)
    union all
    select (select o.tenant_id from outbox o where o.tenant_id > t.tenant_id order by o.tenant_id limit 1)
    from tenants t where t.tenant_id is not null
  ), waiting as materialized (
    select tenant_id from tenants t where (select min(due_at) from outbox o where o.tenant_id = t.tenant_id) <= now()
  ), due as (
    select oldest.id, oldest.due_at, row_number() over (partition by w.tenant_id order by oldest.due_at, oldest.id) as place
    from waiting w cross join lateral (
      select id, due_at from outbox o where o.tenant_id = w.tenant_id and o.due_at <= now()
      order by o.due_at, o.id limit (select ceil($1 / greatest(count(*), 1)::numeric)::int from waiting)
    ) oldest
  ), chosen as (
    select id from outbox
    where id = any(array(select id from due order by place, due_at, id limit $1)) and due_at <= now()
    for update skip locked
  )
  update outbox o set attempts = o.attempts + 1, due_at = now() + make_interval(secs => $2)
  from chosen where o.id = chosen.id
  returning o.id, o.tenant_id, o.workflow, o.subject_id, o.summary, o.resource_id`;

/**
 * Claims due rows for one relay round, fair among all tenants that have some: the oldest of each before the second of any.
 * Rows of a relay that dies become due again.
 */
export async function claimDueEntries(db: Queryable, limit: number): Promise<OutboxEntry[]> {
  const { rows } = await db.query<OutboxRow>({
    name: 'claim-due-outbox',
    text: CLAIM_DUE,
    values: [limit, CLAIM_SECONDS],
  });
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
