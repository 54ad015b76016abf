import { beginErasure } from '../../../db/tenant-erasures/begin-erasure.ts';
import { counterpartyOf } from '../../../db/lifecycle/resolve-counterparty.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import { createTenant } from '../../factories/tenant.ts';
import { createTransaction, evmAddress } from '../../factories/transaction.ts';
import { erasuresOf, NAMED_OPERATORS } from '../../factories/tenant-erasure.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api, database } = useApi({ config: { OPERATOR_KEYS: NAMED_OPERATORS, RATE_LIMIT_WRITES: 0 } });
const sender = useTenantPerTest(api);
const { plan, approve, fireTimer } = erasuresOf(api);

async function upload(rows: object[]) {
  const form = new FormData();
  form.append('file', new Blob([JSON.stringify(rows)]), 'a.json');
  const answer = await fetch(`${api.url}/operator/entities/import`, {
    method: 'POST',
    headers: { 'X-Operator-Key': api.operatorKey },
    body: form,
  });
  return [answer.status, await answer.json()];
}

test('the entry of an erased tenant comes back with the list it is from: its name leads to nobody who is gone', async () => {
  const entity = { source: 'LIST', sourceId: '1', name: 'Alpha Bank of Nowhere', type: 'bank' };
  expect((await upload([entity]))[0]).toBe(201);
  const { rows } = await database.pool.query<{ id: string }>(
    `select id from entities where source = 'LIST' and source_id = '1'`,
  );
  const gone = await createTenant(api, { name: 'Alpha Bank of Nowhere', entityId: rows[0]?.id ?? '' });
  const { body } = await plan(gone.id);
  await approve(gone.id);
  await fireTimer(gone.id);
  expect(await beginErasure(api.db, body.id, new Date(Date.now() + 1_000))).toMatchObject({ next: 'ERASE' });
  const { id } = await createTransaction(sender, {
    blockchainInfo: { blockchain: 'Ethereum', destination: evmAddress(), destinationType: 'CUSTODIAL' },
    vaspInfo: { beneficiaryVaspName: entity.name, beneficiaryVaspEmail: 'travelrule@alpha-nowhere.example' },
  });
  const receiver = async () =>
    (await counterpartyOf(api.db.pool, await getTransaction(api.db, sender.id, id), api.db)).receiver;
  const before = (await receiver()) as { tenantId?: string } | null;
  expect(before?.tenantId ?? null).not.toBe(gone.id);
  expect(await upload([{ ...entity, email: 'travelrule@alpha-nowhere.example' }])).toMatchObject([
    201,
    { updated: 1 },
  ]);
  const now = (await receiver()) as { tenantId?: string } | null;
  expect(now?.tenantId ?? null).not.toBe(gone.id);
});
