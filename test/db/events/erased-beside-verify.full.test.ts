import { verifyEvents } from '../../../db/events/verify-events.ts';
import { eraseStoredTransaction } from '../../../db/lifecycle/erase-record.ts';
import { settleScreening } from '../../../db/lifecycle/settle-screening.ts';
import { findTransactionOfWorkflow } from '../../../db/transactions/find-transaction.ts';
import { deleteNextDecisions, emptyNextTable } from '../../../db/tenant-erasures/empty-tables.ts';
import { openVault } from '../../../db/vault/vault.ts';
import { untilJudged, untilListsLoaded } from '../../factories/judged.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant } from '../../factories/tenant.ts';
import { createTransaction } from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const filler = useTenant(api);

// As commands/verify-events.ts opens it: a vault of its own process, which follows no erasures.
test('a tenant that is erased while verify-events reads other records is no fault', async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Somebody Else')]);
  const other = await createTenant(api);
  await untilListsLoaded(api, other.id);
  const decided = async () => {
    const { id } = await createTransaction(other);
    const { settlement } = await untilJudged(api, await findTransactionOfWorkflow(api.db, id));
    expect(await settleScreening(api.db, settlement)).not.toBe('STALE');
    return id;
  };
  const first = await decided();
  for (let n = 0; n < 50; n += 1)
    await Promise.all(Array.from({ length: 10 }, async () => await createTransaction(filler)));
  const last = await decided();
  expect(first < last).toBe(true);
  const vault = await openVault({
    pool: database.pool,
    masterKey: api.config.MASTER_KEY,
    environment: 'sandbox',
  });
  let batches = 0;
  let erased: Promise<void> | undefined;
  const erase = async () => {
    for (const id of [first, last])
      await eraseStoredTransaction(
        api.db,
        { tenantId: other.id, id, isDeleted: false },
        { reason: 'TENANT', now: new Date() },
      );
    while ((await emptyNextTable(database.pool, other.id)) > 0);
    await database.pool.query('delete from vault_keys where owner = $1', [other.id]);
    while ((await deleteNextDecisions(database.pool, other.id)) > 0);
  };
  // The erasure runs between two batches: reads of the second one wait for it.
  const pool = new Proxy(database.pool, {
    get(target, name) {
      if (name === 'connect') return async () => (await erased, await target.connect());
      const value = Reflect.get(target, name) as unknown;
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
    },
  });
  const report = await verifyEvents({ pool, vault }, undefined, () => {
    batches += 1;
    if (batches === 1) erased = erase();
  });
  expect(batches).toBeGreaterThan(1);
  expect(report.faults).toEqual([]);
});
