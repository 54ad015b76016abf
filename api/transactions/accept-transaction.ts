import { dropStaleKey, findKeptAnswer } from '../../db/idempotency/idempotency.ts';
import { findTransactionByReference } from '../../db/transactions/find-transaction.ts';
import { uniqueViolation } from '../../db/postgres.ts';
import type { CreateOutcome, CreateRequest } from '../../db/transactions/create-transactions.ts';
import { DomainError } from '../../domain/errors.ts';
import type { EventDraft } from '../../domain/events/event.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { viewTransaction } from '../../domain/transactions/viewing/view-transaction.ts';
import type { Deps, IdempotentCall, TenantCaller } from '../deps.ts';
import type { EndpointAnswer } from '../middleware/send-answer.ts';
import { replayOf } from '../replay.ts';

interface NewTransaction {
  record: TransactionRecord;
  event: EventDraft;
}

/** A stale key costs a second try, somebody who takes the freed one a third. */
const MAX_TRIES = 3;

/** Stores a new transaction once, tells its workflow and answers 201; a twin of the request gets the kept answer. */
export async function acceptTransaction(
  deps: Deps,
  caller: TenantCaller,
  { record, event }: NewTransaction,
  idempotency: IdempotentCall | undefined,
): Promise<EndpointAnswer> {
  const answer = (stored: TransactionRecord) => viewTransaction(stored, caller.tenant.entityId);
  const request = { record, event, idempotency: idempotency ?? null, answer };
  for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
    const outcome = await create(deps, caller, request);
    if (outcome.kind === 'CREATED') {
      deps.notifyWorkflows(outcome.entry ? [outcome.entry] : []);
      return { status: 201, body: answer(outcome.record) };
    }
    const kept = idempotency && (await findKeptAnswer(deps.db, caller.tenantId, idempotency));
    if (kept) return replayOf(kept);
    // A request of the day before had the key.
    if (idempotency) await dropStaleKey(deps.db.pool, caller.tenantId, idempotency.key);
  }
  throw new DomainError('temporarily_unavailable', 'Try again.', { retryAfterSeconds: 1 });
}

async function create(deps: Deps, caller: TenantCaller, request: CreateRequest): Promise<CreateOutcome> {
  try {
    return await deps.createTransaction(request);
  } catch (error) {
    const violated = uniqueViolation(error);
    if (violated === 'transactions_resubmission')
      throw new DomainError(
        'conflict',
        'It was submitted again already, and that transaction is still open or done.',
      );
    if (violated !== 'transactions_reference') throw error;
    throw await referenceTaken(deps, caller.tenantId, request.record.reference ?? '');
  }
}

/** Names the record that has the reference, unless it was deleted. */
async function referenceTaken(deps: Deps, tenantId: string, reference: string): Promise<DomainError> {
  const id = await findTransactionByReference(deps.db.pool, tenantId, reference);
  return new DomainError(
    'conflict',
    'A transaction with this reference exists already.',
    id ? { members: { id } } : {},
  );
}
