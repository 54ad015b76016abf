import type { EventView } from '../../../domain/events/schema.ts';
import type { ReviewFile } from '../../../domain/transactions/deciding/screening.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { Json } from '../../api-client.ts';
import { createClaim } from '../../factories/claim.ts';
import { lifecycleSteps } from '../../factories/lifecycle-steps.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTransaction, evmAddress, evmHash } from '../../factories/transaction.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api } = useApi();
const tenant = useTenantPerTest(api);
const advance = lifecycleSteps(api);
const LISTED = 'Mirabel Ledger';
/** So like the listed name that both mean one VASP, and not so like it that it is on the list. */
const ALIKE = 'Mirable Leger';

beforeAll(
  async () =>
    void (await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', LISTED, { type: 'organisation' })])),
);

/** A deposit that the tenant has recorded, as it is once it was screened, and a claim of it that asks a VASP by this name. */
async function deposit(vaspInfo?: Json) {
  const place = { blockchain: 'Ethereum', destination: evmAddress(), transactionHash: evmHash() };
  const { id } = await createTransaction(tenant, {
    direction: 'INCOMING',
    originator: undefined,
    beneficiary: undefined,
    blockchainInfo: place,
    ...(vaspInfo && { vaspInfo }),
  });
  const record = await advance(tenant, { id });
  const claim = async (originatorVaspName: string) =>
    await createClaim(tenant, { blockchainInfo: place, vaspInfo: { originatorVaspName } });
  return { id, record, claim };
}

const namesOf = async (id: string): Promise<unknown[]> => {
  const { body } = await tenant.get<ReviewFile>(`/transactions/${id}/screening`);
  const subjects = body.screening?.sanctions.subjects ?? [];
  return subjects
    .filter(({ role }) => role === 'originatorVasp')
    .map(({ screening }) => screening?.screenedName);
};
const holdsOf = ({ clearance }: Transaction) => clearance.reasons.filter((reason) => reason === 'SANCTIONS');

test('a listed VASP that a claim asks by another name than the record gives holds the record', async () => {
  const { id, record, claim } = await deposit({ originatorVaspName: ALIKE });
  expect(holdsOf(record)).toEqual([]);
  await claim(LISTED);
  const after = await advance(tenant, { id });
  expect(holdsOf(after)).toEqual(['SANCTIONS']);
  expect(after.vaspInfo.originatorVaspName).toBe(ALIKE);
  expect(await namesOf(id)).toEqual([ALIKE, LISTED]);
  const { body: events } = await tenant.get<EventView[]>(`/transactions/${id}/events`);
  expect(events.map(({ type }) => type)).toContain('CLAIM_NAMES_VASP');
  expect(JSON.stringify(events)).not.toContain(LISTED);
});

test('so does one that it asks for a confirmed record that names nobody', async () => {
  const { id, claim } = await deposit();
  expect((await tenant.patch(`/transactions/${id}`, { status: 'CONFIRMED' })).status).toBe(200);
  expect((await advance(tenant, { id })).clearance.outcome).toBe('GO');
  await claim(LISTED);
  const after = await advance(tenant, { id });
  expect([after.clearance.outcome, holdsOf(after)]).toEqual(['WAIT', ['SANCTIONS']]);
});

test('the name that the record has, in another case, is not screened again', async () => {
  const { id, claim } = await deposit({ originatorVaspName: 'Far Away Exchange' });
  const before = await advance(tenant, { id });
  await claim('FAR AWAY EXCHANGE');
  expect((await advance(tenant, { id })).updatedAt).toBe(before.updatedAt);
  expect(await namesOf(id)).toEqual(['Far Away Exchange']);
});
