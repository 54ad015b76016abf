import { createHash } from 'node:crypto';
import pg from 'pg';
import type { EventView } from '../../../domain/events/schema.ts';
import type { WalletVerification } from '../../../domain/verifications/schema.ts';
import type { Json } from '../../api-client.ts';
import { readFeed } from '../../factories/change-feed.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { evmAddress } from '../../factories/transaction.ts';
import {
  createVerification,
  evmWallet,
  readVerification,
  signedFor,
  submit,
  verificationBody,
} from '../../factories/verification.ts';
import { useApi, useTenantPerTest, startSecondApi } from '../../use-api.ts';

const { api, database } = useApi();
const holder = useTenantPerTest(api);
const asker = useTenantPerTest(api);

const nameHash = (name: string) => createHash('sha256').update(name).digest('hex');
const ANNA = nameHash('anna keller');
const reuse = (overrides: { type?: string; name?: string; level?: string; days?: number } = {}) => ({
  subject: { type: overrides.type ?? 'NATURAL', nameHash: overrides.name ?? ANNA },
  policy: {
    ...(overrides.level && { minimumMatchLevel: overrides.level }),
    ...(overrides.days && { maxReuseAgeDays: overrides.days }),
  },
});

/** A proof by signature that others may rely on; with how it was created. */
async function prove(
  by: TestTenant,
  overrides: Json = {},
  wallet = evmWallet(),
): Promise<WalletVerification> {
  const made = await createVerification(by, { address: wallet.address, reuse: reuse(), ...overrides });
  const proven = await submit(by, made.id, await signedFor(wallet, made));
  if (proven.status !== 200) throw new Error(JSON.stringify(proven.body));
  return proven.body;
}
const ask = async (address: string, wanted: Json = reuse(), overrides: Json = {}) =>
  await createVerification(asker, { address, reuse: wanted, ...overrides });
const provenDaysAgo = async (id: string, days: number) =>
  await database.pool.query(
    `update verifications set verified_at = now() - $2 * interval '1 day' where id = $1`,
    [id, days],
  );

