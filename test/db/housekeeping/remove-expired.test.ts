import { removeExpired } from '../../../db/housekeeping/remove-expired.ts';
import { redeliver } from '../../../db/webhooks/redeliver.ts';
import type { KeptForATime } from '../../../domain/retention.ts';
import type { WebhookDelivery } from '../../../domain/webhooks/schema.ts';
import type { Json } from '../../api-client.ts';
import { WEBHOOK_URL } from '../../factories/tenant.ts';
import { createBody } from '../../factories/transaction.ts';
import { createUser } from '../../factories/user.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api, { webhookUrl: WEBHOOK_URL });

const remove = async (what: KeptForATime, limit = 1_000) => await removeExpired(api.db.pool, what, limit);
const sql = async (text: string, values: unknown[] = []) =>
  (await database.pool.query<Json>(text, values)).rows;

/** A webhook whose delivery ended so long ago, after one attempt as old. */
async function endedDelivery(age: string, status = 'DELIVERED'): Promise<string> {
  const sent = await tenant.post<WebhookDelivery>('/tenant/me/webhook/test');
  const { id } = sent.body;
  await sql(
    `update webhook_deliveries set status = $2, attempts = 1, wake_at = null, finished_at = now() - $3::interval
     where id = $1`,
    [id, status, age],
  );
  await sql(
    `insert into webhook_attempts (delivery_id, attempt, tenant_id, started_at, duration_ms, status_code)
     values ($1, 1, $2, now() - $3::interval, 12, 200)`,
    [id, tenant.id, age],
  );
  return id;
}

const hasBody = async (id: string) =>
  (await sql('select body is not null as kept from webhook_deliveries where id = $1', [id]))[0]?.['kept'];
const readDelivery = async (id: string) =>
  (await tenant.get<WebhookDelivery>(`/tenant/me/webhook-deliveries/${id}`)).body;

describe('kept answers', () => {
  test('are removed after 24 hours, and not before', async () => {
    for (const key of ['old', 'young']) {
      await tenant.post('/transactions', createBody(), { headers: { 'Idempotency-Key': key } });
    }
    await sql(
      `update idempotency_keys set created_at = now() - interval '24 hours 1 second' where key = 'old'`,
    );
    await sql(
      `update idempotency_keys set created_at = now() - interval '23 hours 59 minutes' where key = 'young'`,
    );
    expect(await remove('idempotencyKeys')).toBe(1);
    expect(await sql('select key from idempotency_keys')).toEqual([{ key: 'young' }]);
  });
});

describe('webhook bodies', () => {
  test('are removed 30 days after the end of the delivery; the delivery itself stays readable', async () => {
    const delivered = await endedDelivery('30 days 1 minute');
    const gaveUp = await endedDelivery('31 days', 'GAVE_UP');
    const young = await endedDelivery('29 days 23 hours');
    const before = await readDelivery(delivered);
    expect(await remove('webhookBodies')).toBe(2);
    expect([await hasBody(delivered), await hasBody(gaveUp), await hasBody(young)]).toEqual([
      false,
      false,
      true,
    ]);
    expect(await readDelivery(delivered)).toEqual(before);
    expect(await remove('webhookBodies')).toBe(0);
  });

  test('stay as long as the delivery is under way, however old it is', async () => {
    const id = await endedDelivery('80 days');
    await sql(
      `update webhook_deliveries set status = 'FAILED', wake_at = now(), finished_at = null,
         created_at = now() - interval '80 days' where id = $1`,
      [id],
    );
    expect(await remove('webhookBodies')).toBe(0);
    expect(await hasBody(id)).toBe(true);
  });

  test('that are gone cannot be sent again: 409 says so, and nothing changes', async () => {
    const id = await endedDelivery('31 days');
    await remove('webhookBodies');
    const before = await readDelivery(id);
    const answer = await tenant.post(`/tenant/me/webhook-deliveries/${id}/redeliver`);
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('has been deleted'),
    });
    expect(await readDelivery(id)).toEqual(before);
  });

  test('are left to a redelivery that has begun', async () => {
    const id = await endedDelivery('31 days');
    const tx = await database.pool.connect();
    await tx.query('begin');
    await redeliver(tx, tenant.id, id, new Date());
    expect(await remove('webhookBodies')).toBe(0);
    await tx.query('commit');
    tx.release();
    expect(await remove('webhookBodies')).toBe(0);
    expect(await hasBody(id)).toBe(true);
  });
});

test('single attempts are shown for 90 days and removed by months, what is left 40 days later; their number stays', async () => {
  const [old, waiting, young] = [
    await endedDelivery('130 days 1 minute'),
    await endedDelivery('90 days 1 minute'),
    await endedDelivery('89 days'),
  ];
  expect(await remove('webhookAttempts')).toBe(1);
  expect(
    await sql('select count(*)::int as count from webhook_attempts where delivery_id = any($1)', [
      [old, waiting, young],
    ]),
  ).toEqual([{ count: 2 }]);
  for (const id of [old, waiting])
    expect(await readDelivery(id)).toMatchObject({ attempts: 1, attemptLog: [] });
  expect((await readDelivery(young)).attemptLog).toHaveLength(1);
});

test('prices that nobody refreshed are removed after 7 days', async () => {
  await sql(
    `insert into prices (asset, usd, source, priced_at)
     values ('OLD', 1, 'test', now() - interval '7 days 1 minute'), ('YOUNG', 1, 'test', now() - interval '6 days')`,
  );
  expect(await remove('prices')).toBe(1);
  expect(await sql('select asset from prices')).toEqual([{ asset: 'YOUNG' }]);
});

