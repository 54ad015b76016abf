import type { WalletVerification } from '../../../domain/verifications/schema.ts';
import type { Json } from '../../api-client.ts';
import { readFeed } from '../../factories/change-feed.ts';
import { createTenant } from '../../factories/tenant.ts';
import {
  createVerification,
  readVerification,
  verificationBody,
  submit,
} from '../../factories/verification.ts';
import { useApi, useTenant, startSecondApi } from '../../use-api.ts';

const { api, database } = useApi({ config: { WALLET_URL: 'https://verify.example' } });

describe('POST /wallet-verification', () => {
  const tenant = useTenant(api);

  const post = async (body: Json, headers: Record<string, string> = {}) =>
    await tenant.post('/wallet-verification', verificationBody(body), { headers });

  const count = async () =>
    (await database.pool.query<{ n: number }>('select count(*)::int as n from verifications')).rows[0]?.n;

  describe('201', () => {
    test('every field is there, null when there is nothing, and reads back the same', async () => {
      const answer = await post({});
      expect(answer.status).toBe(201);
      const { id, token, url, address, createdAt, expiresAt, ...rest } = answer.body;
      expect(rest).toEqual({
        asset: 'ETH',
        blockchain: 'Ethereum',
        metadata: null,
        customerIdentification: null,
        status: 'PENDING',
        statusReasoning: null,
        failureCode: null,
        flow: null,
        allowedFlows: ['SIGNATURE_PROOF', 'SELF_DECLARED', 'VISUAL_PROOF'],
        origin: null,
        redirectUrl: null,
        message: null,
        signature: null,
        declaration: null,
        verifiedTransactionHash: null,
        verifiedAt: null,
        riskScore: 0,
        riskSeverity: 'low',
        warnings: [],
        satoshiFlow: { amount: null, depositAddress: null, deadlineAt: null },
        reuse: null,
        additionalSteps: [],
        version: 1,
        updatedAt: createdAt,
      });
      expect(url).toBe(`https://verify.example/?token=${String(token)}`);
      expect(Date.parse(String(expiresAt)) - Date.parse(String(createdAt))).toBe(48 * 3_600_000);
      expect(await readVerification(tenant, String(id))).toEqual({
        ...answer.body,
        id,
        address,
      });
    });

    test('takes every field, and shows asset, blockchain and address as sent', async () => {
      const given = {
        asset: 'USDC',
        blockchain: '1',
        address: '0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED',
        metadata: 'customer 17',
        customerIdentification: 'C-17',
        allowedFlows: ['SELF_DECLARED', 'SIGNATURE_PROOF'],
        origin: 'https://app.example',
        redirectUrl: 'https://app.example/back?step=2',
        expiresInHours: 100,
        reuse: {
          subject: { type: 'NATURAL', nameHash: 'ab'.repeat(32) },
          policy: { minimumMatchLevel: 'MEDIUM', maxReuseAgeDays: 30 },
        },
        additionalSteps: [{ kind: 'SELFIE', autoConfirm: true }, { kind: 'SOURCE_OF_FUNDS_WEALTH' }],
      };
      const answer = await post(given);
      expect([answer.status, answer.body]).toMatchObject([
        201,
        {
          asset: 'USDC',
          blockchain: '1',
          address: given.address,
          metadata: 'customer 17',
          customerIdentification: 'C-17',
          allowedFlows: ['SIGNATURE_PROOF', 'SELF_DECLARED'],
          origin: given.origin,
          redirectUrl: given.redirectUrl,
          reuse: null,
          additionalSteps: [
            { kind: 'SELFIE', status: 'NOT_STARTED', autoConfirm: true, documents: [], analysis: null },
            { kind: 'SOURCE_OF_FUNDS_WEALTH', status: 'NOT_STARTED', autoConfirm: false },
          ],
        },
      ]);
      expect(JSON.stringify(answer.body)).not.toContain('ab'.repeat(32));
    });

    test('an OBSERVER may not, an unknown key may not', async () => {
      const body = verificationBody();
      expect((await (await tenant.as('OBSERVER')).post('/wallet-verification', body)).status).toBe(403);
      expect((await api.request('POST', '/wallet-verification', { body })).status).toBe(401);
    });

    test('the repeat of a request whose verification was deleted since is 404', async () => {
      const body = verificationBody();
      const headers = { 'Idempotency-Key': 'deleted-since' };
      const first = await tenant.post<Json>('/wallet-verification', body, { headers });
      await tenant.delete(`/wallet-verification/${String(first.body['id'])}`);
      const repeat = await tenant.post('/wallet-verification', body, { headers });
      expect(repeat).toMatchObject({ status: 404, body: { code: 'not_found' } });
    });

    test('the same request under an Idempotency-Key is one verification', async () => {
      const body = verificationBody();
      const headers = { 'Idempotency-Key': 'create-once' };
      const answers = await Promise.all(
        [1, 2, 3].map(async () => await tenant.post('/wallet-verification', body, { headers })),
      );
      expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    });

    test.each([
      ['Bitcoin', 'BTC', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
      ['Solana', 'SOL', '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'],
      ['Tron', 'TRX', 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC'],
    ])('%s', async (blockchain, asset, address) => {
      const answer = await post({ blockchain, asset, address });
      expect([answer.status, answer.body['address']]).toEqual([201, address]);
    });
  });

  describe('the tenant’s settings', () => {
    test('are the default of time and flows, and forbid what they do not name', async () => {
      const strict = await createTenant(api);
      const settings = { allowedFlows: ['SIGNATURE_PROOF'], expiresInHours: 5 };
      await strict.patch('/tenant/me/settings', { walletVerification: settings });
      const made = await createVerification(strict);
      expect(made.allowedFlows).toEqual(['SIGNATURE_PROOF']);
      expect(Date.parse(made.expiresAt) - Date.parse(made.createdAt)).toBe(5 * 3_600_000);
      const refused = await strict.post(
        '/wallet-verification',
        verificationBody({ allowedFlows: ['SELF_DECLARED'] }),
      );
      expect([refused.status, refused.body]).toMatchObject([
        400,
        { errors: [{ pointer: '/allowedFlows', code: 'flow_forbidden' }] },
      ]);
      for (const bad of [
        { allowedFlows: [] },
        { allowedFlows: ['NOTHING'] },
        { expiresInHours: 0 },
        { expiresInHours: 101 },
        { expiresInHours: 1.5 },
        { contractWallets: 'yes' },
      ]) {
        expect((await strict.patch('/tenant/me/settings', { walletVerification: bad })).status).toBe(400);
      }
    });
  });

  describe('400', () => {
    test.each<[string, Json, string]>([
      ['an unknown chain', { blockchain: 'Etherium' }, '/blockchain'],
      ['no chain', { blockchain: undefined }, '/blockchain'],
      ['an address of another kind', { address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' }, '/address'],
      ['a wrong checksum', { address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAEd' }, '/address'],
      ['no address', { address: undefined }, '/address'],
      ['no asset', { asset: undefined }, '/asset'],
      ['no flow at all', { allowedFlows: [] }, '/allowedFlows'],
      ['a flow twice', { allowedFlows: ['SELF_DECLARED', 'SELF_DECLARED'] }, '/allowedFlows'],
      ['an unknown flow', { allowedFlows: ['TRUST_ME'] }, '/allowedFlows/0'],
      ['0 hours', { expiresInHours: 0 }, '/expiresInHours'],
      ['101 hours', { expiresInHours: 101 }, '/expiresInHours'],
      ['one and a half hours', { expiresInHours: 1.5 }, '/expiresInHours'],
      ['hours as text', { expiresInHours: '5' }, '/expiresInHours'],
      ['an origin with a path', { origin: 'https://app.example/' }, '/origin'],
      ['an origin of http', { origin: 'http://app.example' }, '/origin'],
      ['an origin without scheme', { origin: 'app.example' }, '/origin'],
      ['a script as the way back', { redirectUrl: 'javascript:alert(1)' }, '/redirectUrl'],
      ['a way back with a password', { redirectUrl: 'https://a:b@app.example' }, '/redirectUrl'],
      ['a satoshi test without its deposit', { allowedFlows: ['SATOSHI_TEST'] }, '/satoshiFlow'],
      [
        'a satoshi test without a node',
        {
          allowedFlows: ['SATOSHI_TEST'],
          satoshiFlow: { depositAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
        },
        '/allowedFlows',
      ],
      [
        'a deposit for another flow',
        {
          allowedFlows: ['SELF_DECLARED'],
          satoshiFlow: { depositAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
        },
        '/satoshiFlow',
      ],
      [
        'a name hash in capitals',
        { reuse: { subject: { type: 'NATURAL', nameHash: 'AB'.repeat(32) } } },
        '/reuse/subject/nameHash',
      ],
      [
        'a name hash that is too short',
        { reuse: { subject: { type: 'NATURAL', nameHash: 'ab'.repeat(31) } } },
        '/reuse/subject/nameHash',
      ],
      ['a reuse of nobody', { reuse: { policy: { minimumMatchLevel: 'LOW' } } }, '/reuse/subject'],
      [
        'an age of no days',
        {
          reuse: { subject: { type: 'NATURAL', nameHash: 'ab'.repeat(32) }, policy: { maxReuseAgeDays: 0 } },
        },
        '/reuse/policy/maxReuseAgeDays',
      ],
      ['a step twice', { additionalSteps: [{ kind: 'SELFIE' }, { kind: 'SELFIE' }] }, '/additionalSteps'],
      ['an unknown step', { additionalSteps: [{ kind: 'DANCE' }] }, '/additionalSteps/0/kind'],
      [
        'signatures where none can be checked',
        {
          blockchain: 'Monero',
          asset: 'XMR',
          address:
            '4AdUndXHHZ6cfufTMvppY6JwXNouMBzSkbLYfpAV5Usx3skxNgYeYTRj5UzqtReoS44qo9mtmXCqY45DJ852K5Jv2684Rge',
          allowedFlows: ['SIGNATURE_PROOF'],
        },
        '/allowedFlows',
      ],
      ['an unknown field', { note: 'x' }, '/note'],
      ['a status', { status: 'VERIFIED' }, '/status'],
    ])('%s: clear, at its place, and nothing is stored', async (_what, change, pointer) => {
      const before = await count();
      const answer = await post(change);
      expect([answer.status, answer.body]).toMatchObject([
        400,
        { code: 'validation_failed', errors: [{ pointer }] },
      ]);
      expect(await count()).toBe(before);
    });
  });

  test('a refused request under an Idempotency-Key stays refused', async () => {
    const headers = { 'Idempotency-Key': 'refused-once' };
    const body = verificationBody({ blockchain: 'Etherium' });
    const first = await tenant.post('/wallet-verification', body, { headers });
    const second = await tenant.post('/wallet-verification', body, { headers });
    expect([first.status, second.status]).toEqual([400, 400]);
    expect(second.body).toEqual(first.body);
  });

  test('http of this machine is a web origin in a sandbox only', async () => {
    const origin = 'http://localhost:5173';
    expect((await post({ origin })).status).toBe(201);
    const production = await startSecondApi(api, {
      deps: { settings: { ...api.config, ENVIRONMENT: 'production' } },
    });
    const refused = await production.request('POST', '/wallet-verification', {
      key: tenant.apiKey,
      body: verificationBody({ origin }),
    });
    expect([refused.status, refused.body]).toMatchObject([400, { errors: [{ pointer: '/origin' }] }]);
  });
});

describe('GET /wallet-verification', () => {
  let made: WalletVerification[];

  const tenant = useTenant(api);
  beforeAll(async () => {
    made = [
      await createVerification(tenant, { metadata: 'Jürgen Müller, order 17' }),
      await createVerification(tenant, { asset: 'USDC', additionalSteps: [{ kind: 'SELFIE' }] }),
      await createVerification(tenant, { metadata: 'Anna Keller' }),
    ];
    await submit(tenant, made[2]?.id ?? '', { verificationFlow: 'SELF_DECLARED' });
    await createVerification(await createTenant(api), { metadata: 'Anna Keller' });
  });

  async function found(query: string): Promise<number[]> {
    const { status, body } = await tenant.get<WalletVerification[]>(`/wallet-verification?${query}`);
    expect(status).toBe(200);
    return body.map(({ id }) => made.findIndex((one) => one.id === id));
  }

  test.each([
    ['', [2, 1, 0]],
    ['_sort=createdAt', [0, 1, 2]],
    ['_sort=asset&_order=DESC', [1, 2, 0]],
    ['_start=1&_end=2', [1]],
    ['_status=PENDING', [1, 0]],
    ['_status=PENDING,VERIFIED', [2, 1, 0]],
    ['_status=DELETED', []],
    ['_flow=SELF_DECLARED', [2]],
    ['_flow=SIGNATURE_PROOF', []],
    ['_step=NOT_STARTED', [1]],
    ['_step=NOT_STARTED,VERIFIED', [1]],
    ['_step=ACTION_REQUIRED', []],
    ['q=jurgen', [0]],
    ['q=MÜLL', [0]],
    ['q=order%2017', [0]],
    ['q=anna%20muller', []],
    ['q=kel', [2]],
  ])('%s finds %j', async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  test('q finds an address in any spelling and by its beginning, and an id', async () => {
    const [first] = made;
    const address = first?.address ?? '';
    expect(await found(`q=${address}`)).toEqual([0]);
    expect(await found(`q=${address.toUpperCase().replace('0X', '0x')}`)).toEqual([0]);
    expect(await found(`q=${address.slice(0, 12)}`)).toEqual([0]);
    expect(await found(`q=${first?.id}`)).toEqual([0]);
  });

  test('X-Total-Count is the number of all that match, and can be left out', async () => {
    const page = await tenant.get('/wallet-verification?_end=1&_status=PENDING');
    expect(page.headers.get('X-Total-Count')).toBe('2');
    const bare = await tenant.get('/wallet-verification', { headers: { Prefer: 'count=none' } });
    expect(bare.headers.get('X-Total-Count')).toBeNull();
  });

  test.each([
    '_end=101',
    '_sort=address',
    '_status=NOPE',
    '_flow=NOPE',
    '_step=NOPE',
    '_nope=1',
    '_start=2&_end=1',
  ])('%s is 400', async (query) => {
    expect((await tenant.get(`/wallet-verification?${query}`)).status).toBe(400);
  });

  test('a page of both kinds in the change feed names them', async () => {
    const ofThird = ({ id }: { id: string }) => id === made[2]?.id;
    const { events } = await readFeed(tenant, (events) => events.filter(ofThird).length === 2);
    expect(events.filter(ofThird)).toMatchObject([
      { kind: 'wallet-verification', type: 'CREATED' },
      { kind: 'wallet-verification', type: 'PROOF_ACCEPTED' },
    ]);
  });
});
