import { createHash } from 'node:crypto';
import type pg from 'pg';
import { isProviderFaultCode, type ProviderFaultCode } from '../../domain/aml/fault.ts';
import type { AmlSubject } from '../../domain/aml/finding.ts';
import type { ProviderCode } from '../../domain/aml/service-key.ts';
import { insertRow } from '../columns.ts';
import { type Database } from '../database.ts';
import { newId } from '../new-id.ts';
import { CHECK_COLUMNS, type CheckRow } from './check-row.ts';
import { inTransaction, type Queryable } from '../postgres.ts';

export interface CheckRequest {
  tenantId: string;
  provider: ProviderCode;
  subject: AmlSubject;
  /** The API key that requested the check; null for the service itself. */
  createdBy: string | null;
  /** A stored result is reused only when it was fetched after this moment; undefined: until it expires. */
  fetchedAfter?: Date | undefined;
  recheckOf?: string | undefined;
}

/** What the caller of claimCheck has to do next. */
export type CheckClaim =
  | { kind: 'STORED'; row: CheckRow }
  /** The provider charged for a recent response that could not be read. */
  | { kind: 'FAILED'; fault: ProviderFaultCode }
  /** Another caller is asking the provider: wait for this row. */
  | { kind: 'WAIT'; id: string }
  /** Ask the provider and complete this row; `reread` is the provider's id of a check that it already has. */
  | { kind: 'ASK'; id: string; reread: string | null };

/**
 * Longer than a provider request with all its retries: a lease that is still held afterwards belongs to a process
 * that died.
 */
const LEASE_MS = 60_000;

/**
 * Decides in one transaction who asks the provider. An advisory lock serialises claims of the same check, and the row
 * is committed before anything is sent.
 */
export async function claimCheck(db: Database, request: CheckRequest, now: Date): Promise<CheckClaim> {
  const key = requestKey(request.subject);
  return await inTransaction(db.pool, async (tx) => {
    await lockQuestion(tx, request, key);
    const latest = await findLatest(tx, request, key);
    const claim = latest && claimOf(latest, request, now);
    if (claim) return claim;
    if (latest && isRetryable(latest)) return await takeOver(tx, latest, now);
    return await insertCheck(tx, request, { key, latest, now });
  });
}

/** Claims the row of a stored result, so that the provider is asked again and the row is updated in place. */
export async function claimRow(db: Database, check: StoredQuestion, now: Date): Promise<CheckClaim> {
  const key = requestKey(check.subject);
  return await inTransaction(db.pool, async (tx) => {
    await lockQuestion(tx, check, key);
    const latest = await findLatest(tx, check, key);
    if (latest?.state === 'PENDING' && isLeased(latest, now)) return { kind: 'WAIT', id: latest.id };
    if (latest?.state === 'PENDING' && latest.id !== check.id) await giveUp(tx, latest);
    const { rows } = await tx.query<CheckRow>(
      `select ${CHECK_COLUMNS} from aml_checks where tenant_id = $1 and id = $2`,
      [check.tenantId, check.id],
    );
    if (!rows[0]) throw new Error('the check is gone');
    return await takeOver(tx, rows[0], now);
  });
}

type StoredQuestion = Pick<CheckRequest, 'tenantId' | 'provider' | 'subject'> & { id: string };

async function lockQuestion(
  tx: Queryable,
  { tenantId, provider }: Pick<CheckRequest, 'tenantId' | 'provider'>,
  key: Buffer,
): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `aml:${tenantId}:${provider}:${key.toString('hex')}`,
  ]);
}

/**
 * Ends a pending row whose process died, when another row of the same check is asked instead: one check never runs
 * twice.
 */
async function giveUp(tx: Queryable, { tenant_id: tenantId, id }: CheckRow): Promise<void> {
  await tx.query(
    `update aml_checks set state = case when sealed is null then 'FAILED' else 'DONE' end, fault = 'CONNECTION_LOST',
       lease_until = null
     where tenant_id = $1 and id = $2`,
    [tenantId, id],
  );
}

/** The SHA-256 key by which stored checks of one subject are found; every process computes the same. */
export function requestKey({ kind, blockchain, value, direction, contextAddress }: AmlSubject): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([kind, blockchain, value, direction, contextAddress]))
    .digest();
}

async function findLatest(
  tx: Queryable,
  { tenantId, provider }: Pick<CheckRequest, 'tenantId' | 'provider'>,
  key: Buffer,
): Promise<CheckRow | undefined> {
  const { rows } = await tx.query<CheckRow>(
    `select ${CHECK_COLUMNS} from aml_checks where tenant_id = $1 and provider = $2 and request_key = $3
     order by (state = 'PENDING') desc, created_at desc, id desc limit 1`,
    [tenantId, provider, key],
  );
  return rows[0];
}

/** The claim that the latest row already answers; undefined when the provider has to be asked. */
function claimOf(row: CheckRow, { fetchedAfter }: CheckRequest, now: Date): CheckClaim | undefined {
  if (row.state === 'PENDING') return isLeased(row, now) ? { kind: 'WAIT', id: row.id } : undefined;
  const isGood = fetchedAfter
    ? row.fetched_at !== null && row.fetched_at >= fetchedAfter
    : row.expires_at !== null && row.expires_at > now;
  if (!isGood) return undefined;
  if (row.state === 'DONE') return { kind: 'STORED', row };
  return isProviderFaultCode(row.fault) ? { kind: 'FAILED', fault: row.fault } : undefined;
}

function isLeased(row: CheckRow, now: Date): boolean {
  return row.lease_until !== null && row.lease_until > now;
}

// The process died, or its request failed without a charge: the row is reused, one per subject is enough.
function isRetryable(row: CheckRow): boolean {
  return row.state === 'PENDING' || (row.state === 'FAILED' && row.credits === 0);
}

/**
 * Takes over a row. `repeated` records that the response of the earlier request may have been lost after the provider
 * charged for it.
 */
async function takeOver(tx: Queryable, row: CheckRow, now: Date): Promise<CheckClaim> {
  await tx.query(
    `update aml_checks set state = 'PENDING', lease_until = $3, attempts = attempts + 1, fault = null,
       repeated = repeated or (provider_ref is null
         and (state = 'PENDING' or coalesce(fault, '') in ('TIMED_OUT', 'CONNECTION_LOST')))
     where tenant_id = $1 and id = $2`,
    [row.tenant_id, row.id, leaseUntil(now)],
  );
  return { kind: 'ASK', id: row.id, reread: row.provider_ref };
}

async function insertCheck(
  tx: pg.PoolClient,
  { tenantId, provider, subject, createdBy, recheckOf }: CheckRequest,
  { key, latest, now }: { key: Buffer; latest: CheckRow | undefined; now: Date },
): Promise<CheckClaim> {
  const id = newId(now);
  // The provider was still working on the check: reading its result again is not a new order.
  const reread = latest?.state === 'DONE' && latest.status === 'PENDING' ? latest.provider_ref : null;
  await tx.query(
    insertRow('aml_checks', {
      id,
      tenant_id: tenantId,
      provider,
      request_key: key,
      kind: subject.kind,
      blockchain: subject.blockchain,
      value: subject.value,
      direction: subject.direction,
      context_address: subject.contextAddress,
      state: 'PENDING',
      lease_until: leaseUntil(now),
      provider_ref: reread,
      recheck_of: recheckOf ?? null,
      created_at: now,
      created_by: createdBy,
    }),
  );
  return { kind: 'ASK', id, reread };
}

function leaseUntil(now: Date): Date {
  return new Date(now.getTime() + LEASE_MS);
}
