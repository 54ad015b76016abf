import { confirmSelfHostedTransfer } from '../../../db/lifecycle/confirm-self-hosted.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import { eventually } from '../../eventually.ts';
import { holdLocks, holdVerification, waitingForRows } from '../../factories/held-locks.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createTransaction, letPass, readTransaction } from '../../factories/transaction.ts';
import { createVerification, evmWallet, signedFor, submit } from '../../factories/verification.ts';
import { useApi } from '../../use-api.ts';

// Proofs of all tenants share their writes, two batches at once.

const { api } = useApi();

const waitsForRows = async (count: number) =>
  await eventually(
    async () => await waitingForRows(api),
    (waiting) => waiting >= count,
  );

/** Proves a wallet of its own; resolves with the status of the answer. */
async function prove(tenant: TestTenant): Promise<number> {
  const wallet = evmWallet();
  const verification = await createVerification(tenant, { address: wallet.address });
  return (await submit(tenant, verification.id, await signedFor(wallet, verification))).status;
}

test('a proof that waits for its record with its text taken keeps no proof of another tenant waiting', async () => {
  const [hostile, other] = [await createTenant(api), await createTenant(api)];
  const wallet = evmWallet();
  const { address } = wallet;
  const [first, second, third] = [
    await createVerification(hostile, { address }),
    await createVerification(hostile, { address }),
    await createVerification(hostile, { address }),
  ];
  const signed = await signedFor(wallet, first);
  const release = await holdVerification(api, first.id);
  const proofs = [submit(hostile, first.id, signed)];
  await waitsForRows(1);
  proofs.push(submit(hostile, second.id, signed));
  await waitsForRows(2);
  proofs.push(submit(hostile, third.id, signed));
  await waitsForRows(3);
  expect(await prove(other)).toBe(200);
  await release();
  expect((await Promise.all(proofs)).map(({ status }) => status)).toEqual([200, 200, 200]);
});

/** A payout to the wallet that waits for its proof; the id. */
async function payOut(tenant: TestTenant, destination: string): Promise<string> {
  const blockchainInfo = { blockchain: 'Ethereum', destination, destinationType: 'NON_CUSTODIAL' };
  const { id } = await createTransaction(tenant, { blockchainInfo });
  if ((await getTransaction(api.db, tenant.id, id)).screeningState === 'DUE') await letPass(api.db, id);
  await confirmSelfHostedTransfer(api.db, await getTransaction(api.db, tenant.id, id), new Date());
  expect((await readTransaction(tenant, id)).subStatus).toBe('OWNERSHIP_UNCONFIRMED');
  return id;
}

test('proofs that wait for transfers to their wallets keep no proof of another tenant waiting', async () => {
  const [hostile, other] = [await createTenant(api), await createTenant(api)];
  const selfHosted = { thresholdEur: '0', flowsAbove: ['SIGNATURE_PROOF'] };
  const settings = { autoConfirmSelfHosted: true, selfHosted };
  expect((await hostile.patch('/tenant/me/settings', settings)).status).toBe(200);
  const waiting = [];
  for (const wallet of [evmWallet(), evmWallet()]) {
    const verification = await createVerification(hostile, { address: wallet.address });
    const signed = await signedFor(wallet, verification);
    waiting.push({ payoutId: await payOut(hostile, wallet.address), id: verification.id, signed });
  }
  const ids = waiting.map(({ payoutId }) => payoutId);
  const text = 'select from transactions where id = any($1) for no key update';
  const release = await holdLocks(api, async (tx) => void (await tx.query(text, [ids])));
  const proofs: ReturnType<typeof submit>[] = [];
  for (const { id, signed } of waiting) {
    proofs.push(submit(hostile, id, signed));
    await waitsForRows(proofs.length);
  }
  expect(await prove(other)).toBe(200);
  await release();
  expect((await Promise.all(proofs)).map(({ status }) => status)).toEqual([200, 200]);
});
