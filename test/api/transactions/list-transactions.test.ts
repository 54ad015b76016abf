import fc from 'fast-check';
import { compareDecimals } from '../../../domain/decimal.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { Json } from '../../api-client.ts';
import { createTenant } from '../../factories/tenant.ts';
import { createTransaction, evmAddress, evmHash, readTransaction } from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

const START = Date.parse('2026-03-01T00:00:00.000Z');
const RECORDS = 48;
/** Spelled with the checksum of EIP-55. */
const DESTINATION = '0x52908400098527886E0F7030069857D2E4169EE7';
const HASH = evmHash();
const COUNTERPARTY = '0190d1a2-7b3c-7def-8123-456789abcdef';
const DUPLICATE = '0190d1a2-7b3c-7def-8123-456789abcded';
const NOBODY = '0190d1a2-7b3c-7def-8123-456789abcdee';
const at = (ms: number) => new Date(START + ms).toISOString();

const price = { usd: '2', eur: null, source: 'table', pricedAt: new Date() };
const { api, database } = useApi({ prices: { ETH: price, USDC: { ...price, eur: '1' } } });
const tenant = useTenant(api);
/** Everything the tenant has, as answered. */
let all: Transaction[];
beforeAll(async () => {
  await database.pool.query(
    `insert into entities (id, name, name_folded, type, risk_severity, master_entity_id, source, created_at, updated_at)
     select id, 'Some VASP', 'some vasp', 'exchange', 'low', nullif($1, id), 'TEST', now(), now()
     from unnest(array[$1, $2]::uuid[]) id`,
    [COUNTERPARTY, DUPLICATE],
  );
  const other = await createTenant(api);
  await createTransaction(other, {
    reference: 'ref-1',
    blockchainInfo: { destination: DESTINATION, transactionHash: HASH },
  });
  for (let index = 0; index < RECORDS; index += 1) await createRecord(index);
  const gone = await createTransaction(tenant, {
    reference: 'gone',
    blockchainInfo: { destination: DESTINATION },
  });
  await tenant.delete(`/transactions/${gone.id}`);
  const ids = (
    await database.pool.query<{ id: string }>('select id from transactions where tenant_id = $1', [tenant.id])
  ).rows;
  all = await Promise.all(
    ids.filter(({ id }) => id !== gone.id).map(async ({ id }) => await readTransaction(tenant, id)),
  );
});

const cycle = <T>(values: readonly T[], index: number) => values[index % values.length];

/** Records that share each of their properties with some others, so that every filter and every tie is met. */
async function createRecord(index: number): Promise<void> {
  const direction = cycle(['OUTGOING', 'INCOMING', 'INCOMING'], index);
  const { id } = await createTransaction(tenant, {
    direction,
    asset: cycle(['ETH', 'USDC', 'BTC', 'ETH', 'XRPX'], index),
    amount: cycle(['1', '10', '2', '0.5', '9007199254740993', '9007199254740993.1', '100'], index),
    ...(index % 4 === 0 && { reference: `ref-${index}` }),
    blockchainInfo: {
      blockchain: index % 11 === 1 ? 'Some Chain' : 'Ethereum',
      destination: index % 5 === 0 ? DESTINATION : evmAddress(),
      ...(index % 7 === 0 && { transactionHash: HASH }),
    },
  });
  const decision =
    direction === 'OUTGOING'
      ? cycle([null, 'CANCELLED'], index)
      : cycle(['CONFIRMED', null, 'DECLINED', null], index);
  if (decision) await tenant.patch(`/transactions/${id}`, { status: decision });
  await database.pool.query(
    `update transactions set created_at = $2, updated_at = $3, hold = $4, counterparty_entity_id = $5 where id = $1`,
    [
      id,
      at(Math.floor(index / 3)),
      at(1_000 + (index % 10)),
      decision ? null : cycle([null, 'SANCTIONS', null, 'RULE', null], index),
      cycle([null, COUNTERPARTY, null, null, DUPLICATE, null], index),
    ],
  );
}