describe('an earlier proof of another tenant', () => {
  test('makes a new verification VERIFIED at once, with level, attributes, policy and day', async () => {
    const source = await prove(holder);
    const answer = await ask(source.address, reuse({ level: 'MEDIUM', days: 90 }), {
      metadata: 'case 7',
      customerIdentification: 'C-1',
    });
    expect(answer).toMatchObject({
      status: 'VERIFIED',
      flow: null,
      message: null,
      signature: null,
      verifiedTransactionHash: null,
      metadata: 'case 7',
      customerIdentification: 'C-1',
      riskScore: 10,
      riskSeverity: 'low',
      warnings: [],
      reuse: {
        matchLevel: 'HIGH',
        matchedAttributes: ['address', 'blockchain', 'subjectType', 'nameHash'],
        policy: { minimumMatchLevel: 'MEDIUM', maxReuseAgeDays: 90 },
        verifiedAt: source.verifiedAt?.slice(0, 10),
      },
    });
    expect(await readVerification(asker, answer.id)).toEqual(answer);
    const { body: events } = await asker.get<EventView[]>(`/wallet-verification/${answer.id}/events`);
    expect(
      events.map(({ type, previousStatus, newStatus, basis }) => [type, previousStatus, newStatus, basis]),
    ).toEqual([
      ['PROOF_REUSED', 'PENDING', 'VERIFIED', { kind: 'VERIFICATION', id: null, version: null }],
      ['CREATED', null, 'PENDING', null],
    ]);
  });

  test('is found in every spelling of address and chain', async () => {
    const source = await prove(holder);
    const spelled = source.address.toLowerCase();
    expect((await ask(spelled, reuse(), { blockchain: '1' })).status).toBe('VERIFIED');
    expect((await ask(spelled, reuse(), { blockchain: 'Polygon' })).status).toBe('PENDING');
  });

  test('goes out by webhook and is told to its workflow', async () => {
    const source = await prove(holder);
    await asker.patch('/tenant/me', { webhookUrl: 'https://asker.example/hook' });
    api.outbox.length = 0;
    const { id } = await ask(source.address);
    const told = api.outbox.map(({ workflow, subjectId, tenantId }) => [
      workflow,
      tenantId,
      subjectId === id,
    ]);
    expect(told).toEqual(
      expect.arrayContaining([
        ['walletVerification', asker.id, true],
        ['webhookDelivery', asker.id, false],
      ]),
    );
  });

  test.each<[string, Parameters<typeof reuse>[0], Parameters<typeof reuse>[0], string | null]>([
    ['all agrees, nothing is demanded', {}, {}, 'HIGH'],
    ['all agrees', {}, { level: 'LOW' }, 'HIGH'],
    ['only the name, nothing is demanded', { type: 'LEGAL' }, {}, null],
    ['only the name', { type: 'LEGAL' }, { level: 'HIGH' }, null],
    ['only the name', { type: 'LEGAL' }, { level: 'MEDIUM' }, 'MEDIUM'],
    ['only the name', { type: 'LEGAL' }, { level: 'LOW' }, 'MEDIUM'],
    ['only the type', { name: nameHash('other') }, { level: 'HIGH' }, null],
    ['only the type', { name: nameHash('other') }, { level: 'MEDIUM' }, null],
    ['only the type', { name: nameHash('other') }, { level: 'LOW' }, 'LOW'],
    ['nothing', { type: 'LEGAL', name: nameHash('other') }, { level: 'LOW' }, null],
  ])('of which %s (%j, asked %j) gives %j', async (_what, held, wanted, level) => {
    const source = await prove(holder, { reuse: reuse(held) });
    const { status, reuse: result } = await ask(source.address, reuse(wanted));
    expect([status, result?.matchLevel ?? null]).toEqual([level ? 'VERIFIED' : 'PENDING', level]);
  });

  test('that fits best is taken, of equal ones the newest', async () => {
    const wallet = evmWallet();
    const { address } = wallet;
    const others = [holder, await createTenant(api), await createTenant(api)];
    const names = [nameHash('other'), ANNA, ANNA];
    // All are made before the first is proven: else the later ones would rely on it.
    const made = [];
    for (const [index, by] of others.entries()) {
      made.push(await createVerification(by, { address, reuse: reuse({ name: names[index] ?? ANNA }) }));
    }
    for (const [index, verification] of made.entries()) {
      const answer = await submit(
        others[index] ?? holder,
        verification.id,
        await signedFor(wallet, verification),
      );
      expect(answer.body.status).toBe('VERIFIED');
      await provenDaysAgo(verification.id, [1, 20, 40][index] ?? 0);
    }
    const day = new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10);
    expect((await ask(wallet.address, reuse({ level: 'LOW' }))).reuse).toMatchObject({
      matchLevel: 'HIGH',
      verifiedAt: day,
    });
  });

  test.each([
    [29, 30, 'VERIFIED'],
    [31, 30, 'PENDING'],
    [3_000, undefined, 'VERIFIED'],
  ])('of %i days ago, at most %s allowed: %s', async (age, days, status) => {
    const source = await prove(holder);
    await provenDaysAgo(source.id, age);
    expect((await ask(source.address, reuse(days ? { days } : {}))).status).toBe(status);
  });

  test('of the own tenant serves as well', async () => {
    const source = await prove(asker);
    expect((await ask(source.address)).status).toBe('VERIFIED');
  });
});

