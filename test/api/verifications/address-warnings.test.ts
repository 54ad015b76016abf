import { setTimeout } from 'node:timers/promises';
import { changeVerification } from '../../../db/verifications/change-verification.ts';
import { lockListVersions } from '../../../db/sanctions-lists/version-lock.ts';
import type { EventView } from '../../../domain/events/schema.ts';
import { acceptTransfer } from '../../../domain/verifications/satoshi/apply-transfer.ts';
import type { Json } from '../../api-client.ts';
import { importLabels } from '../../factories/labels.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import {
  createVerification,
  evmWallet,
  signedFor,
  submit,
  type WalletVerification,
} from '../../factories/verification.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenantPerTest(api);

const [listed, exchange, mixer, doubtful, clean] = [1, 2, 3, 4, 5].map(() => evmWallet());
const list = async (...addresses: string[]) => {
  const wallets = addresses.map((address) => ({ asset: 'ETH', address }));
  await activateList(database.pool, 'OFAC_SDN', [
    listEntry('1', 'Somebody', { type: 'organisation', wallets }),
  ]);
};
const label = (address: string, type: 'exchange' | 'mixing_service', confidence = 90) => ({
  address,
  type,
  confidence,
  blockchain: 'Ethereum',
  name: null,
});

beforeAll(async () => {
  await list(listed!.address.toUpperCase().replace('0X', '0x'));
  await importLabels(database.pool, [
    label(exchange!.address, 'exchange'),
    label(mixer!.address, 'mixing_service'),
    label(doubtful!.address, 'exchange', 40),
  ]);
});

const eventTypes = async ({ id }: Pick<WalletVerification, 'id'>) =>
  (await tenant.get<EventView[]>(`/wallet-verification/${id}/events`)).body
    .map(({ type }) => type)
    .toReversed();
const declared = async (id: string) =>
  (await submit(tenant, id, { verificationFlow: 'SELF_DECLARED' })).body as WalletVerification;

test.each([
  ['a listed address', listed, ['ADDRESS_SANCTIONED'], 100],
  ['an exchange', exchange, ['ADDRESS_CUSTODIAL'], 40],
  ['a mixer', mixer, ['ADDRESS_LABELLED'], 60],
  ['a label that is not sure', doubtful, [], 0],
  ['any other address', clean, [], 0],
])('the address is looked up at create: %s', async (_, wallet, warnings, riskScore) => {
  const made = await createVerification(tenant, { address: wallet!.address });
  expect(made).toMatchObject({ status: 'PENDING', warnings, riskScore });
  expect(await eventTypes(made)).toEqual(['CREATED', ...(warnings.length > 0 ? ['ADDRESS_WARNING'] : [])]);
});

describe('an address that was listed after the verification began', () => {
  const flows: Json = { allowedFlows: ['SIGNATURE_PROOF', 'SELF_DECLARED'] };
  const expected = { warnings: ['ADDRESS_SANCTIONED'], riskSeverity: 'high' };

  test.each(['a signature', 'a declaration', 'a satoshi test', 'a reviewer'])(
    'is found with %s',
    async (by) => {
      const wallet = evmWallet();
      const made = await createVerification(tenant, { address: wallet.address, ...flows });
      expect(made).toMatchObject({ warnings: [] });
      await list(wallet.address);
      if (by === 'a signature') await submit(tenant, made.id, await signedFor(wallet, made));
      else if (by === 'a declaration') await declared(made.id);
      else await provenOnChain(made.id, by === 'a reviewer' ? 'MIXED_INPUTS' : 'PROVEN');
      if (by === 'a reviewer') {
        await list();
        await tenant.patch(`/wallet-verification/${made.id}`, { status: 'VERIFIED' });
      }
      const { body } = await tenant.get<WalletVerification>(`/wallet-verification/${made.id}`);
      const isGone = by === 'a reviewer';
      expect(body).toMatchObject({
        status: 'VERIFIED',
        ...(isGone ? { warnings: ['MIXED_INPUTS'] } : expected),
      });
      expect((body as unknown as { riskScore: number }).riskScore >= 90).toBe(!isGone);
      expect(await eventTypes(made)).toContain('ADDRESS_WARNING');
    },
  );
});

/** As the scanner of the chain decides. */
async function provenOnChain(id: string, verdict: 'PROVEN' | 'MIXED_INPUTS'): Promise<void> {
  const now = new Date();
  await changeVerification(api.db, {
    tenantId: tenant.id,
    id,
    now,
    decide: (record) =>
      acceptTransfer({ ...record, flow: 'SATOSHI_TEST' }, { verdict, transactionHash: '0xabc' }, now),
  });
}

test('a proof that says the same as before is not logged twice', async () => {
  await list(listed!.address);
  const made = await createVerification(tenant, { address: listed!.address });
  const body = await declared(made.id);
  expect(body).toMatchObject({ status: 'VERIFIED', warnings: ['ADDRESS_SANCTIONED'], riskScore: 100 });
  expect(await eventTypes(made)).toEqual(['CREATED', 'ADDRESS_WARNING', 'PROOF_ACCEPTED']);
});

test('a proof that is given while its address is being listed is accepted with the warning', async () => {
  const wallet = evmWallet();
  const made = await createVerification(tenant, { address: wallet.address });
  const proof = await signedFor(wallet, made);
  const tx = await database.pool.connect();
  await tx.query('begin');
  await lockListVersions(tx);
  const accepted = submit(tenant, made.id, proof);
  // Other test files wait for locks of their own in the same server.
  const isWaiting = async () =>
    (
      await database.pool.query(
        `select from pg_locks where not granted and locktype = 'advisory'
           and database = (select oid from pg_database where datname = current_database())`,
      )
    ).rowCount === 1;
  const answered = accepted.then(() => true);
  while (!(await isWaiting())) if (await Promise.race([answered, setTimeout(20, false)])) break;
  await list(wallet.address);
  await tx.query('commit');
  tx.release();
  expect((await accepted).body).toMatchObject({ status: 'VERIFIED', warnings: ['ADDRESS_SANCTIONED'] });
});
