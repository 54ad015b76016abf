import { createHash, createPublicKey, randomBytes, verify } from 'node:crypto';
import { checkSeals } from '../../../db/seals/check-seals.ts';
import { findOutgoingDelivery, openDelivery } from '../../../db/webhooks/outgoing-delivery.ts';
import { rotateKeys } from '../../../db/vault/rotate-keys.ts';
import { openVault } from '../../../db/vault/vault.ts';
import { verifyEvents } from '../../../db/events/verify-events.ts';
import { addMs, DAY_MS, HOUR_MS } from '../../../domain/durations.ts';
import type { EventSeal } from '../../../domain/seals/seal.ts';
import { dayAfter, dayOf, startOf } from '../../../domain/seals/days.ts';
import { sealRound } from '../../../worker/seal-loop.ts';
import { readLog, unguarded, forged, replaceLast } from '../../factories/tampering.ts';
import { createTenant, WEBHOOK_URL, type TestTenant } from '../../factories/tenant.ts';
import { createTransaction } from '../../factories/transaction.ts';
import { createVerification } from '../../factories/verification.ts';
import type { TestApi } from '../../api-client.ts';
import type { TestDatabase } from '../../database.ts';
import { useApi, useTenant } from '../../use-api.ts';

/** Every test has a deployment of its own: seals cannot be taken back. */
function deployment(): { api: TestApi; database: TestDatabase; tenant: TestTenant } {
  const { api, database } = useApi();
  return { api, database, tenant: useTenant(api, { webhookUrl: WEBHOOK_URL }) };
}

/** What one worker does until nothing is left to seal at that moment; the webhooks that it would start. */
async function sealAll(api: TestApi, now: Date): Promise<string[]> {
  const started: string[] = [];
  const deps = {
    db: api.db,
    now: () => now,
    notifyWorkflows: (entries: readonly { subjectId: string }[]) =>
      void started.push(...entries.map(({ subjectId }) => subjectId)),
  };
  while (await sealRound(deps));
  return started;
}

const today = dayOf(new Date());
/** The moment from which this day and the `further` ones after it are sealed. */
const sealedFrom = (further = 0) => addMs(startOf(today), (1 + further) * DAY_MS + HOUR_MS);

const sealsOf = async (tenant: TestTenant) => (await tenant.get<EventSeal[]>('/tenant/me/seals')).body;

const faultsOf = async ({ api }: { api: TestApi }, now: Date) =>
  (await checkSeals(api.db, addMs(now, HOUR_MS))).faults.map(({ fault }) => fault);

