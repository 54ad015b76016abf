import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { Json } from '../../api-client.ts';
import { createTenant } from '../../factories/tenant.ts';
import {
  createBody,
  createTransaction,
  evmAddress,
  fullBody,
  fullParty,
  readTransaction,
  rowCounts,
} from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

const pricedAt = new Date('2026-01-02T03:04:05.678Z');
const LEI = '529900T8BM49AURSDO55';

const { api, database } = useApi({
  prices: {
    ETH: { usd: '2000.5', eur: '1800.25', source: 'table', pricedAt },
    USDC: { usd: '1', eur: null, source: 'table', pricedAt },
    DUST: { usd: '0.000000001', eur: '0.000000002', source: 'table', pricedAt },
  },
});
const tenant = useTenant(api, { email: 'desk@alpine.example' });

const post = async (body: unknown) => await tenant.post<Transaction & Json>('/transactions', body);

const emptyVaspInfo = {
  beneficiaryVaspName: null,
  beneficiaryVaspEmail: null,
  beneficiaryVaspExtraInfo: null,
  beneficiaryVaspEntityId: null,
  originatorVaspName: null,
  originatorVaspEmail: null,
  originatorVaspEntityId: null,
};
const emptyParty = Object.fromEntries(Object.keys(fullParty('x')).map((field) => [field, null]));

async function eventsOf(id: string): Promise<Json[]> {
  return (await tenant.get<Json[]>(`/transactions/${id}/events`)).body;
}

async function outboxOf(id: string): Promise<Json[]> {
  const { rows } = await database.pool.query<Json>(
    'select tenant_id, workflow, summary from outbox where subject_id = $1',
    [id],
  );
  return rows;
}

