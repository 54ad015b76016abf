import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { insertSql, unnestValues } from '../../../db/columns.ts';
import { eventColumns } from '../../../db/events/event-columns.ts';
import { readPayloads } from '../../../db/events/check-payloads.ts';
import { LARGEST_VALUE, readableColumns } from '../../../db/events/readable-columns.ts';
import { verifyEvents } from '../../../db/events/verify-events.ts';
import { eraseStoredTransaction } from '../../../db/lifecycle/erase-record.ts';
import { newId } from '../../../db/new-id.ts';
import { inTransaction } from '../../../db/postgres.ts';
import { sealOldestDay } from '../../../db/seals/seal-day.ts';
import { addMs, DAY_MS, HOUR_MS } from '../../../domain/durations.ts';
import { eventually } from '../../eventually.ts';
import { forged, readLog, replaceLast, unguarded } from '../../factories/tampering.ts';
import { createMessagePair, createTransaction } from '../../factories/transaction.ts';
import { createVerification } from '../../factories/verification.ts';
import { projectRoot } from '../../../standalone/project-root.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenantPerTest(api);
const counterparty = useTenantPerTest(api);

const NOT_ANCHORED =
  'the head is not the one that was anchored: entries were removed from the end, or written by other hands';

async function sql(text: string, ...values: unknown[]): Promise<void> {
  await database.pool.query(text, values);
}

const faultsOf = async (id: string): Promise<string[]> =>
  (await verifyEvents(api.db, id)).faults.map(({ fault }) => fault);

/** A transaction with three events. */
async function logged(): Promise<string> {
  const { id } = await createTransaction(tenant);
  for (const metadata of ['a', 'b']) await tenant.patch(`/transactions/${id}`, { metadata });
  expect(await readLog(database.pool, id)).toHaveLength(3);
  return id;
}

