import { randomBytes } from 'node:crypto';
import { newId } from '../../../db/new-id.ts';
import {
  insertTransactions,
  prepareCreate,
  type CreateRequest,
} from '../../../db/transactions/create-transactions.ts';
import { SYSTEM } from '../../../domain/events/actor.ts';
import { newTransaction } from '../../../domain/transactions/new-transaction.ts';
import { CreateTransactionBody } from '../../../domain/transactions/schema.ts';
import { createBody } from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

// A statement of many requests that fails is run again in halves, and those of all tenants wait for it.

const { api, database } = useApi();
const tenant = useTenant(api);

function request(reference: string | null, key: string | null = null, by = tenant): CreateRequest {
  const now = new Date();
  const made = newTransaction(
    CreateTransactionBody.parse(createBody(reference === null ? {} : { reference })),
    {
      id: newId(now),
      tenant: { id: by.id, name: by.name, email: null },
      actor: SYSTEM,
      now,
      price: undefined,
    },
  );
  const idempotency = key === null ? null : { key, fingerprint: Buffer.from(key) };
  return { ...made, idempotency, answer: () => ({}) };
}

/** Stores requests by one statement, which throws when it fails for one of them. */
async function outcomes(...requests: CreateRequest[]): Promise<string[]> {
  const batch = await Promise.all(requests.map(async (each) => await prepareCreate(api.db, each)));
  const found = await insertTransactions(database.pool, batch);
  return found.map((outcome) => (outcome.kind === 'TAKEN' ? outcome.what : outcome.kind));
}

const newText = () => randomBytes(8).toString('hex');

async function isKept(key: string): Promise<boolean> {
  return (await database.pool.query('select from idempotency_keys where key = $1', [key])).rowCount === 1;
}

test('those whose reference is taken are told apart, and the others are stored by the same statement', async () => {
  const [taken, free] = [newText(), newText()];
  expect(await outcomes(request(taken))).toEqual(['CREATED']);
  expect(await outcomes(request(taken), request(free), request(null), request(taken))).toEqual([
    'REFERENCE',
    'CREATED',
    'CREATED',
    'REFERENCE',
  ]);
});

test('a taken reference leaves its Idempotency-Key free, and a repeat is a repeat, although its own first request took the reference', async () => {
  const [taken, own, refused, kept] = [newText(), newText(), newText(), newText()];
  expect(await outcomes(request(taken), request(own, kept))).toEqual(['CREATED', 'CREATED']);
  expect(await outcomes(request(taken, refused), request(own, kept))).toEqual(['REFERENCE', 'REPEATED']);
  expect([await isKept(refused), await isKept(kept)]).toEqual([false, true]);
  expect(await outcomes(request(newText(), refused))).toEqual(['CREATED']);
});

test('a transaction that was resubmitted is told apart as well, unless that was cancelled', async () => {
  const resubmission = (of: string): CreateRequest => {
    const made = request(null);
    return { ...made, record: { ...made.record, resubmissionOf: of } };
  };
  const [first, second] = [request(null), request(null)];
  expect(await outcomes(first, second)).toEqual(['CREATED', 'CREATED']);
  expect(await outcomes(resubmission(first.record.id), resubmission(second.record.id))).toEqual([
    'CREATED',
    'CREATED',
  ]);
  await database.pool.query(`update transactions set status = 'CANCELLED' where resubmission_of = $1`, [
    second.record.id,
  ]);
  expect(
    await outcomes(resubmission(first.record.id), resubmission(second.record.id), request(null)),
  ).toEqual(['RESUBMISSION', 'CREATED', 'CREATED']);
});
