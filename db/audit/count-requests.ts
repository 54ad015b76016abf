import { unnestRows, unnestValues, columnNames, type Column } from '../columns.ts';
import { OPERATORS } from '../idempotency/operator-scope.ts';
import type { Queryable } from '../postgres.ts';

/** Requests of one kind that were counted in one hour. */
export interface RequestCount {
  /** Null for the log of the deployment. */
  tenantId: string | null;
  hour: Date;
  /** The key that sent them; null for callers who are unknown. */
  apiKeyId: string | null;
  operation: string;
  /** The error code of refusals; null for requests that succeeded. */
  code: string | null;
  recordId: string | null;
  requests: number;
}

const columns: Column<RequestCount>[] = [
  { name: 'tenant_id', type: 'uuid', value: (count) => count.tenantId ?? OPERATORS },
  { name: 'hour', type: 'timestamptz', value: (count) => count.hour },
  { name: 'actor', type: 'text', value: (count) => (count.apiKeyId === null ? 'UNKNOWN' : 'API_KEY') },
  { name: 'api_key_id', type: 'text', value: (count) => count.apiKeyId ?? '' },
  { name: 'operation', type: 'text', value: (count) => count.operation },
  { name: 'code', type: 'text', value: (count) => count.code ?? '' },
  { name: 'record_id', type: 'text', value: (count) => count.recordId ?? '' },
  { name: 'requests', type: 'bigint', value: (count) => count.requests },
];

/**
 * SQL: whether a row is as `addRequestCounts` writes it: what an API key read, or how often somebody unknown was refused. The role of the
 * service may add others, and the worker must give none a MAC.
 */
export const IS_COUNT = `
  isfinite(hour) and requests > 0 and case actor
    when 'API_KEY' then api_key_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' and code = '' and record_id = ''
    when 'UNKNOWN' then api_key_id = '' and code <> ''
    else false end`;

// In one order, so that processes which add to the same counts do not wait for each other in a circle.
const ADD = `
  insert into audit_counts as c (${columnNames(columns)})
  select ${columnNames(columns)} from ${unnestRows(columns)} order by ${columnNames(columns)}
  on conflict (hour, tenant_id, actor, api_key_id, operation, code, record_id)
  do update set requests = c.requests + excluded.requests`;

/** Adds to the counts of an hour. No two of `counts` may be about the same requests. */
export async function addRequestCounts(db: Queryable, counts: readonly RequestCount[]): Promise<void> {
  await db.query(ADD, unnestValues(columns, counts));
}