describe('as the owner of the tables', () => {
  test('an untouched log has no fault: of either side of an exchange, deleted, and of a verification', async () => {
    const { outgoingId, incomingId } = await createMessagePair(api, tenant, counterparty);
    await counterparty.patch(`/transactions/${incomingId}`, { status: 'CONFIRMED' });
    await tenant.delete(`/transactions/${outgoingId}`);
    const { id } = await createVerification(tenant);
    for (const each of [outgoingId, incomingId, id]) expect(await faultsOf(each)).toEqual([]);
  });

  test('a tail that was cut together with its head', async () => {
    const id = await logged();
    const [, second] = await readLog(database.pool, id);
    await unguarded(database.pool, async () => {
      await sql('delete from events where subject_id = $1 and sequence = 3', id);
      await sql('update transactions set sequence = 2, head = $2 where id = $1', id, second?.hash);
    });
    expect(await faultsOf(id)).toEqual([NOT_ANCHORED]);
  });

  test('a last entry that was forged together with its head', async () => {
    const id = await logged();
    const last = (await readLog(database.pool, id)).at(-1);
    if (!last) throw new Error('no log');
    await unguarded(database.pool, async () =>
      replaceLast(database.pool, forged(last, { message: 'Something else happened.' })),
    );
    expect(await faultsOf(id)).toEqual([NOT_ANCHORED]);
  });

  test('an entry that was added together with its head', async () => {
    const id = await logged();
    const last = (await readLog(database.pool, id)).at(-1);
    if (!last) throw new Error('no log');
    const added = forged(last, {
      sequence: 4,
      previousHash: last.hash,
      id: '0190d1a2-7b3c-7def-8123-456789abcdef',
    });
    await unguarded(database.pool, async () => replaceLast(database.pool, added));
    expect(await faultsOf(id)).toEqual([NOT_ANCHORED]);
  });

  test('an anchor of another record, or of the same record under another tenant', async () => {
    const [id, other] = [await logged(), await logged()];
    await sql(
      'update transactions set head_mac = (select head_mac from transactions where id = $2) where id = $1',
      id,
      other,
    );
    await sql('update transactions set tenant_id = $2 where id = $1', other, counterparty.id);
    expect(await faultsOf(id)).toEqual([NOT_ANCHORED]);
    expect(await faultsOf(other)).toContain(NOT_ANCHORED);
  });

  test('a forged entry is not covered up by what is changed after it', async () => {
    const id = await logged();
    const last = (await readLog(database.pool, id)).at(-1);
    if (!last) throw new Error('no log');
    await unguarded(database.pool, async () => replaceLast(database.pool, forged(last, { message: 'x' })));
    expect((await tenant.patch(`/transactions/${id}`, { metadata: 'later' })).status).toBe(200);
    expect(await faultsOf(id)).toEqual([NOT_ANCHORED]);
  });

  test('events without a record', async () => {
    const id = await logged();
    await unguarded(database.pool, async () => {
      await sql('delete from idempotency_keys');
      await sql('delete from transaction_screenings where transaction_id = $1', id);
      await sql('delete from transactions where id = $1', id);
    });
    expect(await faultsOf(id)).toEqual(['3 events without a record']);
    expect((await verifyEvents(api.db)).faults).toContainEqual({ id, fault: '3 events without a record' });
    for (const kind of ['WALLET', 'VERIFICATION']) {
      await unguarded(database.pool, async () =>
        sql('update events set subject_kind = $2 where subject_id = $1', id, kind),
      );
      expect(await faultsOf(id)).toEqual(['3 events without a record']);
    }
  });

  test('an entry of another kind beside the log of a record', async () => {
    const id = await logged();
    const last = (await readLog(database.pool, id)).at(-1);
    if (!last) throw new Error('no log');
    const beside = { ...last, subjectKind: 'WALLET' as never, sequence: 4, id: newId(new Date()) };
    await sql(insertSql('events', eventColumns), ...unnestValues(eventColumns, [beside]));
    expect(await faultsOf(id)).toEqual(['1 events without a record']);
  });

  test('a record without events', async () => {
    const id = await logged();
    await unguarded(database.pool, async () => sql('delete from events where subject_id = $1', id));
    await sql(`update transactions set sequence = 0, head = '', head_mac = null where id = $1`, id);
    expect(await faultsOf(id)).toContain('the record has no events');
  });

  test.each(['transactions', 'verifications'])('a status of %s that no event explains', async (table) => {
    const { id } =
      table === 'transactions' ? await createTransaction(tenant) : await createVerification(tenant);
    await sql(`update ${table} set status = 'DECLINED' where id = $1`, id);
    expect(await faultsOf(id)).toEqual(['no event explains the status DECLINED: the last one is PENDING']);
  });

  test('a status that a forged entry explains', async () => {
    const id = await logged();
    const last = (await readLog(database.pool, id)).at(-1);
    if (!last) throw new Error('no log');
    await unguarded(database.pool, async () =>
      replaceLast(database.pool, forged(last, { previousStatus: 'PENDING', newStatus: 'CONFIRMED' })),
    );
    await sql(`update transactions set status = 'CONFIRMED' where id = $1`, id);
    expect(await faultsOf(id)).toEqual([NOT_ANCHORED]);
  });
});