describe('201', () => {
  test('the smallest body is a pending OUTGOING message; every documented field is there, null where nothing is', async () => {
    const destination = evmAddress();
    const { status, body } = await post({
      asset: 'XYZ',
      amount: 1,
      blockchainInfo: { destination, destinationType: 'CUSTODIAL' },
    });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        status: 'PENDING',
        subStatus: 'ROUTING',
        statusReasoning: null,
        statusReasonCode: null,
        direction: 'OUTGOING',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updatedAt: body.createdAt,
        version: 1,
        reference: null,
        resubmissionOf: null,
        metadata: null,
        internalNote: null,
        asset: 'XYZ',
        amount: 1,
        amountDecimal: '1',
        amountUsd: null,
        amountEur: null,
        blockchainInfo: {
          blockchain: null,
          transactionHash: null,
          origin: null,
          originTag: null,
          originType: 'CUSTODIAL',
          destination,
          destinationTag: null,
          destinationType: 'CUSTODIAL',
          isDestinationConfirmed: null,
          destinationWalletId: null,
          approvedAddress: null,
        },
        vaspInfo: {
          ...emptyVaspInfo,
          beneficiaryTravelAddress: null,
          originatorVaspName: tenant.name,
          originatorVaspEmail: 'desk@alpine.example',
          originatorVaspEntityId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        },
        originator: null,
        originatorVasp: null,
        beneficiaryVasp: null,
        beneficiary: null,
        additionalOriginators: [],
        assetsDisposition: null,
        returnTransactionHash: null,
        sunriseOverride: null,
        requestedFields: [],
        requestReason: null,
        beneficiaryMatch: null,
        sealed: false,
        travelRuleMessageSource: null,
        clearance: expect.any(Object),
        completeness: expect.any(Object),
        warnings: [
          {
            code: 'INCOMPLETE_PARTY',
            pointer: '/originator/name',
            message: expect.stringContaining('originator'),
          },
          {
            code: 'INCOMPLETE_PARTY',
            pointer: '/beneficiary/name',
            message: expect.stringContaining('beneficiary'),
          },
        ],
        received: null,
        relatedTransactionId: null,
      },
    });
    expect(await readTransaction(tenant, body.id)).toEqual({ ...body, warnings: [] });
  });

  test.each<[string, Json, string[]]>([
    ['both names', { originator: { name: 'Anna' }, beneficiary: { name: 'Jonas' } }, []],
    [
      'first and last names',
      { originator: { firstName: 'A', lastName: 'K' }, beneficiary: { name: 'J' } },
      [],
    ],
    [
      'a last name alone',
      { originator: { lastName: 'K' }, beneficiary: { name: 'J' } },
      ['/originator/name'],
    ],
    ['no beneficiary', { originator: { name: 'Anna' } }, ['/beneficiary/name']],
    ['a record of a deposit', { direction: 'INCOMING' }, []],
  ])('a message with %s warns of these: %#', async (_, parties, pointers) => {
    const body = { asset: 'ETH', amount: '1', blockchainInfo: { destination: evmAddress() } };
    const info = { ...body.blockchainInfo, destinationType: 'CUSTODIAL' };
    const { body: made } = await post({ ...body, ...parties, blockchainInfo: info });
    expect(made.warnings.map(({ pointer }) => pointer)).toEqual(pointers);
  });

  test.each<[string, Json, unknown[]]>([
    [
      'a hash of another form than those of the chain that the asset implies',
      { blockchainInfo: { transactionHash: '0xabc' } },
      [{ code: 'UNUSUAL_HASH', pointer: '/blockchainInfo/transactionHash' }],
    ],
    [
      'an unknown blockchain with a name like that of a known one',
      { blockchainInfo: { blockchain: 'Etherium', transactionHash: '0xabc' } },
      [{ code: 'UNKNOWN_BLOCKCHAIN', pointer: '/blockchainInfo/blockchain' }],
    ],
    ['an unknown blockchain unlike any', { blockchainInfo: { blockchain: 'Moonbeam' } }, []],
    [
      'an implied blockchain whose hashes are not checked',
      { asset: 'XRP', blockchainInfo: { transactionHash: 'x' } },
      [],
    ],
  ])('accepted with a warning: %s', async (_what, { blockchainInfo, ...overrides }, expected) => {
    const named = { originator: { name: 'A' }, beneficiary: { name: 'B' } };
    const destination = overrides['asset'] === 'XRP' ? 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh' : evmAddress();
    const body = createBody({
      ...named,
      ...overrides,
      blockchainInfo: { destination, ...(blockchainInfo as Json) },
    });
    const made = await tenant.post<Transaction>('/transactions', body);
    expect(made).toMatchObject({ status: 201, body: { warnings: expected } });
    expect(made.body.warnings).toHaveLength(expected.length);
    expect((await readTransaction(tenant, made.body.id)).warnings).toEqual([]);
  });

  test('the warning of an unknown blockchain tells which one was probably meant', async () => {
    const { warnings } = await createTransaction(tenant, { blockchainInfo: { blockchain: 'Bitcon' } });
    expect(warnings.at(-1)?.message).toContain('Bitcoin was probably meant');
  });

  test('a transfer to a self-hosted wallet is no message: nobody has to be named', async () => {
    const info = { destination: evmAddress(), destinationType: 'NON_CUSTODIAL' };
    const { body } = await post({ asset: 'ETH', amount: '1', blockchainInfo: info });
    expect(body.warnings).toEqual([]);
  });

  test('every field of a full body comes back as it was sent, and so it is read and listed', async () => {
    const given = fullBody();
    const { status, body } = await post(given);
    expect(status).toBe(201);
    expect(body).toMatchObject({ ...given, amount: Number(given.amount), amountDecimal: given.amount });
    expect(await readTransaction(tenant, body.id)).toEqual(body);
    expect((await tenant.get(`/transactions?_reference=${given.reference}`)).body).toEqual([body]);
  });

  test.each([
    [1.5, '1.5', 1.5],
    ['1.50', '1.5', 1.5],
    ['007', '7', 7],
    [1e-7, '0.0000001', 1e-7],
    [1e21, '1000000000000000000000', 1e21],
    [`${'9'.repeat(30)}.${'9'.repeat(30)}`, `${'9'.repeat(30)}.${'9'.repeat(30)}`, 1e30],
    [`0.${'0'.repeat(29)}1`, `0.${'0'.repeat(29)}1`, 1e-30],
    ['100000000000000000000000000000', '100000000000000000000000000000', 1e29],
  ])(
    'amount %j is kept exactly as %s through create, read and list',
    async (amount, amountDecimal, number) => {
      const { body } = await post(createBody({ amount }));
      expect(body).toMatchObject({ amount: number, amountDecimal });
      expect(await readTransaction(tenant, body.id)).toMatchObject({ amount: number, amountDecimal });
      const listed = await tenant.get<Transaction[]>(`/transactions?q=${body.id}`);
      expect(listed.body).toMatchObject([{ amount: number, amountDecimal }]);
    },
  );

  test.each([
    ['ETH', '1.5', 3000.75, 2700.38],
    ['USDC', '2', 2, null],
    ['NEVERHEARD', '2', null, null],
    ['DUST', '0.001', 1e-12, 2e-12],
  ])(
    '%s has the value of the price table, null where the price is unknown, never 0',
    async (asset, amount, usd, eur) => {
      const body = await createTransaction(tenant, { asset, amount });
      expect(body).toMatchObject({ amountUsd: usd, amountEur: eur });
      const [created] = await eventsOf(body.id);
      const known = usd === null ? {} : { priceSource: 'table', pricedAt: pricedAt.toISOString() };
      expect(created?.['data']).toEqual(known);
    },
  );

  test.each([
    ['ETH', undefined, 'Ethereum'],
    ['btc', undefined, 'Bitcoin'],
    ['USDT', undefined, null],
    ['USDT', 'erc20', 'erc20'],
    ['GOLD', 'My Own Chain', 'My Own Chain'],
  ])('the blockchain of %s, given %j, is %j', async (asset, blockchain, shown) => {
    const destination = asset === 'btc' ? 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' : evmAddress();
    const body = await createTransaction(tenant, { asset, blockchainInfo: { blockchain, destination } });
    expect(body.blockchainInfo.blockchain).toBe(shown);
  });

  test('an INCOMING record may be partial, names its originator VASP, and is screened', async () => {
    const body = await createTransaction(tenant, {
      direction: 'INCOMING',
      vaspInfo: { originatorVaspName: 'Sender Bank', originatorVaspEmail: 'tr@sender.example' },
      originator: { name: 'Anna Keller' },
    });
    expect(body).toMatchObject({
      direction: 'INCOMING',
      status: 'PENDING',
      subStatus: null,
      beneficiary: null,
      originator: { ...emptyParty, name: 'Anna Keller' },
      vaspInfo: {
        ...emptyVaspInfo,
        originatorVaspName: 'Sender Bank',
        originatorVaspEmail: 'tr@sender.example',
        beneficiaryVaspName: tenant.name,
        beneficiaryVaspEntityId: expect.any(String),
      },
    });
    expect(body.blockchainInfo.isDestinationConfirmed).toBeNull();
    expect(await outboxOf(body.id)).toMatchObject([{ workflow: 'transactionLifecycle' }]);
  });

  test('the log opens with CREATED by the key that made it, and the outbox promises a workflow', async () => {
    const body = await createTransaction(tenant);
    expect(await eventsOf(body.id)).toMatchObject([
      {
        type: 'CREATED',
        actor: 'API_KEY',
        apiKeyId: tenant.apiKeyId,
        previousStatus: null,
        newStatus: 'PENDING',
        sequence: 1,
        previousHash: null,
      },
    ]);
    expect(await outboxOf(body.id)).toEqual([
      { tenant_id: tenant.id, workflow: 'transactionLifecycle', summary: 'Outgoing ETH' },
    ]);
    expect(api.outbox.at(-1)).toMatchObject({ subjectId: body.id, workflow: 'transactionLifecycle' });
  });

  test.each([
    ['ch', 'CH'],
    ['Switzerland', 'CH'],
    ["Côte d'Ivoire", 'CI'],
    ['united kingdom', 'GB'],
  ])('country %j is stored as %s', async (country, code) => {
    const party = { country, identifierCountry: country };
    const body = await createTransaction(tenant, {
      originator: party,
      beneficiary: party,
      additionalOriginators: [party],
    });
    const stored = { country: code, identifierCountry: code };
    expect(body).toMatchObject({ originator: stored, beneficiary: stored, additionalOriginators: [stored] });
  });

  test.each([
    ['PAS', 'CCPT'],
    ['PASSPORT', 'CCPT'],
    ['ARNU', 'ARNU'],
    ['CCPT', 'CCPT'],
    ['RAID', 'RAID'],
    ['DRLC', 'DRLC'],
    ['FIIN', 'FIIN'],
    ['TXID', 'TXID'],
    ['SOCS', 'SOCS'],
    ['IDCD', 'IDCD'],
    ['LEIX', 'LEIX'],
    ['MISC', 'MISC'],
  ])('identifier type %s is stored as %s', async (given, stored) => {
    const originator = { nationalIdentificatorType: given, nationalIdentificator: LEI };
    const body = await createTransaction(tenant, { originator });
    expect(body.originator?.nationalIdentificatorType).toBe(stored);
  });

  test('an empty party counts as none', async () => {
    expect(await createTransaction(tenant, { originator: {}, beneficiary: {} })).toMatchObject({
      originator: null,
      beneficiary: null,
    });
  });

  test('the same reference may be used by two tenants', async () => {
    const other = await createTenant(api);
    const reference = 'shared-17';
    await createTransaction(tenant, { reference });
    expect((await createTransaction(other, { reference })).reference).toBe(reference);
  });

  test('a key of role COMPLIANCE may create', async () => {
    const officer = await tenant.as('COMPLIANCE');
    expect((await officer.post('/transactions', createBody())).status).toBe(201);
  });

  test('what names people is not in the database in clear', async () => {
    const name = 'Xenophilius Quibbler';
    await createTransaction(tenant, {
      ...fullBody(),
      originator: { name },
      metadata: name,
      internalNote: name,
    });
    const { rows } = await database.pool.query<{ text: string }>(
      'select t::text || coalesce((select string_agg(e::text, $1) from events e where e.subject_id = t.id), $1) as text from transactions t',
      [''],
    );
    const hex = Buffer.from(name).toString('hex');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ text }) => text.includes(name) || text.includes(hex))).toEqual([]);
  });
});