async function list(query: string, options = {}) {
  return await tenant.get<Transaction[]>(`/transactions${query}`, options);
}

const idsOf = (records: readonly Transaction[]) => records.map((record) => record.id);

type Filter = [query: string, fits: (record: Transaction) => boolean];
const oneOf = (...values: readonly (string | null)[]) => values;

const FILTERS: Record<string, Filter[]> = {
  _status: [
    ['_status=PENDING', ({ status }) => status === 'PENDING'],
    ['_status=CONFIRMED,DECLINED', ({ status }) => oneOf('CONFIRMED', 'DECLINED').includes(status)],
    ['_status=CANCELLED&_status=PENDING', ({ status }) => oneOf('CANCELLED', 'PENDING').includes(status)],
    ['_status=CANCELLED,DECLINED&_status=CONFIRMED', ({ status }) => status !== 'PENDING'],
    ['_status=FAILED', () => false],
  ],
  _subStatus: [
    ['_subStatus=ROUTING', ({ subStatus }) => subStatus === 'ROUTING'],
    [
      '_subStatus=ROUTING,AWAITING_TRANSACTION_HASH',
      ({ subStatus }) => oneOf('ROUTING', 'AWAITING_TRANSACTION_HASH').includes(subStatus),
    ],
    [
      '_subStatus=WAITING&_subStatus=AWAITING_TRANSACTION_HASH',
      ({ subStatus }) => subStatus === 'AWAITING_TRANSACTION_HASH',
    ],
  ],
  _direction: [
    ['_direction=OUTGOING', ({ direction }) => direction === 'OUTGOING'],
    ['_direction=INCOMING', ({ direction }) => direction === 'INCOMING'],
  ],
  _from: [
    [`_from=${at(5)}`, ({ createdAt }) => createdAt >= at(5)],
    [`_from=${at(5).replace('Z', '%2B00:00')}`, ({ createdAt }) => createdAt >= at(5)],
    [`_from=${at(16)}`, () => false],
  ],
  _to: [
    [`_to=${at(9)}`, ({ createdAt }) => createdAt <= at(9)],
    [`_to=${at(-1)}`, () => false],
  ],
  _updatedFrom: [[`_updatedFrom=${at(1_004)}`, ({ updatedAt }) => updatedAt >= at(1_004)]],
  _reference: [
    ['_reference=ref-8', ({ reference }) => reference === 'ref-8'],
    ['_reference=ref-1', () => false],
    ['_reference=REF-8', () => false],
  ],
  _transactionHash: [
    [`_transactionHash=${HASH}`, ({ blockchainInfo }) => blockchainInfo.transactionHash === HASH],
    [
      `_transactionHash=${HASH.slice(2).toUpperCase()}`,
      ({ blockchainInfo }) => blockchainInfo.transactionHash === HASH,
    ],
    [`_transactionHash=${HASH.slice(0, -1)}`, () => false],
  ],
  _destination: [
    [`_destination=${DESTINATION}`, ({ blockchainInfo }) => blockchainInfo.destination === DESTINATION],
    [
      `_destination=${DESTINATION.toLowerCase()}`,
      ({ blockchainInfo }) => blockchainInfo.destination === DESTINATION,
    ],
    [`_destination=${DESTINATION.slice(0, -1)}`, () => false],
  ],
  _clearance: [
    ['_clearance=GO', ({ clearance }) => clearance.outcome === 'GO'],
    ['_clearance=WAIT,STOP', ({ clearance }) => clearance.outcome !== 'GO'],
  ],
  _nextAction: [
    ['_nextAction=REVIEW', ({ clearance }) => clearance.nextAction === 'REVIEW'],
    [
      '_nextAction=ADD_HASH&_nextAction=FIX_ROUTING',
      ({ clearance }) => oneOf('ADD_HASH', 'FIX_ROUTING').includes(clearance.nextAction),
    ],
  ],
  _hold: [
    ['_hold=SANCTIONS', ({ clearance }) => clearance.reasons.includes('SANCTIONS')],
    ['_hold=RULE,SANCTIONS', ({ subStatus }) => subStatus === 'ON_HOLD'],
  ],
  _asset: [
    ['_asset=USDC', ({ asset }) => asset === 'USDC'],
    ['_asset=eth,Btc', ({ asset }) => oneOf('ETH', 'BTC').includes(asset)],
    ['_asset=NONE', () => false],
  ],
  _blockchain: [
    ['_blockchain=ETH', ({ blockchainInfo }) => blockchainInfo.blockchain === 'Ethereum'],
    ['_blockchain=eip155:1,Bitcoin', ({ blockchainInfo }) => blockchainInfo.blockchain === 'Ethereum'],
    ['_blockchain=some+CHAIN', ({ blockchainInfo }) => blockchainInfo.blockchain === 'Some Chain'],
    ['_blockchain=Tron', () => false],
  ],
  _counterpartyEntityId: [
    [
      `_counterpartyEntityId=${COUNTERPARTY}`,
      ({ vaspInfo }) =>
        [vaspInfo.beneficiaryVaspEntityId, vaspInfo.originatorVaspEntityId].some((id) =>
          oneOf(COUNTERPARTY, DUPLICATE).includes(id),
        ),
    ],
    [
      `_counterpartyEntityId=${DUPLICATE},${NOBODY}`,
      ({ vaspInfo }) =>
        oneOf(vaspInfo.beneficiaryVaspEntityId, vaspInfo.originatorVaspEntityId).includes(DUPLICATE),
    ],
    [`_counterpartyEntityId=${NOBODY.toUpperCase()}`, () => false],
  ],
};

