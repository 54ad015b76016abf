import { relateNewRecord } from '../../db/lifecycle/relate-transfer.ts';
import { findMessageOf } from '../../db/lifecycle/same-transfer.ts';
import { newId } from '../../db/new-id.ts';
import { newTransaction } from '../../domain/transactions/new-transaction.ts';
import { CreateTransactionBody, Transaction } from '../../domain/transactions/schema.ts';
import { DUPLICATE_TRANSFER, incompletePartyWarnings } from '../../domain/transactions/viewing/warnings.ts';
import { actorOf } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { defineEndpoint } from '../endpoint.ts';
import { acceptTransaction, type NewTransaction } from './accept-transaction.ts';

export const createTransactionEndpoint = defineEndpoint({
  method: 'POST',
  path: '/transactions',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'OWN_STATEMENT',
  tag: 'Transactions',
  summary: 'Send a Travel Rule message, or record an incoming transfer',
  description:
    'An OUTGOING message is stored and answered at once. Screening, the search for the beneficiary VASP and delivery ' +
    'follow, and every change is sent by webhook. With direction INCOMING, the tenant records a transfer that it has ' +
    'received, with the data that it has: a message of the originator VASP that it names completes it. If a message ' +
    'for that transfer came before, `warnings` has `DUPLICATE_TRANSFER` and `relatedTransactionId` names its record. Without `blockchain`, the main chain of the asset is used.',
  body: CreateTransactionBody,
  responses: { 201: { description: 'Accepted and stored.', schema: Transaction } },
  // not_found: the stored answer of an Idempotency-Key is not replayed after its record was deleted.
  errors: ['conflict', 'not_found'],
  async handle({ body, caller, idempotency }, deps) {
    const now = new Date();
    const accepted = newTransaction(body, {
      id: newId(now),
      tenant: { id: caller.tenantId, name: caller.tenant.name, email: caller.tenant.email },
      actor: actorOf(caller),
      now,
      price: deps.priceOf(body.asset),
    });
    const { record } = accepted;
    const isOwnRecord = record.direction === 'INCOMING' && record.hashNormal !== null;
    if (!isOwnRecord) {
      const warnings = incompletePartyWarnings(record);
      return await acceptTransaction(deps, caller, { ...accepted, warnings }, idempotency());
    }
    const answer = await acceptTransaction(deps, caller, await compared(deps, accepted), idempotency());
    // A message that came in the meantime is related as well, without a warning.
    deps.notifyWorkflows(await relateNewRecord(deps.db, record, now));
    return answer;
  },
});

/** The tenant's own record of a transfer, related with the record of the message if that was already received. */
async function compared({ db }: Deps, accepted: NewTransaction): Promise<NewTransaction> {
  const message = await findMessageOf(db, db.pool, accepted.record);
  if (!message) return accepted;
  const record = { ...accepted.record, relatedTransactionId: message.record.id };
  return { ...accepted, record, warnings: [DUPLICATE_TRANSFER] };
}