describe('the seal of a day', () => {
  const at = deployment();

  test('is made an hour after its end, for every tenant, once', async () => {
    const { api, tenant } = at;
    await createTransaction(tenant);
    await sealAll(api, addMs(sealedFrom(), -1));
    expect(await sealsOf(tenant)).toEqual([]);
    const other = await createTenant(api);
    await Promise.all([sealAll(api, sealedFrom()), sealAll(api, sealedFrom())]);
    await sealAll(api, sealedFrom());
    expect(await sealsOf(tenant)).toMatchObject([
      { tenantId: tenant.id, day: today, heads: 1, previous: null },
    ]);
    expect(await sealsOf(other)).toMatchObject([
      { tenantId: other.id, day: today, heads: 0, previous: null },
    ]);
  });

  test('days that no worker has seen are sealed in their order, each after the one before', async () => {
    const { api, tenant } = at;
    await sealAll(api, sealedFrom(3));
    const seals = (await sealsOf(tenant)).toReversed();
    const days = [today];
    for (let further = 0; further < 3; further += 1) days.push(dayAfter(days.at(-1) ?? ''));
    expect(seals.map(({ day }) => day)).toEqual(days);
    const hashes = seals.map(({ jws }) => createHash('sha256').update(jws).digest('hex'));
    expect(seals.map(({ previous }) => previous)).toEqual([null, ...hashes.slice(0, -1)]);
  });

  test('a tenant can check it with the public key and its own events', async () => {
    const { tenant } = at;
    const seal = (await sealsOf(tenant)).at(-1);
    if (!seal) throw new Error('no seal');
    const [header = '', payload = '', signature = ''] = seal.jws.split('.');
    const bytes = Buffer.from(`${header}.${payload}`);
    const key = createPublicKey(seal.publicKey);
    expect(verify(null, bytes, key, Buffer.from(signature, 'base64url'))).toBe(true);
    const { tenantId, day, heads, root, previous, audit, operatorAudit } = seal;
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toEqual({
      tenantId,
      day,
      heads,
      root,
      previous,
      audit,
      operatorAudit,
    });
    const [{ id } = { id: '' }] = (await tenant.get<{ id: string }[]>('/transactions')).body;
    const [last] = (await tenant.get<{ sequence: number; hash: string }[]>(`/transactions/${id}/events`))
      .body;
    const line = `TRANSACTION ${id} ${last?.sequence} ${last?.hash}\n`;
    expect(root).toBe(createHash('sha256').update(line).digest('hex'));
  });

  test('cannot be changed, removed or emptied', async () => {
    for (const text of [
      'update event_seals set jws = jws',
      'delete from event_seals',
      'truncate event_seals',
    ]) {
      await expect(at.database.pool.query(text)).rejects.toThrow('seals are immutable');
    }
  });

  test('is listed by pages and days, for ADMIN and COMPLIANCE, and for its own tenant only', async () => {
    const { tenant } = at;
    const page = await tenant.get<EventSeal[]>('/tenant/me/seals?_start=1&_end=3');
    expect(page.body).toHaveLength(2);
    expect(page.headers.get('X-Total-Count')).toBe('4');
    const some = await tenant.get<EventSeal[]>(`/tenant/me/seals?_to=${today}`);
    expect(some.body.map(({ day }) => day)).toEqual([today]);
    expect((await tenant.get<EventSeal[]>(`/tenant/me/seals?q=${today}&_sort=day`)).body).toHaveLength(1);
    expect((await (await tenant.as('COMPLIANCE')).get('/tenant/me/seals')).status).toBe(200);
    expect((await (await tenant.as('OBSERVER')).get('/tenant/me/seals')).status).toBe(403);
    expect((await tenant.get('/tenant/me/seals?_from=2026-13-01')).status).toBe(400);
    expect(
      (await tenant.get<EventSeal[]>('/tenant/me/seals')).body.every(
        ({ tenantId }) => tenantId === tenant.id,
      ),
    ).toBe(true);
  });
});

describe('the webhook', () => {
  const at = deployment();

  test('goes to the tenants that ask for it, with the seal as its body', async () => {
    const { api, tenant } = at;
    const silent = await createTenant(api, { webhookUrl: WEBHOOK_URL });
    expect((await tenant.patch('/tenant/me/settings', { sealWebhook: true })).status).toBe(200);
    const [started, ...more] = await sealAll(api, sealedFrom());
    expect(more).toEqual([]);
    const delivery = await findOutgoingDelivery(api.db.pool, started ?? '');
    expect(delivery).toMatchObject({ kind: 'seal', tenantId: tenant.id, isSuperseded: false });
    if (!delivery) throw new Error('no delivery');
    const { body } = await openDelivery(api.db, delivery, new Date());
    expect(JSON.parse(body.toString())).toEqual((await sealsOf(tenant))[0]);
    expect((await silent.get('/tenant/me/webhook-deliveries')).body).toEqual([]);
    expect((await tenant.get('/tenant/me/webhook-deliveries?_kind=seal')).body).toMatchObject([
      { eventType: 'seal', resourceId: tenant.id, resourceVersion: Number(today.replaceAll('-', '')) },
    ]);
    await sealAll(api, sealedFrom());
    expect((await tenant.get('/tenant/me/webhook-deliveries')).body).toHaveLength(1);
  });

  test('a round that is broken off has sealed nobody; the next one seals the day', async () => {
    const { api } = at;
    const tenantKeys = async () => await Promise.reject(new Error('cut off'));
    const vault = { heads: api.db.vault.heads, seals: api.db.vault.seals, tenantKeys };
    const db = { ...api.db, vault: vault as unknown as TestApi['db']['vault'] };
    const days = async () =>
      (await at.database.pool.query('select from event_seals where day > $1::date', [today])).rowCount;
    await expect(sealAll({ ...api, db }, sealedFrom(1))).rejects.toThrow('cut off');
    expect(await days()).toBe(0);
    expect(await sealAll(api, sealedFrom(1))).toHaveLength(1);
    expect(await days()).toBe(2);
  });

  test('a tenant without keys is sealed, and keeps nobody from a seal', async () => {
    const { api, database, tenant } = at;
    await database.pool.query('delete from vault_keys where owner = $1', [tenant.id]);
    api.db.vault.dropTenant(tenant.id);
    expect(await sealAll(api, sealedFrom(2))).toEqual([]);
    const { rows } = await database.pool.query('select from event_seals where day = $1::date', [
      dayAfter(dayAfter(today)),
    ]);
    expect(rows).toHaveLength(2);
  });
});