describe('400', () => {
  test.each<[string, string, Json]>([
    ['/asset', 'required', { asset: undefined }],
    ['/amount', 'required', { amount: undefined }],
    ['/blockchainInfo/destination', 'required', { blockchainInfo: { destination: undefined } }],
    ['/blockchainInfo/destinationType', 'required', { blockchainInfo: { destinationType: undefined } }],
    ['/blockchainInfo/destinationType', 'invalid_value', { blockchainInfo: { destinationType: 'HOSTED' } }],
    ['/blockchainInfo/originType', 'invalid_value', { blockchainInfo: { originType: 'UNKNOWN' } }],
    [
      '/blockchainInfo/destination',
      'address_invalid',
      { blockchainInfo: { destination: `0x${'1'.repeat(39)}`, blockchain: 'Ethereum' } },
    ],
    [
      '/blockchainInfo/transactionHash',
      'hash_invalid',
      { blockchainInfo: { blockchain: 'Base', transactionHash: '0xzz' } },
    ],
    [
      '/blockchainInfo/transactionHash',
      'hash_invalid',
      {
        direction: 'INCOMING',
        blockchainInfo: { blockchain: 'ETH', transactionHash: `0x${'a'.repeat(63)}` },
      },
    ],
    [
      '/blockchainInfo/destination',
      'address_invalid',
      { blockchainInfo: { destination: '0x52908400098527886E0F7030069857D2E4169Ee7' } },
    ],
    [
      '/blockchainInfo/origin',
      'address_invalid',
      { blockchainInfo: { origin: 'not an address', blockchain: 'Ethereum' } },
    ],
    [
      '/blockchainInfo/isDestinationConfirmed',
      'unknown_field',
      { blockchainInfo: { isDestinationConfirmed: true } },
    ],
    ['/direction', 'invalid_value', { direction: 'SIDEWAYS' }],
    ['/status', 'unknown_field', { status: 'CONFIRMED' }],
    ['/statusReasoning', 'unknown_field', { statusReasoning: 'because' }],
    ['/id', 'unknown_field', { id: '0190d1a2-7b3c-7def-8123-456789abcdef' }],
    ['/asset', 'invalid_format', { asset: 'two words' }],
    ['/asset', 'invalid_format', { asset: 'X'.repeat(33) }],
    ['/amount', 'invalid', { amount: 0 }],
    ['/amount', 'invalid', { amount: '-1' }],
    ['/amount', 'invalid', { amount: `1${'0'.repeat(30)}` }],
    ['/amount', 'invalid', { amount: `0.${'0'.repeat(30)}1` }],
    ['/amount', 'invalid', { amount: '1e3' }],
    ['/amount', 'invalid', { amount: '1,5' }],
    ['/amount', 'invalid', { amount: ' 1' }],
    ['/reference', 'too_big', { reference: 'x'.repeat(129) }],
    ['/metadata', 'too_big', { metadata: 'x'.repeat(2_001) }],
    ['/vaspInfo/beneficiaryVaspEmail', 'invalid_format', { vaspInfo: { beneficiaryVaspEmail: 'nobody' } }],
    ['/vaspInfo/beneficiaryVaspEntityId', 'unknown_field', { vaspInfo: { beneficiaryVaspEntityId: 'x' } }],
    ['/vaspInfo/originatorVaspName', 'not_allowed', { vaspInfo: { originatorVaspName: 'Me' } }],
    ['/vaspInfo/originatorVaspEmail', 'not_allowed', { vaspInfo: { originatorVaspEmail: 'me@me.example' } }],
    ['/originator/country', 'invalid', { originator: { country: 'Atlantis' } }],
    ['/originator/country', 'invalid', { originator: { country: 'XX' } }],
    ['/beneficiary/dateOfBirth', 'invalid_format', { beneficiary: { dateOfBirth: '1980-02-30' } }],
    ['/beneficiary/dateOfBirth', 'date_in_future', { beneficiary: { dateOfBirth: '2999-01-01' } }],
    [
      '/originator/nationalIdentificatorType',
      'invalid_value',
      { originator: { nationalIdentificatorType: 'PASS' } },
    ],
    [
      '/originator/nationalIdentificator',
      'lei_invalid',
      { originator: { nationalIdentificatorType: 'LEIX', nationalIdentificator: '529900T8BM49AURSDO56' } },
    ],
    [
      '/additionalOriginators/1/nationalIdentificator',
      'lei_invalid',
      { additionalOriginators: [{}, { nationalIdentificatorType: 'LEIX', nationalIdentificator: 'X' }] },
    ],
    ['/originator/lei', 'invalid', { originator: { lei: '529900T8BM49AURSDO56' } }],
    [
      '/originator/addressDetails/village',
      'unknown_field',
      { originator: { addressDetails: { village: 'x' } } },
    ],
    [
      '/additionalOriginators',
      'too_big',
      { additionalOriginators: Array.from({ length: 6 }, () => ({ name: 'A' })) },
    ],
  ])('%s is refused as %s, and nothing is stored (case %#)', async (pointer, code, overrides) => {
    const before = await rowCounts(api);
    const answer = await post(createBody(overrides));
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ pointer, code }] },
    });
    expect(await rowCounts(api)).toEqual(before);
  });

  test('all faults of a body are told at once', async () => {
    const answer = await post({ asset: 'two words', nonsense: 1, blockchainInfo: {} });
    const { errors } = answer.body as unknown as { errors: { pointer: string }[] };
    expect(errors.map((error) => error.pointer).sort()).toEqual([
      '/amount',
      '/asset',
      '/blockchainInfo/destination',
      '/blockchainInfo/destinationType',
      '/nonsense',
    ]);
  });
});