describe('users', () => {
  test('sessions are removed 30 days after the end of their refresh token; the user stays', async () => {
    const { user } = await createUser(api, tenant);
    const ends = ["interval '-1 hour'", "interval '29 days 23 hours'", "interval '30 days 1 minute'"];
    for (const end of ends) {
      await sql(
        `insert into user_sessions (id, tenant_id, user_id, refresh_hash, refreshed_at, created_at, expires_at)
         select gen_random_uuid(), $1, $2, '', now(), now(), now() - ${end}`,
        [tenant.id, user.id],
      );
    }
    const sessions = async () =>
      (await sql('select id from user_sessions where user_id = $1', [user.id])).length;
    expect(await sessions()).toBe(4);
    expect(await remove('userSessions')).toBe(1);
    expect(await sessions()).toBe(3);
    expect((await tenant.get(`/users?q=${user.email}`)).body).toMatchObject([{ id: user.id }]);
  });

  test('mails are removed after 30 days, links 30 days after their end', async () => {
    const { user } = await createUser(api, tenant);
    const ages = ["interval '30 days 1 minute'", "interval '29 days 23 hours'"];
    for (const age of ages) {
      await sql(
        `insert into mails (id, tenant_id, kind, status, created_at)
         values (gen_random_uuid(), $1, 'INVITATION', 'SENT', now() - ${age})`,
        [tenant.id],
      );
      await sql(
        `insert into user_links (hash, tenant_id, user_id, purpose, created_at, expires_at)
         values (uuid_send(gen_random_uuid()), $1, $2, 'INVITATION', now() - interval '40 days', now() - ${age})`,
        [tenant.id, user.id],
      );
    }
    expect([await remove('mails'), await remove('userLinks')]).toEqual([1, 1]);
    expect([await remove('mails'), await remove('userLinks')]).toEqual([0, 0]);
  });

  test('counted tries are removed after a day', async () => {
    await sql(
      `insert into counted_tries (hash, count, since)
       values ('old', 10, now() - interval '24 hours 1 minute'), ('young', 10, now() - interval '23 hours 59 minutes')`,
    );
    expect(await remove('countedTries')).toBe(1);
    expect(await sql("select convert_from(hash, 'UTF8') as hash from counted_tries")).toEqual([
      { hash: 'young' },
    ]);
  });
});

test('answers about addresses are removed when they count no more, after a day', async () => {
  for (const [address, age] of [
    ['old', '24 hours 1 minute'],
    ['young', '23 hours 59 minutes'],
  ])
    await sql(
      `insert into address_answers (tenant_id, address_normal, blockchain_key, tag, is_own, answered_at)
       values ($1, $2, 'ethereum', '', false, now() - $3::interval)`,
      [tenant.id, address, age],
    );
  expect(await remove('addressAnswers')).toBe(1);
  expect(await sql('select address_normal from address_answers')).toEqual([{ address_normal: 'young' }]);
});

describe('answers of AML providers and about wallets', () => {
  const old = "interval '1827 days 1 minute'";

  async function amlCheck(value: string, state: string, rest: { fetchedAt?: string; leaseUntil?: string }) {
    await sql(
      `insert into aml_checks (id, tenant_id, provider, request_key, kind, blockchain, value, state, created_at,
         fetched_at, lease_until)
       values (gen_random_uuid(), $1, 'builtin', convert_to($2::text, 'UTF8'), 'wallet', 'ethereum', $2::text, $3,
         now() - ${old}, ${rest.fetchedAt ?? 'null'},
         ${rest.leaseUntil ?? 'null'})`,
      [tenant.id, value, state],
    );
  }

  test('are removed five years after the last answer, never while somebody asks', async () => {
    await amlCheck('old', 'DONE', { fetchedAt: `now() - ${old}` });
    await amlCheck('failed', 'FAILED', {});
    await amlCheck('asker died', 'PENDING', { leaseUntil: `now() - ${old}` });
    await amlCheck('asked anew', 'DONE', { fetchedAt: 'now()' });
    await amlCheck('under way', 'PENDING', { leaseUntil: "now() + interval '1 minute'" });
    expect(await remove('amlChecks')).toBe(3);
    expect(await sql('select value from aml_checks order by value')).toEqual([
      { value: 'asked anew' },
      { value: 'under way' },
    ]);
    await sql(
      `insert into wallet_checks (tenant_id, id, body, created_at)
       select $1, gen_random_uuid(), '', at from unnest(array[now() - ${old}, now() - interval '1826 days']) at`,
      [tenant.id],
    );
    expect([await remove('walletChecks'), await remove('walletChecks')]).toEqual([1, 0]);
  });
});

describe('live work', () => {
  async function oldKeys(count: number): Promise<void> {
    await sql(
      `insert into idempotency_keys (tenant_id, key, fingerprint, status, sealed_by, sealed_by_id, created_at)
       select $1::uuid, 'old ' || n, '', 201, 'TENANT', $1::uuid, now() - interval '2 days'
       from generate_series(1, $2::int) n`,
      [tenant.id, count],
    );
  }

  test('is not waited for: a row in use is left for the next round', async () => {
    await oldKeys(3);
    const tx = await database.pool.connect();
    await tx.query('begin');
    await tx.query(`select 1 from idempotency_keys where key = 'old 1' for update`);
    expect(await remove('idempotencyKeys')).toBe(2);
    await tx.query('rollback');
    tx.release();
    expect(await remove('idempotencyKeys')).toBe(1);
  });

  test('never meets a batch that is larger than was asked for', async () => {
    await oldKeys(25);
    expect([await remove('idempotencyKeys', 10), await remove('idempotencyKeys', 10)]).toEqual([10, 10]);
    expect(await remove('idempotencyKeys', 10)).toBe(5);
  });
});
