import { randomBytes, randomUUID } from 'node:crypto';
import type { Database } from '../../../db/database.ts';
import { applyImport } from '../../../db/entities/apply-import.ts';
import { loadBundledEntities } from '../../../db/entities/load-bundled.ts';
import { stageRows } from '../../../db/entities/stage-import.ts';
import { settleScreening } from '../../../db/lifecycle/settle-screening.ts';
import { newId } from '../../../db/new-id.ts';
import { inTransaction } from '../../../db/postgres.ts';
import { wakeUnrouted } from '../../../db/transactions/wake-unrouted.ts';
import { readImportValues } from '../../../domain/entities/import-row.ts';
import type { Json } from '../../api-client.ts';
import { eventually } from '../../eventually.ts';
import { bulkTenants, bulkTransactions } from '../../factories/bulk-rows.ts';
import { holdCommit, untilSomebodyWaits, type HeldCommit } from '../../factories/hold-commit.ts';
import { ruleWaits } from '../../factories/rule-waits.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import {
  createTransaction,
  deliver,
  evmAddress,
  readTransaction,
  registerWallet,
} from '../../factories/transaction.ts';
import { createVerification } from '../../factories/verification.ts';
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
const entityOf = async ({ name }: TestTenant) =>
  String((await tenant.get(`/entities/lookup?name=${encodeURIComponent(name)}`)).body['id']);

/** Imports rows of a file; `fail` ends the transaction at its end. */
async function importRows(rows: Json[], { db, fail }: { db?: Database; fail?: boolean } = {}) {
  const now = new Date();
  const place = { id: newId(now), begunAt: now };
  const entities = rows.flatMap((values, row) => {
    const { entity, faults } = readImportValues(values as never, { row, source: 'TEST', now });
    expect(faults).toEqual([]);
    return entity ? [entity] : [];
  });
  await stageRows(api.db, place, entities);
  const { outbox } = await inTransaction((db ?? api.db).pool, async (tx) => {
    const applied = await applyImport(tx, place);
    if (fail) throw new Error('the process ends here');
    return applied;
  });
  api.outbox.push(...outbox);
}

const IS_KNOWN = { field: 'counterpartyEntityId', operator: 'EXISTS' };
const IS_UNKNOWN = { field: 'counterpartyEntityId', operator: 'NOT_EXISTS' };
const NOT_HIGH = { not: { field: 'counterpartyRiskSeverity', operator: 'EQ', value: 'high' } };
const IN_NETWORK = { field: 'counterpartyInNetwork', operator: 'EQ', value: true };