describe('checking the seals', () => {
  const at = deployment();
  const now = sealedFrom(2);
  let ids: string[];

  beforeAll(async () => {
    const { api, tenant } = at;
    ids = [];
    for (let count = 0; count < 3; count += 1) ids.push((await createTransaction(tenant)).id);
    ids.push((await createVerification(tenant)).id);
    await createTenant(api);
    expect(await faultsOf(at, now)).toHaveLength(6);
    await sealAll(api, now);
  });

  test('whole ones have no fault', async () => {
    expect(await checkSeals(at.api.db, addMs(now, HOUR_MS))).toMatchObject({ checked: 6, faults: [] });
  });

  /** What a check finds after a change of the owner of the tables, which is then undone. */
  async function foundAfter(tamper: string, undo: string): Promise<string[]> {
    const { pool } = at.database;
    await unguarded(pool, async () => await pool.query(tamper));
    const faults = await faultsOf(at, now);
    await unguarded(pool, async () => await pool.query(undo));
    expect(await faultsOf(at, now)).toEqual([]);
    return faults;
  }

  test('one that is missing in the middle, and at the end', async () => {
    const { tenant, database } = at;
    await database.pool.query('create table taken as select * from event_seals');
    const restore = 'insert into event_seals select * from taken on conflict do nothing';
    const middle = dayAfter(today);
    const remove = (day: string) =>
      `delete from event_seals where tenant_id = '${tenant.id}' and day = '${day}'`;
    expect(await foundAfter(remove(middle), restore)).toEqual([
      `the seal of ${middle} is missing`,
      `the seal of ${dayAfter(middle)} does not follow the seal before`,
    ]);
    expect(await foundAfter(remove(dayAfter(middle)), restore)).toEqual([
      `the seal of ${dayAfter(middle)} is missing`,
    ]);
  });

  test('one that was written by other hands, and one of another tenant or day', async () => {
    const { tenant } = at;
    const mine = `tenant_id = '${tenant.id}' and day = '${today}'`;
    const restore = `update event_seals s set jws = t.jws from taken t where (s.tenant_id, s.day) = (t.tenant_id, t.day)`;
    const [header = '', , signature = ''] = (await sealsOf(tenant)).at(-1)?.jws.split('.') ?? [];
    const forgery = `${header}.${Buffer.from('{"heads":0}').toString('base64url')}.${signature}`;
    expect(await foundAfter(`update event_seals set jws = '${forgery}' where ${mine}`, restore)).toContain(
      `the seal of ${today} was not signed by this deployment`,
    );
    const others = `(select jws from event_seals where tenant_id <> '${tenant.id}' and day = '${today}' limit 1)`;
    expect(await foundAfter(`update event_seals set jws = ${others} where ${mine}`, restore)).toContain(
      `the seal of ${today} is that of another tenant or day`,
    );
  });

  test('one with something written behind its signature', async () => {
    const mine = `tenant_id = '${at.tenant.id}' and day = '${dayAfter(today)}'`;
    const restore = `update event_seals s set jws = t.jws from taken t where (s.tenant_id, s.day) = (t.tenant_id, t.day)`;
    expect(await foundAfter(`update event_seals set jws = jws || '.more' where ${mine}`, restore)).toContain(
      `the seal of ${dayAfter(today)} was not signed by this deployment`,
    );
  });

  test('a tenant whose creation was moved to another time has its seals and events compared all the same', async () => {
    const move = (by: string) => `update tenants set created_at = created_at ${by} interval '10 years'`;
    const removed = `delete from event_seals where tenant_id = '${at.tenant.id}'`;
    const restore = 'insert into event_seals select * from taken on conflict do nothing';
    expect(await foundAfter(`${move('+')}; ${removed}`, `${move('-')}; ${restore}`)).toEqual(
      [today, dayAfter(today), dayAfter(dayAfter(today))].map((day) => `the seal of ${day} is missing`),
    );
  });

  test.each(['infinity', '12000-01-01', '2200-01-01', `${dayAfter(today)}T00:00:00Z`])(
    'a tenant without events whose creation was moved to %s to hide that its seals were removed',
    async (time) => {
      const { rows } = await at.database.pool.query<{ id: string; created_at: Date }>(
        'select id, created_at from tenants where id <> $1 and test_behaviour is null order by created_at desc limit 1',
        [at.tenant.id],
      );
      const [{ id, created_at }] = rows as [{ id: string; created_at: Date }];
      const faults = await foundAfter(
        `update tenants set created_at = '${time}' where id = '${id}'; delete from event_seals where tenant_id = '${id}'`,
        `update tenants set created_at = '${created_at.toISOString()}' where id = '${id}';
         insert into event_seals select * from taken on conflict do nothing`,
      );
      expect(faults).toEqual(
        [today, dayAfter(today), dayAfter(dayAfter(today))].map((day) => `the seal of ${day} is missing`),
      );
    },
  );

  test('an event whose hash was taken out of its row is a fault of its day, and hides no other', async () => {
    const { database } = at;
    await database.pool.query(`create table logged as select * from events where subject_id = '${ids[1]}'`);
    await database.pool.query('alter table events alter hash drop not null');
    const tamper = `update events set hash = null where subject_id = '${ids[1]}'`;
    const undo = `update events e set hash = l.hash from logged l where (e.subject_id, e.sequence) = (l.subject_id, l.sequence)`;
    expect(await foundAfter(tamper, undo)).toEqual([
      `the seal of ${today} does not fit the events of that day: 4 records have some, 4 were sealed`,
    ]);
  });

  test('one of a day to come is a fault, and stops neither the seals nor their list', async () => {
    const { api, tenant, database } = at;
    const other = await createTenant(api);
    const planted = `insert into event_seals (tenant_id, day, jws, created_at) values ('${tenant.id}', '9999-12-31', 'x', now())`;
    await database.pool.query(planted);
    expect(await faultsOf(at, now)).toContain('the seal of 9999-12-31 is of a day to come');
    await sealAll(api, now);
    expect(await sealsOf(other)).toHaveLength(3);
    expect((await sealsOf(tenant)).map(({ day }) => day)).not.toContain('9999-12-31');
    const remove = () => database.pool.query(`delete from event_seals where day = '9999-12-31'`);
    await unguarded(database.pool, remove);
    expect(await faultsOf(at, now)).toEqual([]);
  });

  test('two of one day are a fault', async () => {
    const { database } = at;
    await database.pool.query(
      `create table copies () inherits (event_seals);
       insert into copies select * from only event_seals where day = '${today}'`,
    );
    const { rowCount } = await database.pool.query('select from copies');
    expect(await faultsOf(at, now)).toEqual(
      Array.from({ length: rowCount ?? 0 }, () => `the seal of ${today} is stored twice`),
    );
    await database.pool.query('drop table copies');
    expect(await faultsOf(at, now)).toEqual([]);
  });

  test('one of the beginning of time, and a creation then, are found and stop nothing', async () => {
    const { api, tenant, database } = at;
    const other = await createTenant(api);
    await database.pool.query(`update tenants set created_at = '-infinity' where id = '${other.id}'`);
    await database.pool.query(
      `insert into event_seals (tenant_id, day, jws, created_at) values ('${tenant.id}', '-infinity', 'x', now())`,
    );
    expect(await faultsOf(at, now)).toContain('the seal of -infinity is of a day before this product');
    await sealAll(api, now);
    const { rows } = await database.pool.query<{ day: string }>(
      `select min(day)::text as day from event_seals where tenant_id = '${other.id}'`,
    );
    expect(rows).toEqual([{ day: '2026-01-01' }]);
    const remove = () =>
      database.pool.query(`delete from event_seals where day = '-infinity' or tenant_id = '${other.id}'`);
    await unguarded(database.pool, remove);
    await database.pool.query(`update tenants set created_at = now() where id = '${other.id}'`);
    await sealAll(api, now);
    expect(await faultsOf(at, now)).toEqual([]);
  });

  test('a record that was removed with its log, its head and all', async () => {
    const found = await foundAfter(
      `create table gone as select * from events where subject_id = '${ids[1]}';
       delete from events where subject_id = '${ids[1]}'`,
      `insert into events overriding system value select * from gone; drop table gone`,
    );
    expect(found).toEqual([
      `the seal of ${today} does not fit the events of that day: 3 records have some, 4 were sealed`,
    ]);
  });

  test('not a log that was put back to its last sealed state with the anchor of then', async () => {
    const { api, tenant, database } = at;
    const id = ids[0] ?? '';
    const { rows } = await database.pool.query<{ head: Buffer; head_mac: Buffer }>(
      'select head, head_mac from transactions where id = $1',
      [id],
    );
    await tenant.patch(`/transactions/${id}`, { metadata: 'later' });
    await database.pool.query(
      'update transactions set sequence = 1, head = $2, head_mac = $3 where id = $1',
      [id, rows[0]?.head, rows[0]?.head_mac],
    );
    await unguarded(database.pool, async () =>
      database.pool.query('delete from events where subject_id = $1 and sequence = 2', [id]),
    );
    // As the texts say, this is not found: what was taken back had not been sealed.
    expect((await verifyEvents(api.db, id)).faults).toEqual([]);
    expect(await faultsOf(at, now)).toEqual([]);
  });

  test('a sealed entry that was forged, even by somebody who could make anchors', async () => {
    const { api, database, tenant } = at;
    const id = ids[2] ?? '';
    const last = (await readLog(database.pool, id)).at(-1);
    if (!last) throw new Error('no log');
    const other = forged(last, { message: 'x' });
    await unguarded(database.pool, async () => replaceLast(database.pool, other));
    await database.pool.query('update transactions set head_mac = $2 where id = $1', [
      id,
      api.db.vault.heads.macOf({
        subjectKind: 'TRANSACTION',
        subjectId: id,
        tenantId: tenant.id,
        sequence: other.sequence,
        head: other.hash,
      }),
    ]);
    expect((await verifyEvents(api.db, id)).faults).toEqual([]);
    expect(await faultsOf(at, now)).toEqual([
      `the seal of ${today} does not fit the events of that day: 4 records have some, 4 were sealed`,
    ]);
  });
});

describe('under a new master key', () => {
  const at = deployment();

  test('anchors and seals stay as they are, and the next seal has the same key', async () => {
    const { api, database, tenant } = at;
    const { id } = await createTransaction(tenant);
    await sealAll(api, sealedFrom());
    const { MASTER_KEY } = api.config;
    const masterKey = randomBytes(32).toString('hex');
    const rotation = { pool: database.pool, masterKey, previousMasterKey: MASTER_KEY, newTenantKeys: true };
    expect(await rotateKeys({ ...rotation, log: () => undefined })).toMatchObject({ left: 0 });
    const vault = await openVault({ pool: api.db.pool, masterKey, environment: 'sandbox' });
    const db = { ...api.db, vault };
    expect((await verifyEvents(db, id)).faults).toEqual([]);
    await sealAll({ ...api, db }, sealedFrom(1));
    expect((await checkSeals(db, addMs(sealedFrom(1), HOUR_MS))).faults).toEqual([]);
    const seals = await sealsOf(tenant);
    expect(new Set(seals.map(({ publicKey }) => publicKey)).size).toBe(1);
    expect(seals).toHaveLength(2);
  });
});
