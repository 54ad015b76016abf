import { verifyEvents } from '../../../db/events/verify-events.ts';
import { eraseStoredTransaction } from '../../../db/lifecycle/erase-record.ts';
import { emptyDerived } from '../../../db/lifecycle/empty-derived.ts';
import { settleScreening } from '../../../db/lifecycle/settle-screening.ts';
import { inTransaction } from '../../../db/postgres.ts';
import { emptyRecord } from '../../../db/transactions/empty-record.ts';
import { findTransactionOfWorkflow } from '../../../db/transactions/find-transaction.ts';
import { endRuleWaits } from '../../../db/rules/end-rule-waits.ts';
import { deleteNextDecisions, emptyNextTable } from '../../../db/tenant-erasures/empty-tables.ts';
import { NoTenantKeys } from '../../../db/vault/tenant-keys.ts';
import { untilJudged, untilListsLoaded } from '../../factories/judged.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { unguarded } from '../../factories/tampering.ts';
import { createTenant } from '../../factories/tenant.ts';
import { createMessagePair, createTransaction, letPass } from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api);
beforeAll(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Somebody Else')]);
  await untilListsLoaded(api, tenant.id);
});

/** A transaction on which the tenant's rules have decided, as its lifecycle does it. */
async function decided(): Promise<string> {
  const { id } = await createTransaction(tenant);
  const { settlement } = await untilJudged(api, await findTransactionOfWorkflow(api.db, id));
  expect(await settleScreening(api.db, settlement)).not.toBe('STALE');
  return id;
}
const check = async (id: string) => {
  const { faults, decisions } = await verifyEvents(api.db, id);
  return [faults.map(({ fault }) => fault), decisions];
};
const asOwner = async (text: string, id: string) =>
  await unguarded(database.pool, async () => void (await database.pool.query(text, [id])));

async function destroyKeysOf(tenantId: string): Promise<void> {
  await database.pool.query('delete from vault_keys where owner = $1', [tenantId]);
  api.db.vault.dropTenant(tenantId);
}

const COVERED = { covered: 1, notCovered: 0 };
const OTHERS = [
  `decision = 'REVIEW'`,
  `decided_by = 'undecided'`,
  `version = version + 1`,
  `rests_on_sanctions = not rests_on_sanctions`,
  `spent = '{x}'`,
  `created_at = created_at + interval '1 ms'`,
  `created_at = 'infinity'`,
  `facts = ''`,
  `trace = facts`,
  `configuration_id = id`,
  `direction = 'INCOMING'`,
];

test('a decision as it was stored has no fault, also once its wait has ended', async () => {
  const id = await decided();
  expect(await check(id)).toEqual([[], COVERED]);
  const end = new Date();
  await asOwner(
    `update rule_decisions set wait_until = now() + interval '1 hour' where transaction_id = $1`,
    id,
  );
  await endRuleWaits(database.pool, { tenantId: tenant.id, id, now: end });
  expect(await check(id)).toEqual([[], COVERED]);
});

test.each(OTHERS)('one that its owner changes to %s is found', async (other) => {
  const id = await decided();
  await asOwner(`update rule_decisions set ${other} where transaction_id = $1`, id);
  expect(await check(id)).toEqual([
    [expect.stringMatching(/^the rule decision was changed of entry \d+$/)],
    COVERED,
  ]);
});

test('one that was removed, or moved to another transaction, is found', async () => {
  const [removed, moved] = [await decided(), await decided()];
  await asOwner('delete from rule_decisions where transaction_id = $1', removed);
  expect((await check(removed))[0]).toEqual([
    expect.stringMatching(/^the rule decision is missing of entry/),
  ]);
  await asOwner(
    `update rule_decisions set sequence = 9, transaction_id = (select id from transactions where id <> $1 limit 1)
     where transaction_id = $1`,
    moved,
  );
  expect((await check(moved))[0]).toEqual([expect.stringMatching(/^the rule decision was changed of entry/)]);
});

