import type { SanctionsScreening } from '../../../domain/sanctions-screening/schema.ts';
import { untilListsCompared } from '../../factories/judged.ts';
import { lifecycleSteps } from '../../factories/lifecycle-steps.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTransaction, evmAddress, evmHash, readTransaction } from '../../factories/transaction.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api } = useApi();
const tenant = useTenantPerTest(api);
const LISTED = 'Barnabas Ravenscrofft';
beforeEach(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('0', LISTED)]);
  await untilListsCompared(api, tenant.id);
});

test('the hash of a confirmed transfer is taken with the present status, though a false positive of another was taken back', async () => {
  const { body } = await tenant.post<SanctionsScreening>('/sanctions/search', { name: LISTED });
  const made = await tenant.post<{ id: string }>('/sanctions/suppressions', {
    screeningId: body.id,
    listCode: 'OFAC_SDN',
    listingId: '0',
  });
  const { id } = await createTransaction(tenant, {
    direction: 'INCOMING',
    originator: { name: 'Eva Huber' },
    beneficiary: { name: 'Jonas Brandt' },
    blockchainInfo: { blockchain: 'Ethereum', destination: evmAddress() },
  });
  await lifecycleSteps(api)(tenant, { id });
  expect((await tenant.patch(`/transactions/${id}`, { status: 'CONFIRMED' })).status).toBe(200);
  expect((await readTransaction(tenant, id)).clearance.outcome).toBe('GO');
  expect((await tenant.delete(`/sanctions/suppressions/${made.body.id}`)).status).toBe(204);
  const answers: unknown[] = [];
  for (const hash of [evmHash(), undefined])
    answers.push(
      (await tenant.patch(`/transactions/${id}`, { status: 'CONFIRMED', transactionHash: hash })).status,
    );
  expect(answers).toEqual([200, 200]);
});