describe('a transfer that a rule lets wait is decided again', () => {
  test('when the tenant that it names gets another country', async () => {
    const vasp = await createTenant(api, { country: 'CH' });
    const rule = { field: 'counterpartyEntityCountry', operator: 'IN', value: ['CH'] };
    const sent = await waiting(rule, naming(vasp.name));
    expect((await vasp.patch('/tenant/me', { country: 'DE' })).status).toBe(200);
    expect(await decidedAgain(sent)).toMatch(WOKEN_AND_ON);
  });

  test.each(['tenant', 'entity'])('when the %s that it names is renamed and found no more', async (kind) => {
    const name = newName();
    const path =
      kind === 'tenant'
        ? `tenants/${(await createTenant(api, { name })).id}`
        : `entities/${await addEntity({ name })}`;
    const sent = await waiting(IS_KNOWN, naming(name));
    await asOperator('PATCH', path, { name: newName() });
    expect(await decidedAgain(sent)).toMatch(WOKEN_AND_ON);
  });

  test('when the entity that it names loses the alias', async () => {
    const name = newName();
    const id = await addEntity({ name: newName(), aliases: [name] });
    const sent = await waiting(IS_KNOWN, naming(name));
    await asOperator('PATCH', `entities/${id}`, { aliases: [] });
    expect(await decidedAgain(sent)).toMatch(WOKEN_AND_ON);
  });

  test.each(['renamed', 'deleted'])(
    'when of two entities of the name one is %s, and the other is meant',
    async (what) => {
      const name = newName();
      const ids = [await addEntity({ name }), await addEntity({ name })];
      const sent = await waiting(IS_UNKNOWN, naming(name));
      if (what === 'renamed') await asOperator('PATCH', `entities/${ids[0]}`, { name: newName() });
      else await asOperator('DELETE', `entities/${ids[0]}`);
      expect(await decidedAgain(sent)).toMatch(WOKEN_AND_ON);
    },
  );

  test('when the entity changes, by whichever of its names the transfer knows it', async () => {
    const names = [newName(), newName(), newName()];
    const [name = '', alias = '', duplicate = ''] = names;
    const id = await addEntity({ name, aliases: [alias] });
    await addEntity({ name: duplicate, masterEntityId: id });
    const sent = [];
    for (const known of names) sent.push(await waiting(NOT_HIGH, naming(known)));
    await asOperator('PATCH', `entities/${id}`, { riskScore: 95 });
    for (const each of sent) expect(await decidedAgain(each)).toMatch(WOKEN_AND_ON);
  });

  test.each(['the merged entity', 'another duplicate of the same master'])(
    'when the VASP that it names gets a duplicate that the rule names: %s',
    async (what) => {
      const [name, other] = [newName(), newName()];
      const master = await addEntity({ name });
      const merged = await addEntity({ name: other });
      const rule = { field: 'counterpartyEntityId', operator: 'NOT_IN', value: [merged] };
      const known = what === 'the merged entity' ? name : newName();
      if (known !== name) await addEntity({ name: known, masterEntityId: master });
      const sent = await waiting(rule, naming(known));
      await asOperator('POST', `entities/${merged}/merge`, { masterId: master });
      expect(await decidedAgain(sent)).toMatch(WOKEN_AND_ON);
    },
  );

  test.each(['taken apart', 'moved to another master', 'deleted'])(
    'when the VASP that it names loses the duplicate that the rule names: %s',
    async (what) => {
      const name = newName();
      const master = await addEntity({ name });
      const duplicate = await addEntity({ name: newName(), masterEntityId: master });
      const rule = { field: 'counterpartyEntityId', operator: 'EQ', value: duplicate };
      const sent = await waiting(rule, naming(name));
      if (what === 'taken apart')
        await asOperator('PATCH', `entities/${duplicate}`, { masterEntityId: null });
      else if (what === 'deleted') await asOperator('DELETE', `entities/${duplicate}`);
      else {
        const other = await addEntity({ name: newName() });
        await asOperator('PATCH', `entities/${duplicate}`, { masterEntityId: other });
      }
      expect(await decidedAgain(sent)).toMatch(WOKEN_AND_ON);
    },
  );

  test('when an operator assesses the tenant that it reaches by its destination alone', async () => {
    const vasp = await createTenant(api);
    const destination = evmAddress();
    await registerWallet(vasp, destination);
    const sent = await waiting(NOT_HIGH, { blockchainInfo: { destination } });
    await asOperator('PATCH', `entities/${await entityOf(vasp)}`, { riskScore: 95 });
    expect(await decidedAgain(sent)).toMatch(WOKEN_AND_ON);
  });

  test.each(['deleted', 'deleted with others', 'unconfirmed'])(
    'when the wallet at its destination is %s',
    async (what) => {
      const vasp = await createTenant(api);
      const destination = evmAddress();
      await registerWallet(vasp, destination);
      const { body: wallets } = await vasp.get<{ id: number }[]>('/wallets');
      const id = wallets[0]?.id;
      const sent = await waiting(IN_NETWORK, { blockchainInfo: { destination } });
      const answer =
        what === 'deleted'
          ? await vasp.delete(`/wallets/${id}`)
          : what === 'unconfirmed'
            ? await vasp.patch(`/wallets/${id}`, { status: 'UNCONFIRMED' })
            : await api.request('DELETE', '/wallets', { key: vasp.apiKey, body: [id] });
      expect(answer.status).toBeLessThan(300);
      expect(await decidedAgain(sent)).toMatch(WOKEN_AND_ON);
    },
  );

  test('when the attestation that chose between two holders is withdrawn', async () => {
    const [first, second] = [await createTenant(api), await createTenant(api)];
    const destination = evmAddress();
    for (const vasp of [first, second]) await registerWallet(vasp, destination);
    const attested = await asOperator('POST', `tenants/${first.id}/attested-addresses`, {
      blockchain: 'Ethereum',
      address: destination,
      reason: 'checked',
    });
    const sent = await waiting(IN_NETWORK, { blockchainInfo: { blockchain: 'Ethereum', destination } });
    await asOperator('DELETE', `tenants/${first.id}/attested-addresses/${String(attested['id'])}`);
    expect(await decidedAgain(sent)).toMatch(WOKEN_AND_ON);
  });
});