describe('no source is', () => {
  const unfit = async (make: () => Promise<string>) => {
    const address = await make();
    expect(await ask(address, reuse({ level: 'LOW' }))).toMatchObject({ status: 'PENDING', reuse: null });
  };

  test('a proof whose creation named nobody', async () => {
    await unfit(async () => (await prove(holder, { reuse: undefined })).address);
  });
  test('a declaration', async () => {
    const made = await createVerification(holder, { reuse: reuse() });
    await submit(holder, made.id, { verificationFlow: 'SELF_DECLARED' });
    await unfit(async () => await Promise.resolve(made.address));
  });
  test('what is only begun', async () => {
    await unfit(async () => (await createVerification(holder, { reuse: reuse() })).address);
  });
  test('what was itself reused: with its source gone there is nothing left', async () => {
    const source = await prove(holder);
    expect((await ask(source.address)).status).toBe('VERIFIED');
    await holder.delete(`/wallet-verification/${source.id}`);
    await unfit(async () => await Promise.resolve(source.address));
  });
  test('what was deleted', async () => {
    const source = await prove(holder);
    await holder.delete(`/wallet-verification/${source.id}`);
    await unfit(async () => await Promise.resolve(source.address));
  });
  test('what was revoked', async () => {
    const source = await prove(holder);
    await holder.post(`/wallet-verification/${source.id}/revoke`, { reason: 'mistaken' });
    await unfit(async () => await Promise.resolve(source.address));
  });
  test.each([
    'PROOF_REORGED',
    'CONTRACT_SIGNATURE',
    'MESSAGE_REPLAYED',
    'FOREIGN_DOMAIN',
    'MIXED_INPUTS',
    'SPENDER_TRANSFER',
  ])('what carries the warning %s', async (warning) => {
    const source = await prove(holder);
    await database.pool.query(`update verifications set warnings = $2 where id = $1`, [
      source.id,
      JSON.stringify([warning]),
    ]);
    await unfit(async () => await Promise.resolve(source.address));
  });
});

/** Everything that a tenant can read or is sent about its verifications. */
async function allOf(tenant: TestTenant): Promise<string> {
  const list = await tenant.get<WalletVerification[]>('/wallet-verification');
  const logs = await Promise.all(
    list.body.map(
      async ({ id }) => (await tenant.get<EventView[]>(`/wallet-verification/${id}/events`)).body,
    ),
  );
  const feed = await readFeed(tenant, ({ length }) => length === logs.flat().length);
  return JSON.stringify([list.body, logs, feed]);
}

