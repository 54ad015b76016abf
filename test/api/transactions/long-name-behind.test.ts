import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { SanctionsScreening } from '../../../domain/sanctions-screening/schema.ts';
import { addEntity, entityOf, mergeEntity } from '../../factories/directory.ts';
import { untilListsLoaded } from '../../factories/judged.ts';
import { lifecycleSteps } from '../../factories/lifecycle-steps.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createTransaction, evmAddress, registerWallet } from '../../factories/transaction.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

// A name of more words than are compared holds a message as UNSCREENED, but all else of it was compared, and is to be again.
const { api } = useApi();
const tenant = useTenantPerTest(api);
const LISTED = 'Barnabas Ravenscrofft';
const COMPANY = 'Zubarev Kestrel Exchange';
const CLEAN = 'Jonas Brandt';
const LONG =
  'Alba Bero Cima Dulo Ebra Fino Gemo Hilo Irma Jovo Kelu Lumo Mira Nolo Orba Pilo Quro Rima Selo Tuva Umbo Vilo Wera Eva Huber';

async function list(...names: string[]): Promise<void> {
  await activateList(api.db.pool, 'OFAC_SDN', [
    ...[LISTED, ...names].map((name) => listEntry(name, name)),
    listEntry(COMPANY, COMPANY, { type: 'organisation' }),
  ]);
  await untilListsLoaded(api, tenant.id);
}
beforeEach(async () => await list());

const advance = async (id: string): Promise<Transaction> => await lifecycleSteps(api)(tenant, { id });
const review = async (id: string) => {
  const { status, body } = await tenant.post(`/transactions/${id}/review`, {
    decision: 'PROCEED',
    reason: 'Read by hand.',
  });
  return [status, body['code']];
};

async function held(beneficiary: string): Promise<{ id: string; other: TestTenant }> {
  const other = await createTenant(api);
  const destination = evmAddress();
  await registerWallet(other, destination);
  const { id } = await createTransaction(tenant, {
    originator: { name: LONG },
    beneficiary: { name: beneficiary },
    blockchainInfo: { blockchain: 'Ethereum', destination },
    vaspInfo: { beneficiaryVaspName: other.name },
  });
  expect((await advance(id)).clearance.reasons).toContain('UNSCREENED');
  return { id, other };
}

async function suppress(): Promise<string> {
  const { body } = await tenant.post<SanctionsScreening>('/sanctions/search', { name: LISTED });
  const match = { screeningId: body.id, listCode: 'OFAC_SDN', listingId: LISTED };
  const made = await tenant.post<{ id: string }>('/sanctions/suppressions', match);
  expect(made.status).toBe(201);
  return made.body.id;
}

test('it does not go unseen where its VASP has got a listed name', async () => {
  const { id, other } = await held(CLEAN);
  await mergeEntity(api, await addEntity(api, COMPANY), await entityOf(api, other.id));
  expect(await review(id)).toEqual([409, 'conflict']);
  expect((await advance(id)).clearance.reasons).toContain('SANCTIONS');
});

test('it does not go unseen where a false positive was taken back', async () => {
  const suppressionId = await suppress();
  const { id } = await held(LISTED);
  expect((await tenant.delete(`/sanctions/suppressions/${suppressionId}`)).status).toBe(204);
  expect(await review(id)).toEqual([409, 'conflict']);
  expect((await advance(id)).clearance.reasons).toContain('SANCTIONS');
});

test('it does not go unseen where a list has got a version with its beneficiary', async () => {
  const { id } = await held(CLEAN);
  await list(CLEAN);
  expect(await review(id)).toEqual([409, 'conflict']);
  expect((await advance(id)).clearance.reasons).toContain('SANCTIONS');
});

test('it goes once its reviewer has seen it', async () => {
  const { id } = await held(CLEAN);
  expect(await review(id)).toEqual([200, undefined]);
  expect(await advance(id)).toMatchObject({ status: 'DELIVERED' });
});

test('its reviewer lets it pass while the lists are away, though a false positive was taken back', async () => {
  const suppressionId = await suppress();
  const { id } = await held(CLEAN);
  expect((await tenant.delete(`/sanctions/suppressions/${suppressionId}`)).status).toBe(204);
  const screening = { requiredLists: ['NOT_THERE'], maxWaitMinutes: 0 };
  expect((await tenant.patch('/tenant/me/settings', { screening })).status).toBe(200);
  expect(await review(id)).toEqual([409, 'screening_pending']);
  expect((await advance(id)).clearance.reasons).toContain('UNSCREENED');
  expect(await review(id)).toEqual([200, undefined]);
  expect(await advance(id)).toMatchObject({ status: 'DELIVERED' });
});
