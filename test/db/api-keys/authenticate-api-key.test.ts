import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { apiKeyAuthenticator } from '../../../db/api-keys/authenticate-api-key.ts';
import type { Database } from '../../../db/database.ts';
import { SCREENING_DEFAULTS } from '../../../domain/sanctions-screening/settings.ts';
import { apiKeyText } from '../../../domain/tenants/api-key-text.ts';
import { clientOf, createTenant } from '../../factories/tenant.ts';
import { useApi } from '../../use-api.ts';

const { api, database } = useApi();

/** The same database through a pool that counts its statements. */
class CountingPool extends pg.Pool {
  statements: string[] = [];
  override query = ((config: pg.QueryConfig | string, values?: unknown[]) => {
    this.statements.push(typeof config === 'string' ? config : config.text);
    return super.query(config as string, values);
  }) as pg.Pool['query'];
}

function counted(): { db: Database; pool: CountingPool } {
  const pool = new CountingPool({ connectionString: database.url, max: 4 });
  return { db: { pool, vault: api.db.vault, walletUrl: api.db.walletUrl, speaksTrp: true }, pool };
}

async function lastUsedAt(apiKeyId: string): Promise<Date | null> {
  const { rows } = await database.pool.query<{ last_used_at: Date | null }>(
    'select last_used_at from api_keys where id = $1',
    [apiKeyId],
  );
  return rows[0]?.last_used_at ?? null;
}

