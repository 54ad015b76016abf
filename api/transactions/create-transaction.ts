import { dropStaleKey, findKeptAnswer } from '../../db/idempotency.ts';
import { newId } from '../../db/new-id.ts';
import { findTransactionByReference } from '../../db/transactions/find-transaction.ts';
import { uniqueViolation } from '../../db/database.ts';
import type { CreateOutcome, CreateRequest } from '../../db/transactions/create-transactions.ts';
import { DomainError } from '../../domain/errors.ts';
import { newTransaction } from '../../domain/transactions/new-transaction.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { CreateTransactionBody, Transaction } from '../../domain/transactions/schema.ts';
import { viewTransaction } from '../../domain/transactions/view-transaction.ts';
import { actorOf } from '../actor-of.ts';
import type { Deps, TenantCaller } from '../deps.ts';
import { defineEndpoint } from '../endpoint.ts';
import { replayOf } from '../replay.ts';

export const createTransaction = defineEndpoint({
  method: 'POST',
  path: '/transactions',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Transactions',
  summary: 'Send a Travel Rule message, or record an incoming transfer',
  description:
    'An OUTGOING message is stored and answered at once; finding the beneficiary VASP and delivering follow, and every ' +
    'change is told by webhook. With direction INCOMING the tenant records a transfer that it received, with as much ' +
    'data as it has. Without `blockchain` the main chain of the asset is meant.',
  body: CreateTransactionBody,
  responses: { 201: { description: 'Accepted and stored.', schema: Transaction } },
  errors: ['conflict'],
  async handle({ body, caller, idempotency }, deps) {
    const now = new Date();
    const { record, event } = newTransaction(body, {
      id: newId(now),
      tenant: { id: caller.tenantId, name: caller.tenant.name, email: caller.tenant.email },
      actor: actorOf(caller),
      now,
      price: deps.priceOf(body.asset),
    });
    const answer = (stored: TransactionRecord) => viewTransaction(stored, caller.tenant.entityId);
    const request = { record, event, idempotency: idempotency ?? null, answer };
    for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
      const outcome = await create(deps, caller, request);
      if (outcome.kind === 'CREATED') {
        deps.tell(outcome.poke ? [outcome.poke] : []);
        return { status: 201, body: answer(outcome.record) };
      }
      const kept = idempotency && (await findKeptAnswer(deps.db, caller.tenantId, idempotency));
      if (kept) return replayOf(kept);
      // A request of the day before had the key.
      if (idempotency) await dropStaleKey(deps.db.pool, caller.tenantId, idempotency.key);
    }
    throw new DomainError('temporarily_unavailable', 'Try again.', { retryAfterSeconds: 1 });
  },
});

/** A stale key costs a second try, somebody who takes the freed one a third. */
const MAX_TRIES = 3;

async function create(deps: Deps, caller: TenantCaller, request: CreateRequest): Promise<CreateOutcome> {
  try {
    return await deps.createTransaction(request);
  } catch (error) {
    if (uniqueViolation(error) !== 'transactions_reference') throw error;
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
