import { DomainError } from '../../domain/errors.ts';
import {
  isSameAct,
  PROPOSAL_DAYS,
  type ProposalKind,
  type ProposalRecord,
} from '../../domain/proposals/proposal.ts';
import type { TenantCaller } from '../../domain/tenants/caller.ts';
import { findMakerOfKey } from '../api-keys/find-maker.ts';
import { newId } from '../new-id.ts';
import type { Queryable } from '../postgres.ts';
import { isProven } from '../users/proven-users.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { PROPOSAL_STATUS } from './proposal-status.ts';
import { readProposal } from './read-proposals.ts';

/** An act that needs two people, as one of them asks for it. */
interface ProposedAct {
  kind: ProposalKind;
  subjectId: string;
  /** Tells several acts on one subject apart. */
  detail?: string;
  /** The state of the subject that is decided on; another one ends the proposal. */
  basis: string;
  /** The body of the request. */
  request: object;
}

/** Who asks for the act. Their keys are loaded before: loading takes a second connection. */
interface ActingCaller {
  caller: Pick<TenantCaller, 'tenantId' | 'actor'>;
  keys: TenantKeys;
  now: Date;
  /** The proposal that is approved by its id; null where the request is the act itself. */
  approves: string | null;
}

export interface ProposalOutcome {
  /** True for the second person: the act is to be carried out in this transaction. */
  isAgreed: boolean;
  proposal: ProposalRecord;
}

/**
 * Proposes an act, or agrees to the proposal of it that waits, which is carried out then: of two people who agree at once one
 * comes second and finds no proposal. Call it in the transaction of the act. Throws conflict for the proposer, for whoever made
 * the proposing key, for a key that does not propose first, and where another act on the subject waits; forbidden for a user
 * who never set a password by a mailed link.
 */
export async function proposeOrAgree(
  tx: Queryable,
  act: ProposedAct,
  by: ActingCaller,
): Promise<ProposalOutcome> {
  await endOutdated(tx, act, by);
  const waiting = await lockWaiting(tx, act, by);
  const id = waiting?.id ?? (await propose(tx, act, by));
  if (waiting) await agree(tx, waiting, act, by);
  const { tenantId } = by.caller;
  return {
    isAgreed: waiting !== undefined,
    proposal: await readProposal(tx, { tenantId, id, keys: by.keys }),
  };
}

const OF_ACT = 'p.tenant_id = $1 and p.kind = $2 and p.subject_id = $3 and p.detail = $4';

function placeOf({ kind, subjectId, detail = '' }: ProposedAct, { caller }: ActingCaller): unknown[] {
  return [caller.tenantId, kind, subjectId, detail];
}

/** Stores that a proposal has ended by itself, which makes room for the next. */
async function endOutdated(tx: Queryable, act: ProposedAct, by: ActingCaller): Promise<void> {
  await tx.query(
    `update proposals p set status = ${PROPOSAL_STATUS}, ended_at = $5
     where ${OF_ACT} and p.status = 'WAITING' and ${PROPOSAL_STATUS} <> 'WAITING'`,
    [...placeOf(act, by), by.now],
  );
}

/** Stores it for others whose time is over, so that few rows look as if they waited. */
async function endExpired(tx: Queryable, tenantId: string, now: Date): Promise<void> {
  await tx.query(
    `update proposals set status = 'EXPIRED', ended_at = $2 where id = any(array(
       select id from proposals where tenant_id = $1 and status = 'WAITING' and expires_at <= now()
       limit 100 for update skip locked))`,
    [tenantId, now],
  );
}

interface WaitingRow {
  id: string;
  proposed_by: string;
  person_id: string | null;
}

async function lockWaiting(
  tx: Queryable,
  act: ProposedAct,
  by: ActingCaller,
): Promise<WaitingRow | undefined> {
  const { rows } = await tx.query<WaitingRow>(
    `select p.id, p.proposed_by, p.person_id from proposals p where ${OF_ACT} and p.status = 'WAITING' for update`,
    placeOf(act, by),
  );
  if (by.approves !== null && rows[0]?.id !== by.approves) {
    throw new DomainError('conflict', 'This proposal does not wait any more.');
  }
  return rows[0];
}

async function propose(tx: Queryable, act: ProposedAct, by: ActingCaller): Promise<string> {
  const { caller, now } = by;
  const { tenantId, actor } = caller;
  const id = newId(now);
  await endExpired(tx, tenantId, now);
  const personId = actor.kind === 'USER' ? actor.id : await findMakerOfKey(tx, { tenantId, keyId: actor.id });
  const { rowCount } = await tx.query(
    `insert into proposals (tenant_id, kind, subject_id, detail, id, basis, request, proposed_by_kind, proposed_by,
       person_id, status, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'WAITING', $11::timestamptz,
       $11::timestamptz + make_interval(days => $12))
     on conflict do nothing`,
    [
      ...placeOf(act, by),
      id,
      act.basis,
      await sealRequest(tx, id, act, by),
      actor.kind,
      actor.id,
      personId,
      now,
      PROPOSAL_DAYS,
    ],
  );
  if (!rowCount)
    throw new DomainError('conflict', 'Somebody else proposed this just now: read GET /proposals.');
  return id;
}

/** What belongs to a transaction is sealed by its key, so that it is erased with it. */
async function sealRequest(
  tx: Queryable,
  id: string,
  { kind, subjectId, request }: ProposedAct,
  { caller: { tenantId }, keys }: ActingCaller,
): Promise<Buffer | null> {
  const context = sealingContext.proposal.request(tenantId, id);
  if (kind !== 'REVIEW') return keys.seal(context, request);
  const { rows } = await tx.query<{ record_key: Buffer | null }>(
    'select record_key from transactions where tenant_id = $1 and id = $2',
    [tenantId, subjectId],
  );
  const wrapped = rows[0]?.record_key ?? null;
  const recordContext = sealingContext.transaction.key({ tenantId, id: subjectId });
  return wrapped && keys.openRecordKey(wrapped, recordContext).seal(context, request);
}

async function agree(
  tx: Queryable,
  waiting: WaitingRow,
  act: ProposedAct,
  { caller: { tenantId, actor }, keys, now }: ActingCaller,
): Promise<void> {
  const { kind, request } = await readProposal(tx, { tenantId, id: waiting.id, keys });
  if (!isSameAct(kind, request, act.request)) {
    throw waits(waiting, 'Another change of this waits for a second person: refuse or withdraw it first.');
  }
  if (actor.kind === 'API_KEY') {
    throw waits(waiting, 'This was proposed already: a user has to agree, an API key only proposes.');
  }
  if (actor.id === waiting.proposed_by || actor.id === waiting.person_id) {
    throw waits(waiting, 'Somebody else has to agree: you, or a key that you made, proposed it.');
  }
  if (!(await isProven(tx, tenantId, actor.id))) {
    throw new DomainError(
      'forbidden',
      'A second person has set their password by a link of a mail: ask for one (POST /auth/password-reset).',
    );
  }
  await tx.query(
    `update proposals set status = 'CARRIED_OUT', ended_by_kind = 'USER', ended_by = $3, ended_at = $4
     where tenant_id = $1 and id = $2`,
    [tenantId, waiting.id, actor.id, now],
  );
}

function waits({ id }: WaitingRow, text: string): DomainError {
  return new DomainError('conflict', text, { members: { id } });
}