/** The time of use is written in the background. */
async function eventually<T>(read: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> {
  for (let tries = 0; tries < 500; tries += 1) {
    const value = await read();
    if (isDone(value)) return value;
  }
  throw new Error('it never came');
}

test('the caller is the tenant of the key, with what the operator set for it', async () => {
  const tenant = await createTenant(api, { email: 'desk@alp.example' });
  await api.request('PATCH', `/operator/tenants/${tenant.id}`, {
    operatorKey: api.operatorKey,
    body: { rateLimits: { reads: 5, screening: 0 } },
  });
  await tenant.patch('/tenant/me/settings', { screening: { reviewThreshold: 0.6 } });
  const { entity_id: entityId } = (
    await database.pool.query<{ entity_id: string }>('select entity_id from tenants where id = $1', [
      tenant.id,
    ])
  ).rows[0] ?? { entity_id: '' };
  expect(await apiKeyAuthenticator(api.db, 'sandbox').authenticate(tenant.apiKey)).toEqual({
    kind: 'TENANT',
    tenantId: tenant.id,
    actor: { kind: 'API_KEY', id: tenant.apiKeyId },
    role: 'ADMIN',
    allowedIps: null,
    tenant: {
      name: tenant.name,
      email: 'desk@alp.example',
      entityId,
      rateLimits: { READS: 5, SCREENING: 0 },
      screening: { ...SCREENING_DEFAULTS, reviewThreshold: 0.6 },
      hasSuppressions: false,
      outgoingBrake: null,
    },
  });
});

test('requests that arrive together share statements, and each gets its own caller or refusal', async () => {
  const tenants = [await createTenant(api), await createTenant(api), await createTenant(api)];
  const unknown = apiKeyText('sandbox', randomBytes(64));
  const texts = Array.from({ length: 200 }, (_, index) => tenants[index % 4]?.apiKey ?? unknown);
  const { db, pool } = counted();
  const { authenticate } = apiKeyAuthenticator(db, 'sandbox');
  const answers = await Promise.allSettled(texts.map(async (text) => (await authenticate(text)).tenantId));
  const expected = texts.map((_, index) => tenants[index % 4]?.id ?? 'unauthenticated');
  expect(
    answers.map((answer) =>
      answer.status === 'fulfilled' ? answer.value : (answer.reason as { code: string }).code,
    ),
  ).toEqual(expected);
  expect(pool.statements.filter((text) => text.includes('join tenants')).length).toBeLessThanOrEqual(4);
  await pool.end();
});

test('a malformed key and one of the other environment cost no statement', async () => {
  const { db, pool } = counted();
  const { authenticate } = apiKeyAuthenticator(db, 'sandbox');
  await expect(authenticate('wb_sandbox_short')).rejects.toMatchObject({ code: 'unauthenticated' });
  await expect(authenticate(apiKeyText('production', randomBytes(64)))).rejects.toMatchObject({
    code: 'wrong_environment',
  });
  expect(pool.statements).toEqual([]);
  await pool.end();
});

test.each(['revoked_at = now()', 'expires_at = now()', `hash = '\\x00'`])(
  'a key is remembered no longer once a request has found %s',
  async (change) => {
    const { apiKey, apiKeyId } = await createTenant(api);
    const { authenticate, cachedCaller } = apiKeyAuthenticator(api.db, 'sandbox');
    await authenticate(apiKey);
    await database.pool.query(`update api_keys set ${change} where id = $1`, [apiKeyId]);
    expect(cachedCaller(apiKey)).toMatchObject({ actor: { kind: 'API_KEY', id: apiKeyId } });
    await expect(authenticate(apiKey)).rejects.toThrow();
    expect(cachedCaller(apiKey)).toBeUndefined();
  },
);

describe('the time of the latest use', () => {
  test('is written after the first use and at most once a minute', async () => {
    const { apiKey, apiKeyId } = await createTenant(api);
    const { db, pool } = counted();
    const { authenticate } = apiKeyAuthenticator(db, 'sandbox');
    await authenticate(apiKey);
    const first = await eventually(
      async () => await lastUsedAt(apiKeyId),
      (at) => at !== null,
    );
    const before = pool.statements.length;
    for (let uses = 0; uses < 5; uses += 1) await authenticate(apiKey);
    expect(pool.statements.slice(before).filter((text) => text.startsWith('update'))).toEqual([]);
    expect(await lastUsedAt(apiKeyId)).toEqual(first);
    await database.pool.query(
      `update api_keys set last_used_at = now() - interval '61 seconds' where id = $1`,
      [apiKeyId],
    );
    await authenticate(apiKey);
    await eventually(
      async () => await lastUsedAt(apiKeyId),
      (at) => at !== null && at.getTime() >= (first?.getTime() ?? 0),
    );
    await pool.end();
  });

  test('never fails a request', async () => {
    const tenant = await createTenant(api);
    await database.pool.query(`
      create function refuse_use() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
      create trigger refuse_use before update on api_keys for each row execute function refuse_use()`);
    try {
      for (let uses = 0; uses < 3; uses += 1) expect((await tenant.get('/tenant/me')).status).toBe(200);
    } finally {
      await database.pool.query('drop trigger refuse_use on api_keys; drop function refuse_use()');
    }
  });

  test('a refused key was not used', async () => {
    const tenant = await createTenant(api);
    const { body } = await tenant.post<{ id: string; apiKey: string }>('/tenant/me/api-keys', {});
    await tenant.delete(`/tenant/me/api-keys/${body.id}`);
    await clientOf(api, body.apiKey).get('/tenant/me');
    await tenant.get('/tenant/me');
    expect(await lastUsedAt(body.id)).toBeNull();
  });
});

test('a database that is away is trouble and no refusal, told to all who wait at once', async () => {
  const pool = new CountingPool({ host: '127.0.0.1', port: 1, max: 4 });
  const { authenticate } = apiKeyAuthenticator({ pool, vault: api.db.vault }, 'sandbox');
  const { apiKey } = await createTenant(api);
  const answers = await Promise.allSettled(
    Array.from({ length: 100 }, async () => await authenticate(apiKey)),
  );
  const codes = answers.map(
    (answer) => answer.status === 'rejected' && (answer.reason as { code: string }).code,
  );
  expect(new Set(codes)).toEqual(new Set(['ECONNREFUSED']));
  expect(pool.statements.length).toBeLessThanOrEqual(4);
  await pool.end();
});
