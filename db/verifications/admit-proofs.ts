import type { VerificationFlow } from '../../domain/verifications/state.ts';
import type { Database } from '../database.ts';
import { IS_KEPT } from '../idempotency/idempotency.ts';
import { naturalBatch } from '../natural-batch.ts';
import { unnestRows, unnestValues, type Column } from '../columns.ts';
import { countAttemptsSql, type CountedAttempt } from './count-attempt.ts';
import { openVerificationRow } from './find-verification.ts';
import type { RecordRow } from '../records/record-table.ts';
import { READ_COLUMNS, type OpenVerification } from './row.ts';

/** A proof that has just arrived. */
export interface ArrivingProof {
  tenantId: string;
  id: string;
  flow: VerificationFlow;
  /** The Idempotency-Key of the proof, if any. */
  key: string | null;
  /** True when it was counted before, while its files arrived. */
  wasCounted: boolean;
  now: Date;
}

export interface AdmittedProof {
  /** A response is stored under its Idempotency-Key; nothing was counted. */
  isRepeat: boolean;
  /** Undefined when the verification does not exist, is deleted or belongs to another tenant. */
  open: OpenVerification | undefined;
  /** Null when it was not counted, because the record does not accept such a proof. */
  attempt: CountedAttempt | null;
}

type AdmittedRow = RecordRow & { is_repeat: boolean; attempts: number | null; window_started_at: Date };

/** Proofs of a batch are checked one after the other, 2 ms each, and delay everything that arrives meanwhile. */
const MAX_SIZE = 8;

/**
 * Reads the verifications of arriving proofs and counts each proof that will be checked. Proofs that arrive together
 * share one statement.
 */
export function proofAdmission(db: Database): (proof: ArrivingProof) => Promise<AdmittedProof> {
  const admit = naturalBatch<ArrivingProof, AdmittedRow | undefined>({
    maxSize: MAX_SIZE,
    concurrency: 2,
    gather: true,
    run: async (batch) => await admitAll(db, batch),
  });
  return async (proof) => {
    const row = await admit(proof);
    if (!row) throw new Error('a proof got no answer');
    // A row that cannot be opened fails its own request, not the others of the batch.
    const open = row.id === null ? undefined : await openVerificationRow(db, row);
    const { is_repeat: isRepeat, attempts, window_started_at } = row;
    return { isRepeat, open, attempt: attempts === null ? null : { attempts, window_started_at } };
  };
}

const columns: Column<ArrivingProof & { place: number }>[] = [
  { name: 'place', type: 'int', value: (proof) => proof.place },
  { name: 'tenant_id', type: 'uuid', value: (proof) => proof.tenantId },
  { name: 'id', type: 'uuid', value: (proof) => proof.id },
  { name: 'flow', type: 'text', value: (proof) => proof.flow },
  { name: 'key', type: 'text', value: (proof) => proof.key },
  { name: 'was_counted', type: 'boolean', value: (proof) => proof.wasCounted },
  { name: 'arrived_at', type: 'timestamptz', value: (proof) => proof.now },
];

// Several proofs of one verification may arrive together: `nth` gives each its own number. Counts only what the
// record would accept. Counters are locked in the order of ids, whatever the order of arrival.
const ADMIT = `
  with arriving as materialized (
    select r.*, r.key is not null and exists (
      select 1 from idempotency_keys i where i.tenant_id = r.tenant_id and i.key = r.key and i.${IS_KEPT}) as is_repeat
    from ${unnestRows(columns)}
  ), due as materialized (
    select r.place, v.id, v.tenant_id, r.arrived_at, count(*) over same as proofs,
      row_number() over (same order by r.place) as nth
    from arriving r join verifications v on v.id = r.id and v.tenant_id = r.tenant_id
    where not r.is_repeat and not r.was_counted and v.status = 'PENDING' and v.deleted_at is null
      and v.expires_at > r.arrived_at and v.allowed_flows ? r.flow
    window same as (partition by v.id)
  ), counted as (
    ${countAttemptsSql('select id, tenant_id, arrived_at, proofs from due where nth = 1 order by id')}
  )
  select ${READ_COLUMNS}, r.is_repeat, (c.attempts - d.proofs + d.nth)::int as attempts, c.window_started_at
  from arriving r
  left join verifications v on v.id = r.id and v.tenant_id = r.tenant_id and v.deleted_at is null
  left join due d on d.place = r.place
  left join counted c on c.verification_id = d.id
  order by r.place`;

async function admitAll(db: Database, batch: readonly ArrivingProof[]): Promise<AdmittedRow[]> {
  const placed = batch.map((proof, place) => ({ ...proof, place }));
  const { rows } = await db.pool.query<AdmittedRow>({
    name: 'admit-proofs',
    text: ADMIT,
    values: unnestValues(columns, placed),
  });
  return rows;
}