describe('nothing of the other tenant is told', () => {
  test('in any answer, log or feed of the asker; and the holder sees no trace of the asker', async () => {
    const wallet = evmWallet();
    const source = await prove(
      holder,
      { metadata: 'private note', customerIdentification: 'HOLDER-9' },
      wallet,
    );
    const heldBefore = await allOf(holder);
    const { rows } = await database.pool.query('select * from verifications where id = $1', [source.id]);
    const taken = await ask(wallet.address);
    const refused = await ask(wallet.address, reuse({ name: nameHash('somebody else') }));
    expect([taken.status, refused.status]).toEqual(['VERIFIED', 'PENDING']);
    const seen = await allOf(asker);
    const secrets = [
      source.id,
      source.token,
      source.message,
      source.signature,
      source.verifiedAt,
      holder.id,
      holder.name,
    ];
    for (const secret of [...secrets, 'private note', 'HOLDER-9', ANNA]) expect(seen).not.toContain(secret);
    expect(await allOf(holder)).toBe(heldBefore);
    const after = await database.pool.query('select * from verifications where id = $1', [source.id]);
    expect(after.rows).toEqual(rows);
    const outbox = api.outbox.filter(({ tenantId }) => tenantId === holder.id);
    expect(outbox.map(({ subjectId }) => subjectId)).not.toContain(taken.id);
  });

  test('by webhook: the holder gets none, the asker only those of its own verification', async () => {
    for (const tenant of [holder, asker]) {
      await tenant.patch('/tenant/me', { webhookUrl: 'https://tenant.example/hook' });
    }
    const source = await prove(holder);
    const deliveries = async (tenant: TestTenant) =>
      (
        await database.pool.query<{ resource_id: string; kind: string }>(
          'select resource_id, kind from webhook_deliveries where tenant_id = $1',
          [tenant.id],
        )
      ).rows;
    const held = await deliveries(holder);
    const taken = await ask(source.address);
    expect(await deliveries(asker)).toEqual([{ resource_id: taken.id, kind: 'wallet-verification' }]);
    expect(held.map(({ resource_id: id }) => id)).toEqual([source.id]);
    expect(await deliveries(holder)).toEqual(held);
  });

  test('a refusal looks the same whether nobody, somebody else or nobody any more owns the wallet', async () => {
    const another = await prove(holder, { reuse: reuse({ name: nameHash('somebody else') }) });
    const withdrawn = await prove(holder);
    await holder.delete(`/wallet-verification/${withdrawn.id}`);
    const old = await prove(holder);
    await provenDaysAgo(old.id, 400);
    const shapes = [];
    for (const address of [evmAddress(), another.address, withdrawn.address, old.address]) {
      const answer = await ask(address, reuse({ days: 30 }));
      const { id, token, url, createdAt, updatedAt, expiresAt, address: own, ...rest } = answer;
      expect([id, token, url, createdAt, updatedAt, expiresAt, own].every((value) => value.length > 0)).toBe(
        true,
      );
      shapes.push(rest);
    }
    expect(shapes).toEqual([shapes[0], shapes[0], shapes[0], shapes[0]]);
    expect(shapes[0]).toMatchObject({ status: 'PENDING', reuse: null });
  });

  test('a refusal asks the database the same, whatever the reason', async () => {
    const another = await prove(holder, { reuse: reuse({ name: nameHash('somebody else') }) });
    const unfit = await prove(holder, { reuse: undefined });
    await ask(evmAddress());
    const statements: unknown[][] = [];
    const watch = jest.spyOn(pg.Client.prototype, 'query');
    try {
      for (const address of [evmAddress(), another.address, unfit.address]) {
        watch.mockClear();
        await ask(address);
        // The api looks for new lists by the clock, whoever asks what.
        const asked = watch.mock.calls.map(([query]) => textOf(query));
        statements.push(asked.filter((text) => !String(text).includes('sanctions_lists')).sort());
      }
    } finally {
      watch.mockRestore();
    }
    expect(statements[0]?.length).toBeGreaterThan(5);
    expect(statements[1]).toEqual(statements[0]);
    expect(statements[2]).toEqual(statements[0]);
  });

  test('the name is stored keyed only, by the version of the key, and logged nowhere', async () => {
    const source = await prove(holder);
    const { rows } = await database.pool.query<{ reuse_code: Buffer }>(
      'select * from verifications where id = $1',
      [source.id],
    );
    expect(rows[0]?.reuse_code.readUInt32BE(0)).toBeGreaterThan(0);
    expect(rows[0]?.reuse_code.length).toBe(36);
    expect(JSON.stringify([rows, api.log])).not.toContain(ANNA);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(ANNA, 'hex').toJSON().data.join(','));
  });
});

function textOf(query: unknown): string {
  if (typeof query === 'string') return query;
  return String((query as { name?: string; text?: string }).name ?? (query as { text?: string }).text);
}

describe('a source that is withdrawn', () => {
  test.each(['deleted', 'revoked'])(
    'because it was %s is told to those who rely on it, once',
    async (how) => {
      const source = await prove(holder);
      const taken = await ask(source.address);
      const own = await createVerification(holder, { address: source.address, reuse: reuse() });
      api.outbox.length = 0;
      if (how === 'deleted') await holder.delete(`/wallet-verification/${source.id}`);
      else await holder.post(`/wallet-verification/${source.id}/revoke`, { reason: 'mistaken' });
      const told = api.outbox
        .filter(({ workflow }) => workflow === 'walletVerification')
        .map(({ subjectId }) => subjectId);
      expect(told).toEqual(expect.arrayContaining([taken.id, own.id]));
      const { rows } = await database.pool.query(
        'select withdrawn_at is not null as withdrawn from verification_reuses where source_id = $1',
        [source.id],
      );
      expect(rows).toEqual([{ withdrawn: true }, { withdrawn: true }]);
    },
  );

  test('while it is being reused is either reused and warned of, or not reused', async () => {
    for (let round = 0; round < 8; round += 1) {
      const source = await prove(holder);
      const [taken] = await Promise.all([
        ask(source.address),
        holder.delete(`/wallet-verification/${source.id}`),
      ]);
      const { rows } = await database.pool.query<{ withdrawn_at: Date | null }>(
        'select withdrawn_at from verification_reuses where verification_id = $1',
        [taken.id],
      );
      expect(rows.map((row) => row.withdrawn_at !== null)).toEqual(taken.status === 'VERIFIED' ? [true] : []);
    }
  });
});

