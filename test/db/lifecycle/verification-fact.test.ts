import { readScreeningContext } from '../../../db/lifecycle/read-screening-context.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import { createTransaction } from '../../factories/transaction.ts';
import { createVerification, evmWallet, signedFor, submit } from '../../factories/verification.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

// What rules see of the proofs of a self-hosted wallet.

const { api, database } = useApi();
const tenant = useTenantPerTest(api);

const factOf = async (destination: string) => {
  const blockchainInfo = { blockchain: 'Ethereum', destination, destinationType: 'NON_CUSTODIAL' };
  const { id } = await createTransaction(tenant, { blockchainInfo });
  const record = await getTransaction(api.db, tenant.id, id);
  return (await readScreeningContext(api.db, record, null, new Date())).verification;
};
const begin = async (address: string) =>
  await createVerification(tenant, { asset: 'ETH', blockchain: 'Ethereum', address });
const setStatus = async (id: string, status: string) =>
  await database.pool.query('update verifications set status = $2 where id = $1', [id, status]);

test.each(['PENDING', 'FAILED'])('a later one that is %s does not hide a proof', async (status) => {
  const wallet = evmWallet();
  const proven = await begin(wallet.address);
  const proof = await signedFor(wallet, proven);
  expect((await submit(tenant, proven.id, proof)).body.status).toBe('VERIFIED');
  const later = await begin(wallet.address);
  if (status !== 'PENDING') await setStatus(later.id, status);
  expect(await factOf(wallet.address)).toEqual({ status: 'VERIFIED', flow: 'SIGNATURE_PROOF' });
});

test('without a proof the latest one counts', async () => {
  const { address } = evmWallet();
  expect(await factOf(address)).toBeNull();
  const first = await begin(address);
  await setStatus(first.id, 'FAILED');
  await begin(address);
  expect(await factOf(address)).toMatchObject({ status: 'PENDING' });
});