describe('a log that cannot be read is a fault, and the others are checked all the same', () => {
  const both = async (id: string, other: string): Promise<string[]> => {
    const { faults } = await verifyEvents(api.db);
    const found = faults.filter((each) => each.id === id).map(({ fault }) => fault);
    expect(faults.some((each) => each.id === other)).toBe(true);
    return found;
  };

  /** Two logs, of which the second one to be read is at fault anyway. */
  async function twoLogs(): Promise<[string, string]> {
    const [id, other] = [await logged(), await logged()];
    await sql(`update transactions set status = 'FAILED' where id = $1`, other);
    return [id, other];
  }

  test.each(['infinity', '-infinity', '0044-03-15 BC', '9999-12-31', '290000-01-01'])(
    'an entry of %s',
    async (time) => {
      const [id, other] = await twoLogs();
      await unguarded(database.pool, async () =>
        sql(
          'update events set created_at = $2::timestamptz where subject_id = $1 and sequence = 2',
          id,
          time,
        ),
      );
      expect(await both(id, other)).toEqual(['entry 2 was changed']);
    },
  );

  test('an entry with data of absurd depth', async () => {
    const [id, other] = await twoLogs();
    const tamper = `update events set data = (repeat('[', $2) || repeat(']', $2))::jsonb
      where subject_id = $1 and sequence = 2`;
    await unguarded(database.pool, async () => {
      const client = await database.pool.connect();
      await client.query(`set max_stack_depth = '6MB'`);
      await client.query(tamper, [id, 20_000]).finally(() => client.release(true));
    });
    expect(await both(id, other)).toEqual(['the log cannot be read: RangeError']);
  });

  test.each([
    ['message', `repeat('x', 17000000)`],
    ['new_status', `repeat('x', 17000000)`],
    ['previous_hash', `convert_to(repeat('x', 17000000), 'UTF8')`],
    // Null in the entry, so that it must not be read as if nothing were there.
    ['basis', `to_jsonb(repeat('x', 17000000))`],
  ])('an entry with a %s that is too large to be read', async (column, value) => {
    const [id, other] = await twoLogs();
    const tamper = `update events set ${column} = ${value} where subject_id = $1 and sequence = 2`;
    await unguarded(database.pool, async () => sql(tamper, id));
    const found = await both(id, other);
    expect(found[0]).toMatch(/^entry 2 (was changed|does not follow entry 1)$/);
    const { rows } = await database.pool.query<Record<string, unknown>>(
      `select ${readableColumns} from events where subject_id = $1 and sequence = 2`,
      [id],
    );
    expect(String(rows[0]?.[column])).toBe('(too large)');
  });

  // Rules name their decisions in the data of SCREENED, which is read of every entry.
  test.each([
    ['null', `'null'::jsonb`],
    ['a text', `'"x"'::jsonb`],
    ['a text that is too large to be read', `to_jsonb(repeat('x', 17000000))`],
  ])('an entry whose data is %s', async (_what, value) => {
    const [id, other] = await twoLogs();
    const tamper = `update events set type = 'SCREENED', data = ${value} where subject_id = $1 and sequence = 2`;
    await unguarded(database.pool, async () => sql(tamper, id));
    expect(await both(id, other)).toEqual(['entry 2 was changed']);
  });

  test('a tenant whose key was taken out of its row', async () => {
    const [id, other] = await twoLogs();
    await sql('alter table vault_keys alter wrapped drop not null');
    await sql('update vault_keys set wrapped = null where owner = $1', tenant.id);
    api.db.vault.dropTenant(tenant.id);
    expect(await both(id, other)).toEqual([
      'the key of the record, or that of its tenant, was destroyed or changed',
    ]);
  });

  test('a record without a key', async () => {
    const { outgoingId } = await createMessagePair(api, tenant, counterparty);
    const other = await logged();
    await sql(`update transactions set status = 'FAILED' where id = $1`, other);
    await sql('alter table transactions alter record_key drop not null');
    await sql('update transactions set record_key = null where id = $1', outgoingId);
    expect(await both(outgoingId, other)).toEqual([
      expect.stringMatching(/^the payload of entry \d was changed$/),
    ]);
  });

  test('a payload that is too large to be read', async () => {
    const { outgoingId } = await createMessagePair(api, tenant, counterparty);
    const other = await logged();
    await sql(`update transactions set status = 'FAILED' where id = $1`, other);
    await sql(
      `update payload_versions set payload = payload || convert_to(repeat('x', 17000000), 'UTF8')
       where transaction_id = $1`,
      outgoingId,
    );
    expect(await both(outgoingId, other)).toEqual([
      expect.stringMatching(/^the payload of entry \d was changed$/),
    ]);
    const payloads = await readPayloads(database.pool, await readLog(database.pool, outgoingId));
    expect([...payloads.values()].map(({ length }) => length)).toEqual([LARGEST_VALUE]);
  });

  // JSON of PostgreSQL has no text of more than 256 MB.
  test('a column that is too large to be read', async () => {
    const { outgoingId } = await createMessagePair(api, tenant, counterparty);
    const other = await logged();
    await sql(`update transactions set status = 'FAILED' where id = $1`, other);
    await sql(`update transactions set origin_tag = repeat('x', 270000000) where id = $1`, outgoingId);
    expect(await both(outgoingId, other)).toEqual(['the record differs from the message: originTag']);
  });

  test('a payload whose tenant has changed keys', async () => {
    const { outgoingId } = await createMessagePair(api, tenant, counterparty);
    const other = await logged();
    await sql(`update transactions set status = 'FAILED' where id = $1`, other);
    await sql(String.raw`update vault_keys set wrapped = '\x00' where owner = $1`, tenant.id);
    api.db.vault.dropTenant(tenant.id);
    expect(await both(outgoingId, other)).toEqual([
      expect.stringMatching(/^the payload of entry \d was changed$/),
    ]);
  });
});