describe('how often a tenant may ask', () => {
  test('60 times in a minute, over all its keys and processes, else 429; without reuse as before', async () => {
    const second = await startSecondApi(api);
    const other = await asker.as('COMPLIANCE');
    const body = () => verificationBody({ reuse: reuse() });
    const viaSecond = async () =>
      await second.request('POST', '/wallet-verification', { key: other.apiKey, body: body() });
    const answers = [];
    for (let index = 0; index < 30; index += 1) {
      answers.push(await asker.post('/wallet-verification', body()), await viaSecond());
    }
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const refused = await asker.post('/wallet-verification', body());
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await viaSecond()).status).toBe(429);
    expect((await asker.post('/wallet-verification', verificationBody())).status).toBe(201);
    expect((await holder.post('/wallet-verification', body())).status).toBe(201);
    await database.pool.query(`update reuse_requests set window_started_at = now() - interval '61 seconds'`);
    expect((await asker.post('/wallet-verification', body())).status).toBe(201);
  });

  test('a repeat under the same Idempotency-Key gets the same answer and counts once', async () => {
    const source = await prove(holder);
    const body = verificationBody({ address: source.address, reuse: reuse() });
    const headers = { 'Idempotency-Key': 'reuse-1' };
    const first = await asker.post('/wallet-verification', body, { headers });
    const again = await asker.post('/wallet-verification', body, { headers });
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
    const { rows } = await database.pool.query('select requests from reuse_requests where tenant_id = $1', [
      asker.id,
    ]);
    expect(rows).toEqual([{ requests: 1 }]);
  });
});

test('sources are found by their index, however many verifications there are of a wallet', async () => {
  const source = await prove(holder);
  await database.pool.query(
    `insert into verifications select (jsonb_populate_record(v, jsonb_build_object('id', gen_random_uuid(),
       'address_normal', 'other' || n))).* from verifications v, generate_series(1, 3000) n where v.id = $1`,
    [source.id],
  );
  await database.pool.query('analyze verifications');
  const watch = jest.spyOn(pg.Client.prototype, 'query');
  await ask(source.address);
  const find = watch.mock.calls
    .map(([query]) => query as unknown as { name?: string; text: string; values: unknown[] })
    .find(({ name }) => name === 'find-reuse-source');
  watch.mockRestore();
  const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>(`explain ${find?.text}`, find?.values);
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('verifications_reusable');
});

describe('a request without the type of the owner', () => {
  const untyped = (minimumMatchLevel?: string) => ({
    subject: { nameHash: ANNA },
    policy: { ...(minimumMatchLevel && { minimumMatchLevel }) },
  });

  test('is for MEDIUM, as a source too', async () => {
    const source = await prove(holder, { reuse: untyped('MEDIUM') });
    for (const wanted of [untyped('MEDIUM'), reuse({ level: 'MEDIUM' })]) {
      expect(await ask(source.address, wanted)).toMatchObject({
        status: 'VERIFIED',
        reuse: { matchLevel: 'MEDIUM', matchedAttributes: ['address', 'blockchain', 'nameHash'] },
      });
    }
    expect((await ask(source.address, reuse({ level: 'LOW' }))).status).toBe('VERIFIED');
    for (const level of ['LOW', 'HIGH']) {
      const named = reuse({ level, ...(level === 'LOW' && { name: nameHash('somebody else') }) });
      expect((await ask(source.address, named)).status).toBe('PENDING');
    }
    const typed = await prove(holder);
    expect((await ask(typed.address, untyped('MEDIUM'))).reuse).toMatchObject({ matchLevel: 'MEDIUM' });
  });

  test.each(['LOW', 'HIGH', undefined])('is 400 for %s, which compares it', async (level) => {
    const body = verificationBody({ reuse: untyped(level) });
    expect(await asker.post('/wallet-verification', body)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/reuse/subject/type', code: 'required' }] },
    });
  });
});
