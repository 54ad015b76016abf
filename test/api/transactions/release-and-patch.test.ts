import { settleScreening } from '../../../db/lifecycle/settle-screening.ts';
import { findOpenTransaction } from '../../../db/transactions/find-transaction.ts';
import { judgeTransaction } from '../../../transaction-screening/judge-transaction.ts';
import type { Json } from '../../api-client.ts';
import { eventually } from '../../eventually.ts';
import { releaseDeps } from '../../factories/release-deps.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTransaction, evmAddress, readTransaction } from '../../factories/transaction.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenantPerTest(api);
beforeAll(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [
    listEntry('1', 'Barnabas Ravenscroft'),
    listEntry('2', 'Cuthbert Oakenshaw'),
  ]);
});

async function screen(id: string): Promise<void> {
  const judged = await eventually(
    async () => {
      const open = await findOpenTransaction(api.db, tenant.id, id);
      if (!open) throw new Error('no such transaction');
      return await judgeTransaction(releaseDeps(api), open, undefined);
    },
    ({ kind }) => kind === 'JUDGED',
  );
  if (judged.kind === 'JUDGED') await settleScreening(api.db, judged.settlement);
}

const isHeld = async (id: string) =>
  (await readTransaction(tenant, id)).clearance.reasons.includes('SANCTIONS');

async function review(id: string): Promise<void> {
  const decision = { decision: 'PROCEED', reason: 'another person' };
  expect((await tenant.post(`/transactions/${id}/review`, decision)).status).toBe(200);
}

/** A message to a listed beneficiary that a reviewer has released. */
async function released(): Promise<string> {
  const { id } = await createTransaction(tenant, {
    originator: { name: 'Anna Keller' },
    beneficiary: { name: 'Barnabas Ravenscroft' },
    vaspInfo: { beneficiaryVaspName: 'Nobody Known' },
  });
  await screen(id);
  expect(await isHeld(id)).toBe(true);
  await review(id);
  expect(await isHeld(id)).toBe(false);
  return id;
}

async function isHeldAfter(id: string, patch: Json): Promise<boolean> {
  expect((await tenant.patch(`/transactions/${id}`, patch)).status).toBe(200);
  await screen(id);
  return await isHeld(id);
}

test.each<[string, Json]>([
  ['an account number', { originator: { accountNumber: '17' } }],
  ["the beneficiary's account", { beneficiary: { accountNumber: '17' } }],
  ['the origin', { blockchainInfo: { origin: evmAddress() } }],
  ['the VASP name', { vaspInfo: { beneficiaryVaspName: 'Somebody Known' } }],
  ['the blockchain', { blockchainInfo: { blockchain: 'Base' } }],
  ['the name of a party that nothing matches', { originator: { name: 'Erika Keller' } }],
])('a release stays when %s is patched, and at the screening after that', async (_, patch) => {
  const id = await released();
  expect(await isHeldAfter(id, patch)).toBe(false);
  expect(await isHeldAfter(id, { originator: { accountNumber: '18' } })).toBe(false);
});

test.each<[string, Json]>([
  ['the originator gets the listed name', { originator: { name: 'Cuthbert Oakenshaw' } }],
  ['the beneficiary gets that of another entry', { beneficiary: { name: 'Cuthbert Oakenshaw' } }],
  ['its name is written otherwise', { beneficiary: { name: 'Ravenscroft Barnabas' } }],
  ['its date of birth is added', { beneficiary: { dateOfBirth: '1970-01-01' } }],
])('a release does not cover it when %s', async (_, patch) => {
  expect(await isHeldAfter(await released(), patch)).toBe(true);
});

test('what was found after the release is not released with it', async () => {
  const id = await released();
  expect(await isHeldAfter(id, { originator: { name: 'Cuthbert Oakenshaw' } })).toBe(true);
  expect(await isHeldAfter(id, { originator: { accountNumber: '17' } })).toBe(true);
  await review(id);
  expect(await isHeldAfter(id, { originator: { accountNumber: '18' } })).toBe(false);
});

test('a retried message is screened like a new one', async () => {
  const id = await released();
  await database.pool.query(`update transactions set status = 'FAILED' where id = $1`, [id]);
  expect((await tenant.post(`/transactions/${id}/retry`)).status).toBe(200);
  await screen(id);
  expect(await isHeld(id)).toBe(true);
});