test('a deletion that no event explains, and one that was taken back', async () => {
  const { id: verificationId } = await createVerification(tenant);
  const [hidden, deleted] = [await logged(), await logged()];
  expect((await tenant.delete(`/transactions/${deleted}`)).status).toBe(204);
  await sql('update transactions set deleted_at = now() where id = $1', hidden);
  await sql('update transactions set deleted_at = null where id = $1', deleted);
  await sql('update verifications set deleted_at = now() where id = $1', verificationId);
  for (const id of [hidden, verificationId])
    expect(await faultsOf(id)).toEqual(['the record is deleted, which no event explains']);
  expect(await faultsOf(deleted)).toEqual(['the record is not deleted, as its events say']);
});

test('an erasure that no event explains, after which nobody could change the record', async () => {
  const [{ id: verificationId }, id] = [await createVerification(tenant), await logged()];
  await sql('update transactions set erased_at = now() where id = $1', id);
  await sql('update verifications set erased_at = now() where id = $1', verificationId);
  for (const marked of [id, verificationId])
    expect(await faultsOf(marked)).toEqual(['the record is marked as erased, which no event explains']);
});

describe('the columns of a message that was sent', () => {
  test.each([
    ['amount', 'amount = amount * 10', 'amount'],
    ['amount and asset', `amount = 'NaN', asset = 'BTC'`, 'asset, amount'],
    ['no amount', 'amount = null', 'amount'],
    ['destination', `destination = '0x0000000000000000000000000000000000000001'`, 'destination'],
    ['tag', `destination_tag = '7'`, 'destinationTag'],
    ['kind of wallet', `destination_type = 'NON_CUSTODIAL'`, 'destinationType'],
  ])('with another %s', async (_what, change, names) => {
    const { outgoingId, incomingId } = await createMessagePair(api, tenant, counterparty);
    for (const id of [outgoingId, incomingId]) {
      expect(await faultsOf(id)).toEqual([]);
      await sql(`update transactions set ${change} where id = $1`, id);
      expect(await faultsOf(id)).toEqual([
        expect.stringMatching(`differs from the message: (.*, )?${names}`),
      ]);
    }
  });

  test('with an amount of the same value fit', async () => {
    const { outgoingId } = await createMessagePair(api, tenant, counterparty);
    await sql('update transactions set amount = amount + 0.000 where id = $1', outgoingId);
    expect(await faultsOf(outgoingId)).toEqual([]);
  });
});

test('what is written between the reading of a record and of its events is no fault', async () => {
  const id = await logged();
  const last = (await readLog(database.pool, id)).at(-1);
  if (!last) throw new Error('no log');
  const added = forged(last, { sequence: 4, previousHash: last.hash, id: newId(new Date()) });
  const head = { subjectKind: 'TRANSACTION' as const, subjectId: id, tenantId: tenant.id, sequence: 4 };
  const mac = api.db.vault.heads.macOf({ ...head, head: added.hash });
  const reading = await inTransaction(database.pool, async (tx) => {
    await tx.query('lock table events in access exclusive mode');
    const faults = faultsOf(id);
    await eventually(
      async () =>
        await tx.query(`select from pg_locks where relation = 'events'::regclass and not granted
          and database = (select oid from pg_database where datname = current_database())`),
      ({ rowCount }) => rowCount === 1,
    );
    await tx.query(insertSql('events', eventColumns), unnestValues(eventColumns, [added]));
    await tx.query('update transactions set sequence = 4, head = $2, head_mac = $3 where id = $1', [
      id,
      added.hash,
      mac,
    ]);
    return { faults };
  });
  expect(await reading.faults).toEqual([]);
  expect(await faultsOf(id)).toEqual([]);
});