test('of an erased record it is not covered, and of one whose event has no hash', async () => {
  const erased = await decided();
  await inTransaction(database.pool, async (tx) => {
    await emptyDerived(tx, { tenantId: tenant.id, id: erased });
    await emptyRecord(tx, { tenantId: tenant.id, id: erased }, new Date());
  });
  expect((await check(erased))[1]).toEqual({ covered: 0, notCovered: 1 });
  expect((await check(erased))[0]).not.toContainEqual(expect.stringContaining('rule decision'));
  const { id } = await createTransaction(tenant);
  await letPass(api.db, id);
  expect(await check(id)).toEqual([[], { covered: 0, notCovered: 1 }]);
});

test('of an erased tenant nothing is missed', async () => {
  const id = await decided();
  const report = await verifyEvents(api.db, id);
  const tenantKeys = async () => await Promise.reject(new NoTenantKeys());
  await asOwner('delete from rule_decisions where transaction_id = $1', id);
  const verify = async () =>
    await verifyEvents(
      { pool: database.pool, vault: { heads: api.db.vault.heads, tenantKeys, dropTenant: () => undefined } },
      id,
    );
  expect([report.faults, report.decisions]).toEqual([[], COVERED]);
  // Whoever destroys the keys alone hides nothing.
  const destroyed = (await verify()).faults.map(({ fault }) => fault);
  expect(destroyed).toContainEqual(expect.stringContaining('the rule decision is missing'));
  const ref = { tenantId: tenant.id, id, isDeleted: false };
  expect(await eraseStoredTransaction(api.db, ref, { reason: 'RETENTION', now: new Date() })).not.toBeNull();
  const erased = await verify();
  expect([erased.faults, erased.decisions]).toEqual([[], { covered: 0, notCovered: 1 }]);
});

test('while a tenant is erased, whatever goes first, nothing is missed', async () => {
  const other = await createTenant(api);
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Somebody Else')]);
  await untilListsLoaded(api, other.id);
  const { id } = await createTransaction(other);
  const { settlement } = await untilJudged(api, await findTransactionOfWorkflow(api.db, id));
  expect(await settleScreening(api.db, settlement)).not.toBe('STALE');
  const faults = async () => (await verifyEvents(api.db, id)).faults;
  expect(await check(id)).toEqual([[], COVERED]);
  const ref = { tenantId: other.id, id, isDeleted: false };
  expect(await eraseStoredTransaction(api.db, ref, { reason: 'TENANT', now: new Date() })).not.toBeNull();
  expect(await faults()).toEqual([]);
  while ((await emptyNextTable(database.pool, other.id)) > 0) expect(await faults()).toEqual([]);
  await destroyKeysOf(other.id);
  expect(await faults()).toEqual([]);
  expect(await deleteNextDecisions(database.pool, other.id)).toBe(1);
  expect(await check(id)).toEqual([[], { covered: 0, notCovered: 1 }]);
});

test('a tenant that is erased while its keys are asked for is no fault', async () => {
  const other = await createTenant(api);
  const { outgoingId } = await createMessagePair(api, other, tenant);
  const { vault } = api.db;
  let isErased = false;
  const eraseFirst = async (...given: Parameters<typeof vault.tenantKeys>) => {
    const ref = { tenantId: other.id, id: outgoingId, isDeleted: false };
    if (!isErased) await eraseStoredTransaction(api.db, ref, { reason: 'TENANT', now: new Date() });
    isErased = true;
    await destroyKeysOf(other.id);
    return await vault.tenantKeys(...given);
  };
  const beside = {
    pool: database.pool,
    vault: { heads: vault.heads, tenantKeys: eraseFirst, dropTenant: (id: string) => vault.dropTenant(id) },
  };
  const report = await verifyEvents(beside, outgoingId);
  expect([report.checked, report.faults, report.erased]).toEqual([1, [], [outgoingId]]);
});
