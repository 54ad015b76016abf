import { setBrake } from '../../../db/brakes/set-brake.ts';
import { confirmSelfHostedTransfer } from '../../../db/lifecycle/confirm-self-hosted.ts';
import type { Database } from '../../../db/database.ts';
import { MessagePaused } from '../../../db/lifecycle/pause-message.ts';
import { newId } from '../../../db/new-id.ts';
import { inTransaction } from '../../../db/postgres.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import { changeVerification } from '../../../db/verifications/change-verification.ts';
import { SYSTEM } from '../../../domain/events/actor.ts';
import type { TransactionRecord } from '../../../domain/transactions/record.ts';
import { revokeVerification } from '../../../domain/verifications/end-verification.ts';
import { holdCommit, untilSomebodyWaits } from '../../factories/hold-commit.ts';
import { createTransaction, evmAddress, letPass, readTransaction } from '../../factories/transaction.ts';
import { createVerification, submit } from '../../factories/verification.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

// Below the threshold from which a self-hosted wallet needs another proof than a declaration.
const price = { usd: '1', eur: '1', source: 'test', pricedAt: new Date() };
const { api } = useApi({ prices: { ETH: price } });
const tenant = useTenantPerTest(api);

/** A payout that has waited for a proof of its wallet and was screened again, and the proof that it waited for. */
async function proven(): Promise<{ record: TransactionRecord; proofId: string }> {
  expect((await tenant.patch('/tenant/me/settings', { autoConfirmSelfHosted: false })).status).toBe(200);
  const address = evmAddress();
  const blockchainInfo = { blockchain: 'Ethereum', destination: address, destinationType: 'NON_CUSTODIAL' };
  const { id } = await createTransaction(tenant, { blockchainInfo });
  await letPass(api.db, id);
  const waiting = await confirm(await stored(id));
  expect(waiting).toMatchObject({ status: 'PENDING', awaitsProof: true });
  const { id: proofId } = await createVerification(tenant, { address });
  const proof = await submit(tenant, proofId, { verificationFlow: 'SELF_DECLARED' });
  expect(proof.body.status).toBe('VERIFIED');
  await letPass(api.db, id);
  return { record: await stored(id), proofId };
}

const stored = async (id: string) => await getTransaction(api.db, tenant.id, id);

async function confirm(record: TransactionRecord, db: Database = api.db): Promise<TransactionRecord> {
  return (await confirmSelfHostedTransfer(db, record, new Date())).record;
}

async function revoke(id: string, db: Database = api.db): Promise<void> {
  const act = { actor: SYSTEM, now: new Date() };
  await changeVerification(db, {
    tenantId: tenant.id,
    id,
    now: act.now,
    decide: (proof) => revokeVerification(proof, 'The key was stolen.', act),
  });
}

async function brake(db: Database = api.db): Promise<void> {
  const now = new Date();
  const set = {
    id: newId(now),
    tenantId: tenant.id,
    kind: 'OUTGOING',
    reason: 'An incident.',
    setAt: now,
  } as const;
  const left = {
    counterpartyEntityId: null,
    releasedBy: null,
    releasedAt: null,
    perSecond: null,
    finishedAt: null,
  };
  const record = { ...set, ...left, setBy: { kind: 'API_KEY', id: 'x' }, resumed: 0 } as const;
  const keys = await api.db.vault.tenantKeys(tenant.id);
  await inTransaction(db.pool, async (tx) => await setBrake(tx, record, keys));
}

/** Whether `work` waits for a row or a lock of another transaction, or ends first. */
async function firstOf(
  work: Promise<unknown>,
  waitsFor: 'transactionid' | 'advisory' = 'transactionid',
): Promise<'WAITS' | 'ENDS'> {
  const waits = untilSomebodyWaits(api.db.pool, waitsFor).then(() => 'WAITS' as const);
  return await Promise.race([waits, work.then(() => 'ENDS' as const)]);
}

test('a proof is not revoked while it confirms a transfer', async () => {
  const { record, proofId } = await proven();
  const holding = holdCommit(api.db);
  const confirming = confirm(record, holding.db);
  await holding.held;
  const revoking = revoke(proofId);
  const first = await firstOf(revoking);
  holding.go();
  expect((await confirming).status).toBe('CONFIRMED');
  await revoking;
  expect(first).toBe('WAITS');
});

test('a proof that is being revoked confirms no transfer', async () => {
  const { record, proofId } = await proven();
  const holding = holdCommit(api.db);
  const revoking = revoke(proofId, holding.db);
  await holding.held;
  const confirming = confirm(record);
  const first = await firstOf(confirming);
  holding.go();
  await Promise.all([revoking, confirming]);
  expect(first).toBe('WAITS');
  const left = await readTransaction(tenant, record.id);
  expect(left).toMatchObject({ status: 'PENDING', subStatus: 'OWNERSHIP_UNCONFIRMED' });
});

test('a brake is not answered while a payout is being confirmed', async () => {
  const { record } = await proven();
  const holding = holdCommit(api.db);
  const confirming = confirm(record, holding.db);
  await holding.held;
  const braking = brake();
  const first = await firstOf(braking, 'advisory');
  holding.go();
  expect((await confirming).status).toBe('CONFIRMED');
  await braking;
  expect(first).toBe('WAITS');
});

test('a payout that finds a brake being set is not confirmed', async () => {
  const { record } = await proven();
  const holding = holdCommit(api.db);
  const braking = brake(holding.db);
  await holding.held;
  const confirming = confirm(record).catch((error: unknown) => error);
  const first = await firstOf(confirming, 'advisory');
  holding.go();
  await braking;
  expect(await confirming).toBeInstanceOf(MessagePaused);
  expect(first).toBe('WAITS');
  expect(await readTransaction(tenant, record.id)).toMatchObject({ status: 'PENDING' });
});