describe('the payloads that were sent', () => {
  test.each([
    [
      'one that was exchanged for another version of the same record',
      `update payload_versions set payload = (select payload from payload_versions v
         where v.transaction_id = $1 and v.event_id <> payload_versions.event_id limit 1) where transaction_id = $1`,
      'was changed',
    ],
    [
      'one that was written over',
      String.raw`update payload_versions set payload = '\x00' where transaction_id = $1`,
      'was changed',
    ],
    ['one that was removed', 'delete from payload_versions where transaction_id = $1', 'is missing'],
    [
      'one that was put to another record, whose evidence has it then',
      `update payload_versions set transaction_id = (select id from transactions where id <> $1 limit 1) where transaction_id = $1`,
      'is missing',
    ],
    [
      'one that was put to another tenant',
      'update payload_versions set tenant_id = gen_random_uuid() where transaction_id = $1',
      'is missing',
    ],
  ])('%s', async (_what, tamper, fault) => {
    const { outgoingId } = await createMessagePair(api, tenant, counterparty);
    await tenant.patch(`/transactions/${outgoingId}`, { originator: { name: 'Anna Maria Keller' } });
    const sent = (await readLog(database.pool, outgoingId)).filter(({ payloadHash }) => payloadHash);
    expect(sent).toHaveLength(2);
    expect(await faultsOf(outgoingId)).toEqual([]);
    await sql(tamper, outgoingId);
    expect(await faultsOf(outgoingId)).toEqual(
      sent.map(({ sequence }) => `the payload of entry ${sequence} ${fault}`),
    );
  });

  test('those of an erased record or tenant are reported as erased, which is no fault', async () => {
    const { outgoingId, incomingId } = await createMessagePair(api, tenant, counterparty);
    const refs = [
      { tenantId: tenant.id, id: outgoingId, isDeleted: false },
      { tenantId: counterparty.id, id: incomingId, isDeleted: false },
    ];
    for (const ref of refs)
      expect(
        await eraseStoredTransaction(api.db, ref, { reason: 'RETENTION', now: new Date() }),
      ).not.toBeNull();
    await destroyKeysOf(counterparty.id);
    for (const id of [outgoingId, incomingId]) {
      const decisions = { covered: 0, notCovered: 1 };
      expect(await verifyEvents(api.db, id)).toEqual({ checked: 1, faults: [], erased: [id], decisions });
    }
  });

  test('who destroys a key to hide what was changed is found, of a record and of a tenant', async () => {
    const { outgoingId, incomingId } = await createMessagePair(api, tenant, counterparty);
    await sql('update transactions set amount = amount * 10 where id = any($1)', [outgoingId, incomingId]);
    await sql(`update transactions set record_key = '' where id = $1`, outgoingId);
    await destroyKeysOf(counterparty.id);
    expect(await faultsOf(outgoingId)).toEqual([
      'the key of the record was destroyed, which no event explains',
    ]);
    expect(await faultsOf(incomingId)).toEqual(['the payload of entry 1 was changed']);
    const { id } = await createVerification(tenant);
    await sql(`update verifications set record_key = '' where id = $1`, id);
    expect(await faultsOf(id)).toEqual(['the key of the record was destroyed, which no event explains']);
  });

  test('so is who writes besides that the tenant was erased', async () => {
    const { outgoingId } = await createMessagePair(api, tenant, counterparty);
    const { id: unsentId } = await createTransaction(tenant);
    const { id } = await createVerification(tenant);
    await sql('update transactions set amount = amount * 10 where id = $1', outgoingId);
    await sql(
      `insert into tenant_erasures (id, tenant_id, state, reason, overrides, planned_for, planned_by, planned_at, under_retention,
         legal_holds) values ($1, $2, 'ERASED', '', false, now(), 'ada', now(), 0, 0)`,
      newId(new Date()),
      tenant.id,
    );
    await destroyKeysOf(tenant.id);
    expect(await faultsOf(outgoingId)).toEqual([
      expect.stringMatching(/^the payload of entry \d was changed$/),
    ]);
    expect(await faultsOf(unsentId)).toEqual([NO_KEY]);
    expect(await faultsOf(id)).toEqual([NO_KEY]);
  });

  test.each(['transactions', 'verifications'])('a key of %s that was written over', async (table) => {
    const { id } =
      table === 'transactions' ? await createTransaction(tenant) : await createVerification(tenant);
    expect(await faultsOf(id)).toEqual([]);
    await sql(String.raw`update ${table} set record_key = '\x00' where id = $1`, id);
    expect(await faultsOf(id)).toEqual([NO_KEY]);
  });
});