type Compare = (a: Transaction, b: Transaction) => number;
const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** How each sortable field orders; `Infinity` puts what is null last. */
const SORTS: Record<string, Compare> = {
  createdAt: (a, b) => byText(a.createdAt, b.createdAt),
  updatedAt: (a, b) => byText(a.updatedAt, b.updatedAt),
  amount: (a, b) => compareDecimals(a.amountDecimal ?? '0', b.amountDecimal ?? '0'),
  amountUsd: (a, b) => (a.amountUsd ?? 0) - (b.amountUsd ?? 0),
  amountEur: (a, b) => (a.amountEur ?? 0) - (b.amountEur ?? 0),
  asset: (a, b) => byText(a.asset, b.asset),
  status: (a, b) => byText(a.status, b.status),
  direction: (a, b) => byText(a.direction, b.direction),
};

function sorted(records: readonly Transaction[], field: string, order: string): Transaction[] {
  const sign = order === 'ASC' ? 1 : -1;
  const compare = SORTS[field] ?? (() => 0);
  const isNull = (record: Transaction) => Number(record[field as keyof Transaction] === null);
  return records.toSorted((a, b) => isNull(a) - isNull(b) || sign * (compare(a, b) || byText(a.id, b.id)));
}

describe('200', () => {
  test('without a query: newest first, all fields, exact total', async () => {
    const answer = await list('');
    expect(answer.body).toEqual(sorted(all, 'createdAt', 'DESC'));
    expect(answer.headers.get('X-Total-Count')).toBe(String(RECORDS));
  });

  test.each(Object.values(FILTERS).flat())(
    '%s gives exactly what fits, and its number',
    async (query, fits) => {
      const answer = await list(`?${query}`);
      const expected = sorted(all.filter(fits), 'createdAt', 'DESC');
      expect(idsOf(answer.body)).toEqual(idsOf(expected));
      expect(answer.headers.get('X-Total-Count')).toBe(String(expected.length));
    },
  );

  test.each(
    Object.keys(SORTS).flatMap(
      (field) =>
        [
          [field, 'ASC'],
          [field, 'DESC'],
        ] as [string, string][],
    ),
  )('sorted by %s %s: ties by id, what is null last', async (field, order) => {
    const answer = await list(`?_sort=${field}&_order=${order}`);
    expect(idsOf(answer.body)).toEqual(idsOf(sorted(all, field, order)));
  });

  test('a named field without an order ascends; an order without a field is that of createdAt', async () => {
    expect(idsOf((await list('?_sort=amount')).body)).toEqual(idsOf(sorted(all, 'amount', 'ASC')));
    expect(idsOf((await list('?_order=ASC')).body)).toEqual(idsOf(sorted(all, 'createdAt', 'ASC')));
  });

  test('any combination of filters, order and page gives what a plain reading of it gives', async () => {
    const filter = fc.tuple(
      ...Object.values(FILTERS).map((choices) =>
        fc.option(fc.constantFrom(...choices), { nil: undefined, freq: 1 }),
      ),
    );
    const order = fc.record({
      field: fc.constantFrom(...Object.keys(SORTS)),
      order: fc.constantFrom('ASC', 'DESC'),
    });
    const page = fc.record({ start: fc.nat(60), length: fc.nat(100) });
    await fc.assert(
      fc.asyncProperty(filter, order, page, async (filters, { field, order }, { start, length }) => {
        const chosen = filters.filter((choice) => choice !== undefined);
        const parts = [
          ...chosen.map(([query]) => query),
          `_sort=${field}`,
          `_order=${order}`,
          `_start=${start}`,
          `_end=${start + length}`,
        ];
        const answer = await list(`?${parts.join('&')}`);
        const fitting = sorted(
          all.filter((record) => chosen.every(([, fits]) => fits(record))),
          field,
          order,
        );
        expect(idsOf(answer.body)).toEqual(idsOf(fitting.slice(start, start + length)));
        expect(answer.headers.get('X-Total-Count')).toBe(String(fitting.length));
      }),
      { numRuns: 100 },
    );
  });

  test.each([
    ['?_start=40', 40, RECORDS],
    ['?_end=7', 0, 7],
    ['?_start=3&_end=5', 3, 5],
    ['?_start=5&_end=5', 5, 5],
    ['?_start=0&_end=100', 0, RECORDS],
    ['?_start=1000', 0, 0],
    ['?_start=9007199254740890&_end=9007199254740990', 0, 0],
  ])('%s is that page, and the total ignores it', async (query, from, to) => {
    const answer = await list(query);
    expect(idsOf(answer.body)).toEqual(idsOf(sorted(all, 'createdAt', 'DESC').slice(from, to)));
    expect(answer.headers.get('X-Total-Count')).toBe(String(RECORDS));
  });

  test('pages read one after another give every record once, whatever the sort', async () => {
    for (const field of Object.keys(SORTS)) {
      const pages: Transaction[][] = [];
      for (let start = 0; start < RECORDS; start += 7) {
        pages.push((await list(`?_sort=${field}&_start=${start}&_end=${start + 7}`)).body);
      }
      expect(idsOf(pages.flat()).sort()).toEqual(idsOf(all).sort());
    }
  });

  test('_start alone is that page of 100', async () => {
    const busy = await createTenant(api);
    await Promise.all(Array.from({ length: 105 }, async () => await createTransaction(busy)));
    const [first, rest] = [
      await busy.get<Json[]>('/transactions'),
      await busy.get<Json[]>('/transactions?_start=100'),
    ];
    expect([first.body.length, rest.body.length]).toEqual([100, 5]);
    expect(first.headers.get('X-Total-Count')).toBe('105');
  });

  test.each(['count=none', 'respond-async, count=none', 'count="none"; foo=1'])(
    'Prefer: %s leaves the total out',
    async (prefer) => {
      const answer = await list('?_status=PENDING', { headers: { Prefer: prefer } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('X-Total-Count')).toBeNull();
      expect(answer.body.length).toBeGreaterThan(0);
    },
  );

  test('bounds are inclusive at the millisecond', async () => {
    const record = await createTransaction(tenant, { asset: 'BOUND' });
    const moment = Date.parse(record.createdAt);
    const found = async (from: number, to: number) =>
      (await list(`?_from=${new Date(from).toISOString()}&_to=${new Date(to).toISOString()}`)).body.length;
    expect(await found(moment, moment)).toBe(1);
    expect(await found(moment + 1, moment + 1)).toBe(0);
    expect(await found(moment - 1, moment - 1)).toBe(0);
    await tenant.delete(`/transactions/${record.id}`);
  });

  test('roles COMPLIANCE and OBSERVER may list', async () => {
    for (const role of ['COMPLIANCE', 'OBSERVER'] as const) {
      const answer = await (await tenant.as(role)).get('/transactions');
      expect([answer.status, answer.headers.get('X-Total-Count')]).toEqual([200, String(RECORDS)]);
    }
  });
});

describe('400', () => {
  test.each([
    ['_sort=id', '/_sort'],
    ['_sort=tenant_id', '/_sort'],
    ['_sort=createdAt,amount', '/_sort'],
    ['_order=asc', '/_order'],
    ['_start=-1', '/_start'],
    ['_start=1.5', '/_start'],
    ['_start=01', '/_start'],
    ['_start=9007199254740993', '/_start'],
    ['_start=2&_end=1', '/_start'],
    ['_start=0&_end=101', '/_end'],
    ['_end=101', '/_end'],
    ['_start=1&_start=2', '/_start'],
    ['_status=OPEN', '/_status'],
    ['_status=PENDING,', '/_status'],
    ['_status=pending', '/_status'],
    ['_direction=OUTGOING,INCOMING', '/_direction'],
    ['_direction=OUTGOING&_direction=INCOMING', '/_direction'],
    ['_subStatus=null', '/_subStatus'],
    ['_from=yesterday', '/_from'],
    ['_from=2026-02-30T00:00:00Z', '/_from'],
    ['_from=2026-01-01', '/_from'],
    ['_to=2026-01-01T00:00:00', '/_to'],
    ['_reference=', '/_reference'],
    ['_reference=a&_reference=b', '/_reference'],
    ['q=', '/q'],
    [`q=${'x'.repeat(201)}`, '/q'],
    ['q=%00', '/q'],
    ['status=PENDING', '/status'],
    ['_limit=10', '/_limit'],
    ['__proto__=1', '/__proto__'],
    ['_from=%ZZ', ''],
  ])('?%s is refused at "%s"', async (query, pointer) => {
    const answer = await list(`?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', errors: [{ pointer }] } });
    expect(answer.headers.get('X-Total-Count')).toBeNull();
  });
});

test('401 without a key', async () => {
  expect((await api.request('GET', '/transactions')).status).toBe(401);
});

describe('GET /transactions/{id}', () => {
  test('200: the record as it was created, for every role', async () => {
    for (const role of ['ADMIN', 'COMPLIANCE', 'OBSERVER'] as const) {
      const client = await tenant.as(role);
      expect((await client.get(`/transactions/${all[0]?.id}`)).body).toEqual(all[0]);
    }
  });

  test('200: an id in capitals is the same id', async () => {
    expect((await tenant.get(`/transactions/${all[0]?.id.toUpperCase()}`)).body).toEqual(all[0]);
  });

  test.each(['0190d1a2-7b3c-7def-8123-456789abcdef', 'no-uuid', '1', '%00', '%ZZ', `${'a'.repeat(5_000)}`])(
    '404: %s is no record',
    async (id) => {
      expect(await tenant.get(`/transactions/${id}`)).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
    },
  );

  test('400: there are no query parameters', async () => {
    expect(await tenant.get(`/transactions/${all[0]?.id}?expand=1`)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/expand', code: 'unknown_field' }] },
    });
  });
});