describe('401 and 403', () => {
  test('without a key, and with a key that may only read, nothing is stored', async () => {
    const observer = await tenant.as('OBSERVER');
    const before = await rowCounts(api);
    expect(await api.request('POST', '/transactions', { body: createBody() })).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated' },
    });
    expect(await observer.post('/transactions', createBody())).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
    expect(await rowCounts(api)).toEqual(before);
  });
});

describe('409', () => {
  test('a reference names one record: its repeat tells the id and stores nothing', async () => {
    const first = await createTransaction(tenant, { reference: 'unique-1' });
    const before = await rowCounts(api);
    const answer = await post(createBody({ reference: 'unique-1' }));
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict', id: first.id } });
    expect(await rowCounts(api)).toEqual(before);
  });

  test('the reference of a deleted record stays taken, without an id', async () => {
    const { id } = await createTransaction(tenant, { reference: 'unique-2' });
    await tenant.delete(`/transactions/${id}`);
    const answer = await post(createBody({ reference: 'unique-2' }));
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(answer.body).not.toHaveProperty('id');
  });

  test('of 20 creations with one reference at once exactly one succeeds and all others name it', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => await post(createBody({ reference: 'rush' }))),
    );
    const made = answers.filter((answer) => answer.status === 201);
    const refused = answers.filter((answer) => answer.status === 409);
    expect([made.length, refused.length]).toEqual([1, 19]);
    expect(new Set(refused.map((answer) => answer.body.id))).toEqual(new Set([made[0]?.body.id]));
  });

  test('a taken reference fails alone: requests that are written together with it succeed', async () => {
    await createTransaction(tenant, { reference: 'taken' });
    const references = Array.from({ length: 30 }, (_, index) =>
      index % 5 === 0 ? 'taken' : `free-${index}`,
    );
    const answers = await Promise.all(
      references.map(async (reference) => await post(createBody({ reference }))),
    );
    expect(answers.map((answer) => answer.status)).toEqual(
      references.map((name) => (name === 'taken' ? 409 : 201)),
    );
  });
});