const NO_KEY = 'the key of the record, or that of its tenant, was destroyed or changed';

async function destroyKeysOf(tenantId: string): Promise<void> {
  await sql('delete from vault_keys where owner = $1', tenantId);
  api.db.vault.dropTenant(tenantId);
}

async function run(
  only: string[],
  masterKey = api.config.MASTER_KEY,
): Promise<{ code: number; output: string }> {
  const argv = [join(projectRoot, 'dist/commands/verify-events.js'), ...only];
  const env = { PATH: process.env['PATH'], DATABASE_URL: database.url, MASTER_KEY: masterKey };
  return await new Promise((resolve) => {
    const child = execFile(process.execPath, argv, { env }, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, output: stdout + stderr });
    });
  });
}

describe('npm run verify-events', () => {
  test('says what it has found and what it cannot find; exit code 1 for a fault, 0 for none', async () => {
    const id = await logged();
    const { code, output } = await run([id]);
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(
        /^1 event logs checked: 0 faults, 0 erased\.\n\d+ rule decisions [^\n]+\nNot found: /,
      ),
    ]);
    await sql(`update transactions set status = 'FAILED' where id = $1`, id);
    const writer = await logged();
    await unguarded(database.pool, async () =>
      sql(`update events set new_status = $2 where subject_id = $1`, writer, 'X\n0 faults\u001b[2J'),
    );
    const all = await run([]);
    expect(all.code).toBe(1);
    // What was written into a log writes no lines of its own.
    expect(all.output).toContain(
      `${writer}: no event explains the status PENDING: the last one is X?0 faults?[2J\n`,
    );
    expect(all.output).toContain(`${id}: no event explains the status FAILED: the last one is PENDING\n`);
    expect(all.output).toMatch(
      /\d+ event logs checked, 0 daily seals, \d+ audit entries: \d+ faults, \d+ erased\./,
    );
  });

  test('an id of no record is a fault, and a text that is no id is refused', async () => {
    const gone = newId(new Date());
    const none = await run([gone]);
    expect([none.code, none.output]).toEqual([
      1,
      expect.stringContaining(`${gone}: there is no record of this id, nor events of one\n`),
    ]);
    expect(await run(['--all'])).toEqual({
      code: 1,
      output: 'An id of a transaction, verification or claim is expected, or --anchor.\n',
    });
  });

  test('a wrong master key is one line', async () => {
    const { code, output } = await run([], '00'.repeat(32));
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/^MASTER_KEY does not open this database: .*\n$/),
    ]);
  });
});

test('a head without an anchor is a fault until somebody anchors it as it is, by command', async () => {
  const transactionId = await logged();
  const { id: verificationId } = await createVerification(tenant);
  const ids = [transactionId, verificationId];
  await sql('update transactions set head_mac = null where id = any($1)', ids);
  await sql('update verifications set head_mac = null where id = any($1)', ids);
  for (const id of ids) expect(await faultsOf(id)).toEqual(['the head has no anchor']);
  // A seal and a later change anchor nothing: the head may have been forged before.
  expect(await sealOldestDay(api.db, addMs(new Date(), DAY_MS + 2 * HOUR_MS))).not.toBeNull();
  expect((await tenant.patch(`/transactions/${transactionId}`, { metadata: 'later' })).status).toBe(200);
  for (const id of ids) expect(await faultsOf(id)).toEqual(['the head has no anchor']);
  expect((await run(['--anchor'])).output).toMatch(
    /^[1-9]\d* heads of event logs had no anchor and have one now\./,
  );
  for (const id of ids) expect(await faultsOf(id)).toEqual([]);
  expect((await run(['--anchor'])).output).toMatch(/^0 heads /);
});
