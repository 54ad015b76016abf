import pg from 'pg';
import { migrate } from '../../db/migrate.ts';
import { markUnroutedOrFind } from '../../db/lifecycle/mark-unrouted.ts';
import { removeExpired } from '../../db/housekeeping/remove-expired.ts';
import { readFigures } from '../../db/metrics/read-figures.ts';
import { claimDueEntries, deleteOutboxEntries, postponeOutboxEntries } from '../../db/outbox.ts';
import { listPrices, storePrices } from '../../db/prices/price-table.ts';
import { FIRST_CURSOR, queueUnfinished } from '../../db/reconcile/queue-unfinished.ts';
import { getTransaction } from '../../db/transactions/find-transaction.ts';
import { verifyEvents } from '../../db/events/verify-events.ts';
import { checkOwnership } from '../../process/check-ownership.ts';
import { migrateAsOwner } from '../../process/migrate-as-owner.ts';
import { KEPT_SECONDS, type KeptForATime } from '../../domain/retention.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import { startTestApi } from '../api-client.ts';
import { letPass, deliverUnscreened } from '../factories/transaction.ts';
import { createTenant } from '../factories/tenant.ts';
import { startPostgres15, type TestServer } from '../postgres-15.ts';

const binaries = process.env['WAYBILL_TEST_POSTGRES15_BIN'];
if (!binaries)
  console.warn('SKIPPED: no PostgreSQL 15 is installed, so migrations and queries are not tried on it.');

/** The oldest PostgreSQL that production may bring; everything else here runs on 18. */
(binaries ? describe : describe.skip)('on PostgreSQL 15', () => {
  let server: TestServer;
  let url: string;

  beforeAll(async () => {
    server = await startPostgres15(binaries ?? '');
    url = server.url;
  });

  afterAll(async () => await server.stop());

  test('it is really that version', async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    await client.end();
    expect(rows[0]?.server_version).toMatch(/^15\./);
  });

  test('migrations run, and run again without effect', async () => {
    expect((await migrate(url)).length).toBeGreaterThan(0);
    expect(await migrate(url)).toEqual([]);
  });

  // It grants itself the owner of the tables there, whoever that is.
  test('a role that may create roles is refused in production, with the statement that mends it', async () => {
    const admin = new pg.Client({ connectionString: url });
    await admin.connect();
    await admin.query(
      `create role owner login; create role group_of_creators createrole; create role "Service" login`,
    );
    await admin.query('create database guarded owner owner');
    const at = (user: string) => url.replace('postgres@', `${user}@`).replace(/postgres$/, 'guarded');
    await migrateAsOwner({ DATABASE_URL: at('Service'), DATABASE_OWNER_URL: at('owner') });
    const pool = new pg.Pool({ connectionString: at('Service'), max: 1 });
    const check = async () => await checkOwnership({ ENVIRONMENT: 'production' }, pool);
    try {
      await expect(check()).resolves.toBeUndefined();
      await admin.query('alter role "Service" createrole');
      await pool.query(
        'begin; grant owner to "Service"; set role owner; alter table events disable trigger user; rollback',
      );
      await expect(check()).rejects.toThrow('"Service" may create roles');
      await expect(check()).rejects.toThrow('Run: alter role "Service" nocreaterole');
      await admin.query('alter role "Service" nocreaterole');
      await expect(check()).resolves.toBeUndefined();
      await admin.query('grant group_of_creators to "Service"');
      await expect(check()).rejects.toThrow('Run: revoke group_of_creators from "Service"');
      await admin.query('revoke "group_of_creators" from "Service"');
      await expect(check()).resolves.toBeUndefined();
    } finally {
      await pool.end();
      await admin.end();
    }
  });

  test('every kind of query works: tenants, keys, wallets, transactions, exchanges, webhooks, outbox, prices', async () => {
    const api = await startTestApi({ url }, { config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'] } });
    try {
      const webhookUrl = 'http://127.0.0.1:9/';
      const [alpine, harbour] = [
        await createTenant(api, { webhookUrl }),
        await createTenant(api, { webhookUrl }),
      ];
      const address = `0x${'ab'.repeat(20)}`;
      const create = {
        asset: 'ETH',
        amount: '1.5',
        reference: 'r-1',
        blockchainInfo: { destination: address, destinationType: 'CUSTODIAL' },
        originator: { name: 'Anna Keller' },
      };
      const headers = { 'Idempotency-Key': 'one' };
      const sent = await alpine.post<Transaction>('/transactions', create, { headers });
      expect(sent.status).toBe(201);
      expect((await alpine.post<Transaction>('/transactions', create, { headers })).body.id).toBe(
        sent.body.id,
      );
      expect((await alpine.post('/transactions', create)).status).toBe(409);

      const record = await getTransaction(api.db, alpine.id, sent.body.id);
      expect(await markUnroutedOrFind(api.db, record, new Date())).toMatchObject({ counterparty: null });
      expect((await harbour.post('/wallets', { address, asset: 'ETH', blockchain: 'Ethereum' })).status).toBe(
        201,
      );
      const now = new Date();
      await letPass(api.db, sent.body.id);
      await deliverUnscreened(api.db, {
        tenantId: alpine.id,
        id: sent.body.id,
        receiverTenantId: harbour.id,
        now,
      });
      const [incoming] = (await harbour.get<Transaction[]>('/transactions?q=keller&_status=DELIVERED')).body;
      await letPass(api.db, String(incoming?.id));
      expect((await harbour.patch(`/transactions/${incoming?.id}`, { status: 'CONFIRMED' })).status).toBe(
        200,
      );
      expect((await alpine.get<Transaction>(`/transactions/${sent.body.id}`)).body.status).toBe('CONFIRMED');
      expect((await alpine.get(`/transactions/${sent.body.id}/events`)).status).toBe(200);
      for (const path of [
        '/tenant/me',
        '/tenant/me/settings',
        '/tenant/me/api-keys',
        '/tenant/me/webhook-deliveries',
      ]) {
        expect([path, (await alpine.get(path)).status]).toEqual([path, 200]);
      }
      expect((await alpine.delete(`/transactions/${sent.body.id}`)).status).toBe(204);

      const { pool } = api.db;
      await pool.query(`update outbox set due_at = now() - interval '1 minute'`);
      const outbox = await claimDueEntries(pool, 100);
      expect(outbox.length).toBeGreaterThan(0);
      await postponeOutboxEntries(pool, [outbox[0]?.id ?? 0], 1_000);
      await deleteOutboxEntries(
        pool,
        outbox.map((entry) => entry.id),
      );
      await pool.query(`update webhook_deliveries set wake_at = now() - interval '1 hour'`);
      const overdue = { overdue: true, cursor: FIRST_CURSOR };
      expect((await queueUnfinished(pool, 'webhook_delivery', overdue, 100)).queued).toBeGreaterThan(0);
      expect((await queueUnfinished(pool, 'transaction', overdue, 100)).queued).toBe(0);
      expect(await readFigures(pool)).toMatchObject({ rowsWithoutWorkflow: { transaction: 0 } });
      for (const what of Object.keys(KEPT_SECONDS) as KeptForATime[]) {
        expect(await removeExpired(pool, what, 100)).toBe(0);
      }
      await storePrices(pool, [{ asset: 'ETH', usd: '1', eur: '2', source: 'test', pricedAt: now }]);
      expect(await listPrices(pool)).toHaveLength(1);
      expect(await verifyEvents(api.db)).toMatchObject({ checked: 2, faults: [] });
    } finally {
      await api.stop();
    }
  });
});