describe('an import of entities', () => {
  const file = (name: string, sourceId: string, more: Json = {}): Json => ({
    name,
    type: 'exchange',
    sourceId,
    ...more,
  });

  test.each<[string, (name: string) => [Json[], Json[]], Json]>([
    [
      'changes the master of the entity that it names',
      (name) => [
        [
          file(newName(), `${name} M`, { countries: ['CH'] }),
          file(name, `${name} D`, { masterSourceId: `${name} M` }),
        ],
        [file(newName(), `${name} M`, { countries: ['DE'] })],
      ],
      { field: 'counterpartyEntityCountry', operator: 'IN', value: ['CH'] },
    ],
    [
      'takes its name from the entity',
      (name) => [[file(name, `${name} 1`)], [file(newName(), `${name} 1`)]],
      IS_KNOWN,
    ],
    [
      'gives the master another master',
      (name) => [
        [
          file(newName(), `${name} M`, { countries: ['CH'] }),
          file(name, `${name} D`, { masterSourceId: `${name} M` }),
          file(newName(), `${name} O`, { countries: ['DE'] }),
        ],
        [file(newName(), `${name} M`, { countries: ['CH'], masterSourceId: `${name} O` })],
      ],
      { field: 'counterpartyEntityCountry', operator: 'IN', value: ['CH'] },
    ],
  ])('that %s wakes a waiting transfer; rolled back, it wakes nobody', async (_what, files, conditions) => {
    const name = newName();
    const [before, after] = files(name);
    await importRows(before);
    const sent = await waiting(conditions, naming(name));
    await expect(importRows(after, { fail: true })).rejects.toThrow('the process ends here');
    expect(await decidedAgain(sent)).toBe('not woken');
    await importRows(after);
    const { rows } = await database.pool.query('select 1 from outbox where subject_id = $1', [sent.id]);
    expect(rows).not.toEqual([]);
    expect(await decidedAgain(sent)).toMatch(WOKEN_AND_ON);
  });

  const idOf = async (sourceId: string) =>
    String(
      (await database.pool.query<{ id: string }>('select id from entities where source_id = $1', [sourceId]))
        .rows[0]?.id,
    );

  test('that merges an entity that the rule names into the VASP that a transfer names wakes it', async () => {
    const name = newName();
    await importRows([file(name, `${name} N`), file(newName(), `${name} D`)]);
    const rule = { field: 'counterpartyEntityId', operator: 'NOT_IN', value: [await idOf(`${name} D`)] };
    const sent = await waiting(rule, naming(name));
    await importRows([file(newName(), `${name} D`, { masterSourceId: `${name} N` })]);
    expect(await decidedAgain(sent)).toMatch(WOKEN_AND_ON);
  });

  test('that moves the duplicate that the rule names from the VASP of a transfer to another wakes it', async () => {
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

  test('whose rows name no master leaves the transfers alone that wait on the masters of before', async () => {
    const name = newName();
    const duplicate = newName();
    await importRows([
      file(name, `${name} N`),
      file(duplicate, `${name} D`, { masterSourceId: `${name} N` }),
    ]);
    const sent = await waiting(IS_KNOWN, naming(name));
    await importRows([file(duplicate, `${name} D`)]);
    expect(await decidedAgain(sent)).toBe('not woken');
  });

  test('that is about to commit lets no verdict be stored that rests on what was before', async () => {
    const name = newName();
    await importRows([file(name, name, { countries: ['CH'] })]);
    await waits.publish(tenant, 'OUTGOING', {
      field: 'counterpartyEntityCountry',
      operator: 'IN',
      value: ['CH'],
    });
    const sent = await createTransaction(tenant, { originator: { name: 'Anna' }, ...naming(name) });
    const judged = await waits.judge(tenant, sent.id);
    const commit = holding();
    const imported = importRows([file(name, name, { countries: ['DE'] })], { db: commit.db });
    await commit.held;
    expect(await settleScreening(api.db, judged)).toBe('STALE');
    commit.go();
    await imported;
    await waits.screen(tenant, sent.id);
    expect((await readTransaction(tenant, sent.id)).subStatus).not.toBe('WAITING');
  });
});

test('a new bundled directory wakes a transfer that waits on an entity whose estimated risk it changes', async () => {
  const vasp = await createTenant(api);
  await database.pool.query(`update entities set risk_severity = 'high', risk_score = 95 where id = $1`, [
    await entityOf(vasp),
  ]);
  const rule = { field: 'counterpartyRiskSeverity', operator: 'EQ', value: 'high' };
  const sent = await waiting(rule, naming(vasp.name));
  await database.pool.query('delete from entity_bundles');
  const asked = new Date();
  await loadBundledEntities(api.db, asked);
  const { rows } = await database.pool.query(
    'select 1 from outbox o join transactions t on t.id = o.subject_id where t.id = $1 and t.wake_at >= $2',
    [sent.id, asked],
  );
  expect(rows).not.toEqual([]);
  await waits.screen(tenant, sent.id);
  expect((await readTransaction(tenant, sent.id)).subStatus).not.toBe('WAITING');
});

describe('a change while a transfer is being decided', () => {
  const judgedNaming = async (vasp: string, conditions: Json) => {
    await waits.publish(tenant, 'OUTGOING', conditions);
    const sent = await createTransaction(tenant, { originator: { name: 'Anna' }, ...naming(vasp) });
    return { sent, judged: await waits.judge(tenant, sent.id) };
  };

  test.each<[string, Json, (vasp: TestTenant) => Promise<unknown>]>([
    [
      'the entity is assessed',
      NOT_HIGH,
      async (vasp) => await asOperator('PATCH', `entities/${await entityOf(vasp)}`, { riskScore: 95 }),
    ],
    [
      'the tenant is renamed',
      IS_KNOWN,
      async (vasp) => await asOperator('PATCH', `tenants/${vasp.id}`, { name: newName() }),
    ],
  ])('%s after the judgement: the verdict is not stored', async (_what, conditions, change) => {
    const vasp = await createTenant(api);
    const { sent, judged } = await judgedNaming(vasp.name, conditions);
    await change(vasp);
    expect(await settleScreening(api.db, judged)).toBe('STALE');
    await waits.screen(tenant, sent.id);
    expect((await readTransaction(tenant, sent.id)).subStatus).not.toBe('WAITING');
  });

  test('the entity is assessed before the verdict is committed: the transfer is woken', async () => {
    const vasp = await createTenant(api);
    const id = await entityOf(vasp);
    const { sent, judged } = await judgedNaming(vasp.name, NOT_HIGH);
    const commit = holding();
    const settled = settleScreening(commit.db, judged);
    await commit.held;
    const assessed = asOperator('PATCH', `entities/${id}`, { riskScore: 95 });
    await untilSomebodyWaits(database.pool);
    commit.go();
    await Promise.all([settled, assessed]);
    expect((await readTransaction(tenant, sent.id)).subStatus).toBe('WAITING');
    expect(await decidedAgain(sent)).toMatch(WOKEN_AND_ON);
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

  test('its destination is registered before the verdict is committed: the transfer is woken', async () => {
    const vasp = await createTenant(api);
    const destination = evmAddress();
    await waits.publish(tenant, 'OUTGOING', IS_UNKNOWN);
    const sent = await createTransaction(tenant, {
      originator: { name: 'Anna' },
      blockchainInfo: { destination },
    });
    const commit = holding();
    const settled = settleScreening(commit.db, await waits.judge(tenant, sent.id));
    await commit.held;
    const registered = registerWallet(vasp, destination);
    await untilSomebodyWaits(database.pool);
    commit.go();
    await Promise.all([settled, registered]);
    expect(await decidedAgain(sent)).toMatch(WOKEN_AND_ON);
  });

  test('the sender of an arriving message is assessed: the verdict on it is made again', async () => {
    const sender = await createTenant(api);
    const destination = evmAddress();
    await registerWallet(tenant, destination);
    await waits.publish(tenant, 'INCOMING', NOT_HIGH);
    const sent = await createTransaction(sender, { blockchainInfo: { destination } });
    const id = await deliver(api, sender, tenant, sent.id);
    await database.pool.query(
      `update transactions set screening_state = 'DUE', screening_due_since = now() where id = $1`,
      [id],
    );
    const judged = await waits.judge(tenant, id);
    await asOperator('PATCH', `entities/${await entityOf(sender)}`, { riskScore: 95 });
    expect(await settleScreening(api.db, judged)).toBe('STALE');
  });

  test.each(['before', 'while'])(
    'a verification of its wallet is created %s the verdict is stored: it is decided again',
    async (when) => {
      await waits.publish(tenant, 'OUTGOING', { field: 'walletVerificationStatus', operator: 'NOT_EXISTS' });
      const address = evmAddress();
      const wallet = { asset: 'ETH', blockchain: 'Ethereum', address };
      const sent = await createTransaction(tenant, {
        originator: { name: 'Anna' },
        blockchainInfo: { destination: address, destinationType: 'NON_CUSTODIAL', blockchain: 'Ethereum' },
      });
      const judged = await waits.judge(tenant, sent.id);
      const commit = holding();
      const settled = when === 'before' ? null : settleScreening(commit.db, judged);
      if (settled) await commit.held;
      const verified = createVerification(tenant, wallet);
      if (settled) await untilRowIsAwaited();
      else await verified;
      commit.go();
      await Promise.all([settled ?? settleScreening(api.db, judged), verified]);
      if (settled) expect(await decidedAgain(sent)).toMatch(WOKEN_AND_ON);
      expect((await readTransaction(tenant, sent.id)).subStatus).not.toBe('WAITING');
    },
  );
});

/** Waits until somebody waits for the lock of a row. */
async function untilRowIsAwaited(): Promise<void> {
  const waitingForLock = async () =>
    await database.pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
  await eventually(waitingForLock, ({ rows }) => rows.length > 0);
}

describe('nobody else is woken', () => {
  test('by a tenant whose new name is the legal name of the sender', async () => {
    const legalName = newName();
    const sender = await createTenant(api, { legalName });
    const destination = evmAddress();
    await registerWallet(tenant, destination);
    await waits.publish(tenant, 'INCOMING', NOT_HIGH);
    const sent = await createTransaction(sender, { blockchainInfo: { destination } });
    const id = await deliver(api, sender, tenant, sent.id);
    await database.pool.query(
      `update transactions set screening_state = 'DUE', screening_due_since = now() where id = $1`,
      [id],
    );
    await waits.screen(tenant, id);
    expect((await readTransaction(tenant, id)).subStatus).toBe('WAITING');
    const other = await createTenant(api);
    await asOperator('PATCH', `tenants/${other.id}`, { name: legalName });
    expect((await other.patch('/tenant/me', { country: 'FR' })).status).toBe(200);
    expect(await decidedAgain({ id })).toBe('not woken');
  });

  test('by a change of a tenant that leaves name and country as they are', async () => {
    const vasp = await createTenant(api);
    const sent = await waiting(NOT_HIGH, naming(vasp.name));
    expect((await vasp.patch('/tenant/me', { email: 'other@vasp.example' })).status).toBe(200);
    expect(await decidedAgain(sent)).toBe('not woken');
  });
});

test('a thousand transfers that wait are woken together, by two at once in any order', async () => {
  const ids = [tenant.id, ...(await bulkTenants(database.pool, 3))];
  await bulkTransactions(database.pool, ids, { count: 1_000, wakeAt: 'null' });
  const entityId = randomUUID();
  await database.pool.query(
    `update transactions set rule_wait_until = now() + interval '1 hour', screening_state = 'CLEARED',
       beneficiary_vasp_folded = 'crowd', destination_normal = 'crowd', counterparty_entity_id = $1
     where destination_normal = 'd'`,
    [entityId],
  );
  const now = new Date();
  const woken = await Promise.all(
    [
      { destinationsNormal: ['crowd'] },
      { entityIds: [entityId], vaspsFolded: [] },
      { entityIds: [], vaspsFolded: ['crowd'] },
    ].map(
      async (route) => await inTransaction(database.pool, async (tx) => await wakeUnrouted(tx, route, now)),
    ),
  );
  expect(woken.map((outbox) => outbox.length)).toEqual([1_000, 1_000, 1_000]);
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*)::int as count from transactions where destination_normal = 'crowd' and screening_state = 'DUE'
       and wake_at = $1`,
    [now],
  );
  expect(rows).toEqual([{ count: 1_000 }]);
});
