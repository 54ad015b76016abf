import { randomBytes, randomUUID } from 'node:crypto';
import { applyImport } from '../../../db/entities/apply-import.ts';
import { stageRows } from '../../../db/entities/stage-import.ts';
import { settleScreening } from '../../../db/lifecycle/settle-screening.ts';
import { newId } from '../../../db/new-id.ts';
import { inTransaction } from '../../../db/postgres.ts';
import { readImportValues } from '../../../domain/entities/import-row.ts';
import type { Json } from '../../api-client.ts';
import { holdCommit, untilSomebodyWaits, type HeldCommit } from '../../factories/hold-commit.ts';
import { ruleWaits } from '../../factories/rule-waits.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTransaction, readTransaction } from '../../factories/transaction.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api, database } = useApi({ config: { RATE_LIMIT_WRITES: 0 } });
const tenant = useTenantPerTest(api);
beforeAll(async () => void (await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Somebody Else')])));

const held: HeldCommit[] = [];
/** A database whose transactions are held open just before they commit, at most until the test has ended. */
function holding(): HeldCommit {
  const commit = holdCommit(api.db);
  held.push(commit);
  return commit;
}
afterEach(() => {
  for (const commit of held.splice(0)) commit.go();
});

const waits = ruleWaits(api);
const waiting = async (conditions: Json, body?: Parameters<typeof waits.waiting>[2]) =>
  await waits.waiting(tenant, conditions, body);
const decidedAgain = async (transfer: { id: string }) => await waits.decidedAgain(tenant, transfer);
const WOKEN_AND_ON = /^(?!WAITING|not woken)/;

const newName = () => `Newcomer ${randomBytes(4).toString('hex')}`;
const naming = (beneficiaryVaspName: string) => ({ vaspInfo: { beneficiaryVaspName } });
const asOperator = async (method: string, path: string, body?: unknown) => {
  const answer = await api.request(method, `/operator/${path}`, { operatorKey: api.operatorKey, body });
  if (answer.status >= 300) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};
const addEntity = async (body: Json) =>
  String((await asOperator('POST', 'entities', { type: 'exchange', ...body }))['id']);

/** Imports rows of a file. */
async function importRows(rows: Json[]): Promise<void> {
  const now = new Date();
  const place = { id: newId(now), begunAt: now };
  const entities = rows.flatMap((values, row) => {
    const { entity, faults } = readImportValues(values as never, { row, source: 'TEST', now });
    expect(faults).toEqual([]);
    return entity ? [entity] : [];
  });
  await stageRows(api.db, place, entities);
  const { outbox } = await inTransaction(api.db.pool, async (tx) => await applyImport(tx, place));
  api.outbox.push(...outbox);
}

const file = (name: string, sourceId: string, more: Json = {}): Json => ({
  name,
  type: 'exchange',
  sourceId,
  ...more,
});
const idOf = async (sourceId: string) =>
  String(
    (await database.pool.query<{ id: string }>('select id from entities where source_id = $1', [sourceId]))
      .rows[0]?.id,
  );

describe('an import', () => {
  test('merges an entity that the rule names into the VASP that the transfer names', async () => {
    const name = newName();
    await importRows([file(name, `${name} N`), file(newName(), `${name} D`)]);
    const rule = { field: 'counterpartyEntityId', operator: 'NOT_IN', value: [await idOf(`${name} D`)] };
    const sent = await waiting(rule, naming(name));
    await importRows([file(newName(), `${name} D`, { masterSourceId: `${name} N` })]);
    expect(await decidedAgain(sent)).toMatch(WOKEN_AND_ON);
  });
  test('moves the duplicate that the rule names from the VASP that the transfer names to another', async () => {
    const name = newName();
    await importRows([
      file(name, `${name} N`),
      file(newName(), `${name} O`),
      file(newName(), `${name} D`, { masterSourceId: `${name} N` }),
    ]);
    const rule = { field: 'counterpartyEntityId', operator: 'EQ', value: await idOf(`${name} D`) };
    const sent = await waiting(rule, naming(name));
    await importRows([file(newName(), `${name} D`, { masterSourceId: `${name} O` })]);
    expect(await decidedAgain(sent)).toMatch(WOKEN_AND_ON);
  });
});

test.each(['merged into', 'created as a duplicate of'])(
  'an entity is %s a duplicate of the VASP while the verdict is stored: the transfer is woken',
  async (how) => {
    const name = newName();
    const master = await addEntity({ name });
    const duplicate = await addEntity({ name: newName(), masterEntityId: master });
    const merged = how === 'merged into' ? await addEntity({ name: newName() }) : null;
    // Applies as long as the VASP has no more than the one duplicate: named by none of the ids of rules.
    const rule = { field: 'counterpartyEntityId', operator: 'NOT_IN', value: [merged ?? randomUUID()] };
    await waits.publish(tenant, 'OUTGOING', rule);
    const sent = await createTransaction(tenant, { originator: { name: 'Anna' }, ...naming(name) });
    const judged = await waits.judge(tenant, sent.id);
    const commit = holding();
    const settled = settleScreening(commit.db, judged);
    await commit.held;
    const change =
      merged === null
        ? asOperator('POST', 'entities', { name: newName(), type: 'exchange', masterEntityId: duplicate })
        : asOperator('POST', `entities/${merged}/merge`, { masterId: duplicate });
    const first = await Promise.race([
      untilSomebodyWaits(database.pool).then(() => 'waits'),
      change.then(() => 'did not wait for the decision'),
    ]);
    commit.go();
    await Promise.all([settled, change]);
    expect((await readTransaction(tenant, sent.id)).subStatus).toBe('WAITING');
    expect(first).toBe('waits');
    if (merged !== null) expect(await decidedAgain(sent)).toMatch(WOKEN_AND_ON);
  },
);
