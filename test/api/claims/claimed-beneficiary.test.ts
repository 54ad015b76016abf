import { findOpenTransaction } from '../../../db/transactions/find-transaction.ts';
import type { TransferClaim } from '../../../domain/claims/schema.ts';
import type { Json } from '../../api-client.ts';
import { claimBody } from '../../factories/claim.ts';
import { untilJudged } from '../../factories/judged.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTransaction, readTransaction } from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

// The name of the beneficiary goes out with a claim: it has to stand in a record that is screened, as every name.

const LISTED = 'Barnabas Ravenscroft';

const { api } = useApi();
const tenant = useTenant(api);
beforeAll(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', LISTED)]);
});

/** A deposit that the tenant has recorded, and a claim of it that names a beneficiary. */
async function claimed(recorded: Json, name: string, { isConfirmed = false, byRecord = false } = {}) {
  const { blockchainInfo, asset } = claimBody();
  const own = await createTransaction(tenant, {
    direction: 'INCOMING',
    asset,
    blockchainInfo: { ...blockchainInfo, blockchain: 'Ethereum' },
    originator: undefined,
    beneficiary: undefined,
    ...recorded,
  });
  if (isConfirmed)
    expect((await tenant.patch(`/transactions/${own.id}`, { status: 'CONFIRMED' })).status).toBe(200);
  const claim = { beneficiary: { name } };
  const answer = byRecord
    ? await tenant.post<TransferClaim>(`/transactions/${own.id}/claim`, claim)
    : await tenant.post<TransferClaim>('/claims', { asset, blockchainInfo, ...claim });
  return { answer, own: await readTransaction(tenant, own.id) };
}
test.each([false, true])(
  'is given to a record without one, and found there (by the record: %s)',
  async (byRecord) => {
    const { answer, own } = await claimed({}, LISTED, { byRecord });
    expect([answer.status, answer.body.transactionId]).toEqual([201, own.id]);
    expect(own.beneficiary).toMatchObject({ name: LISTED });
    const open = await findOpenTransaction(api.db, tenant.id, own.id);
    expect(open?.record.screeningState).toBe('DUE');
    expect((await untilJudged(api, open)).settlement.verdict.hold).toBe('SANCTIONS');
  },
);

test.each<[string, Json]>([
  ['the name', { name: 'Jonas Brandt' }],
  ['its parts, in any order', { firstName: 'Jonas', lastName: 'Brandt' }],
  ['an alias', { name: 'J. B.', aliases: ['BRANDT  Jonas', 'Jonas Brandt'] }],
])('may be %s of the record', async (_, beneficiary) => {
  const { answer, own } = await claimed({ beneficiary }, 'jonas brandt');
  expect([answer.status, answer.body.beneficiary]).toEqual([201, { name: 'jonas brandt' }]);
  expect(own.beneficiary).toMatchObject(beneficiary);
});

test.each<[string, Json, boolean]>([
  ['somebody else than the record names', { beneficiary: { name: 'Jonas Brandt' } }, false],
  ['somebody, where the record is confirmed without a name', {}, true],
])('is refused where it is %s', async (_, recorded, isConfirmed) => {
  const { answer, own } = await claimed(recorded, LISTED, { isConfirmed });
  expect([answer.status, answer.body]).toEqual([409, expect.objectContaining({ code: 'conflict' })]);
  expect(JSON.stringify(own)).not.toContain(LISTED);
  const again = await claimed(recorded, LISTED, { isConfirmed, byRecord: true });
  expect(again.answer.status).toBe(409);
});
