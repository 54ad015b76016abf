import { verifyEvents } from '../../db/events/verify-events.ts';
import { RELEASED_AT_ONCE } from '../../db/wallets/release-transactions.ts';
import { workflowId } from '../../workflows/contract.ts';
import type { Json } from '../api-client.ts';
import { eventually } from '../eventually.ts';
import { sealedMessages } from '../factories/sealed-messages.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { recordHistory } from '../record-history.ts';
import { startTestSystem, type TestSystem } from '../system.ts';

const MANY = RELEASED_AT_ONCE + 5;

let system: TestSystem;
let sender: TestTenant;
let receiver: TestTenant;
beforeAll(async () => {
  system = await startTestSystem({
    config: { RATE_LIMIT_WRITES: 0, WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'] },
    // What the api tells at once is left out, so that the relay has to do it.
    deps: { notifyWorkflows: () => undefined },
  });
  sender = await createTenant(system);
});
afterAll(async () => await system.stop());

const confirm = async (id: number) =>
  await system.request('PATCH', '/wallets', { key: receiver.apiKey, body: [id] });

interface StoredRelease {
  id: string;
  total: number;
  finished_at: Date | null;
}

async function releases(): Promise<StoredRelease[]> {
  const { rows } = await system.db.pool.query<StoredRelease>(
    'select id, total, finished_at from wallet_releases where tenant_id = $1',
    [receiver.id],
  );
  return rows;
}

/** A busy machine has hundreds of other workflows to start first. */
const LIMIT_MS = 60_000;
const finishedRelease = async () =>
  await eventually(releases, ([found]) => found?.finished_at instanceof Date, LIMIT_MS);

async function expectEachReleasedOnce(ids: string[]): Promise<void> {
  const { rows } = await system.db.pool.query<{ count: number }>(
    `select count(*)::int as count from events where type = 'RELEASED' and subject_id = any($1::uuid[])
     group by subject_id`,
    [ids],
  );
  expect(rows).toHaveLength(ids.length);
  expect(new Set(rows.map(({ count }) => count))).toEqual(new Set([1]));
  for (const id of ids.slice(0, 5)) expect((await verifyEvents(system.db, id)).faults).toEqual([]);
}

describe('when a wallet is confirmed for which many records wait', () => {
  let incomingIds: string[];
  beforeAll(async () => {
    receiver = await createTenant(system, { webhookUrl: 'http://127.0.0.1:9/webhooks' });
    const messages = await sealedMessages(system, sender, receiver, MANY);
    ({ incomingIds } = messages);
    expect((await confirm(messages.walletId)).status).toBe(200);
  });

  test('log entries, webhooks and search of many released records follow without anybody asking', async () => {
    const [release] = await finishedRelease();
    expect(release?.total).toBe(MANY);
    await expectEachReleasedOnce(incomingIds);
    const found = await receiver.get<Json[]>('/transactions?q=keller&_end=1');
    expect(found.headers.get('X-Total-Count')).toBe(String(MANY));
    const { rows } = await system.db.pool.query(
      'select 1 from webhook_deliveries where tenant_id = $1 and not masked',
      [receiver.id],
    );
    expect(rows).toHaveLength(MANY);
    const handle = system.client.workflow.getHandle(workflowId('walletRelease', release?.id ?? ''));
    expect(await handle.result()).toBe('DONE');
    await recordHistory(system.client, 'walletRelease', release?.id ?? '', 'many');
  });

  test('a notification that comes late finds nothing to do and changes nothing', async () => {
    const [release] = await finishedRelease();
    const before = (await receiver.get(`/transactions/${incomingIds[0]}`)).body;
    await system.db.pool.query(
      `insert into outbox (tenant_id, workflow, subject_id, summary, due_at) values ($1, 'walletRelease', $2, 'late', now())`,
      [receiver.id, release?.id],
    );
    await eventually(
      async () => (await system.db.pool.query(`select 1 from outbox where summary = 'late'`)).rowCount,
      (count) => count === 0,
    );
    expect((await receiver.get(`/transactions/${incomingIds[0]}`)).body).toEqual(before);
    await expectEachReleasedOnce(incomingIds);
  });
});

test('a release whose start was lost, with Temporal or by a kill, is found by the sweep and finished', async () => {
  receiver = await createTenant(system);
  const { walletId, incomingIds } = await sealedMessages(system, sender, receiver, MANY);
  // As if the worker had died after the commit and Temporal had lost the start.
  await system.db.pool.query(
    `create function lose_entry() returns trigger language plpgsql as $$ begin return null; end $$;
     create trigger lose_entry before insert on outbox for each row when (new.workflow = 'walletRelease')
       execute function lose_entry()`,
  );
  await confirm(walletId);
  await system.db.pool.query('drop trigger lose_entry on outbox; drop function lose_entry()');
  expect((await releases())[0]?.finished_at).toBeNull();
  await system.db.pool.query(
    `update wallet_releases set wake_at = now() - interval '2 minutes' where tenant_id = $1`,
    [receiver.id],
  );
  await system.sweep();
  await finishedRelease();
  await expectEachReleasedOnce(incomingIds);
});
