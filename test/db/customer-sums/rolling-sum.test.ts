import { rollingSumSql } from '../../../db/customer-sums/rolling-sum.ts';
import { tidyCustomerSums } from '../../../db/customer-sums/tidy.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { randomFrom } from '../../domain/rules/random-rules.ts';
import { bulkTenants } from '../../factories/bulk-rows.ts';

const NOBODY = '00000000-0000-0000-0000-000000000000';
const CUSTOMER = 7;
const OTHER = 8;

let database: TestDatabase;
let tenantId = '';
beforeAll(async () => {
  database = await testDatabase();
  await sql(`insert into deployment (environment) values ('sandbox') on conflict do nothing`);
});
afterAll(async () => await database.drop());
beforeEach(async () => ([tenantId = ''] = await bulkTenants(database.pool, 1)));

const sql = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await database.pool.query<Row>(text, values)).rows;

const SUMMED = rollingSumSql({
  tenantId: '$1::uuid',
  token: '$2::bigint',
  direction: `'OUTGOING'`,
  until: '$3',
  id: '$4::uuid',
  amountEur: '0',
});
/** What rules are decided by, from the rows alone. */
const BY_ROWS = `
  select json_build_object('count', count(*) + 1, 'known', coalesce(sum(amount_eur), 0)::text,
    'isComplete', count(*) = count(amount_eur))
  from transactions
  where tenant_id = $1 and subject_token = $2 and direction = 'OUTGOING' and deleted_at is null and id <> $4
    and (not sealed or release_id is not null) and status not in ('CANCELLED', 'DECLINED', 'FAILED')
    and created_at > $3::timestamptz - interval '24 hours' and created_at <= $3`;

interface Sum {
  count: number;
  known: string;
  isComplete: boolean;
}

/** Both in one statement, so on one state. */
async function sums(until: Date, token = CUSTOMER, except = NOBODY): Promise<{ summed: Sum; byRows: Sum }> {
  const [row] = await sql<{ summed: Sum; byRows: Sum }>(
    `select (${SUMMED}) as summed, (${BY_ROWS}) as "byRows"`,
    [tenantId, token, until, except],
  );
  if (!row) throw new Error('no sums');
  for (const sum of [row.summed, row.byRows]) sum.known = String(Number(sum.known));
  return row;
}

interface Given {
  createdAt: Date;
  token?: number;
  amountEur?: number | null;
  direction?: string;
  sealed?: boolean;
  status?: string;
}

const INSERT = `
  insert into transactions (id, tenant_id, direction, status, asset, origin_type, destination, destination_normal,
    destination_type, record_key, personal, version, sequence, head, created_at, updated_at, subject_token, amount_eur, sealed)
  values (gen_random_uuid(), $1, $2, $3, 'ETH', 'CUSTODIAL', 'd', 'd', 'CUSTODIAL', '', '', 1, 1, '', $4, $4, $5, $6, $7)
  returning id`;

function insertValues({ createdAt, token = CUSTOMER, amountEur = 1, ...given }: Given): unknown[] {
  const { direction = 'OUTGOING', sealed = false, status = 'PENDING' } = given;
  return [tenantId, direction, status, createdAt, token, amountEur, sealed];
}

async function insert(given: Given): Promise<string> {
  const [row] = await sql<{ id: string }>(INSERT, insertValues(given));
  return row?.id ?? '';
}

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;
const DAY = 96 * QUARTER;
const ago = (ms: number) => new Date(Date.now() - ms);
const startOf = (at: Date) => new Date(Math.floor(at.getTime() / QUARTER) * QUARTER);
const after = (at: Date, ms: number) => new Date(at.getTime() + ms);
const tidyAll = async () => {
  while (await tidyCustomerSums(database.pool));
};
const noted = async (token = CUSTOMER) =>
  await sql<{ count: number }>(
    'select count from customer_sums where tenant_id = $1 and subject_token = $2',
    [tenantId, token],
  );

/** The limits of what counts and of what is read from sums, and a millisecond to both sides of each. */
function limitsOf(until: Date): Date[] {
  const first = after(until, -DAY);
  const limits = [until, startOf(until), first, startOf(first), after(startOf(first), QUARTER)];
  return limits.flatMap((at) => [after(at, -1), at, after(at, 1)]);
}

test('what counts begins after 24 hours before and ends with the moment, to the millisecond', async () => {
  const moments = [ago(0), startOf(ago(0)), after(startOf(ago(0)), -1), ago(400 * MINUTE)];
  for (const at of moments.flatMap(limitsOf)) await insert({ createdAt: at });
  for (const moment of moments) {
    const { summed, byRows } = await sums(moment);
    expect(summed).toEqual(byRows);
    // The moment itself, and of the others those in between.
    expect(summed.count).toBeGreaterThan(5);
  }
});

/** One change of a row of any customer, as the product or a person with SQL may make it. */
const CHANGES = [
  'amount_eur = 3.21',
  'amount_eur = null',
  `status = 'CANCELLED'`,
  `status = 'CONFIRMED'`,
  'release_id = gen_random_uuid()',
  'sealed = true',
  'deleted_at = now(), subject_token = null',
  `subject_token = ${OTHER}`,
  `created_at = created_at - interval '7 minutes'`,
  `direction = 'INCOMING'`,
  'updated_at = now()',
];

/** The transfer of a decision, which counts beside what is stored, and its creation. */
async function decidedNow(id: string): Promise<{ until: Date; id: string }> {
  const [row] = await sql<{ createdAt: Date }>(
    'select created_at as "createdAt" from transactions where id = $1',
    [id],
  );
  return { until: row?.createdAt ?? ago(0), id };
}

test('after any changes the sums are those of the rows', async () => {
  const random = randomFrom(20_261_127);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const moments = [ago(0), startOf(ago(0)), ago(90 * MINUTE)];
  const ids: string[] = [];
  for (let n = 0; n < 120; n += 1) {
    const createdAt = pick([pick(limitsOf(pick(moments))), ago(random() * 1.2 * DAY), ago(40 * MINUTE)]);
    const amountEur = random() < 0.3 ? null : Math.floor(random() * 10_000) / 100;
    const token = pick([CUSTOMER, CUSTOMER, OTHER]);
    ids.push(await insert({ createdAt, token, amountEur, sealed: random() < 0.2 }));
    if (n % 2 === 0) await sql(`update transactions set ${pick(CHANGES)} where id = $1`, [pick(ids)]);
    if (n % 25 === 0) await sql('delete from transactions where id = $1', [pick(ids)]);
    if (n % 40 === 0) await tidyAll();
    for (const { until, id } of [{ until: pick(moments), id: NOBODY }, await decidedNow(pick(ids))]) {
      const { summed, byRows } = await sums(until, token, id);
      expect(summed).toEqual(byRows);
    }
  }
  const { summed } = await sums(ago(0));
  expect([summed.count > 20, summed.isComplete]).toEqual([true, false]);
});

test('while others write and sums are folded, every reading is of one state', async () => {
  let isOver = false;
  const write = async (client = 0) => {
    for (let n = 0; !isOver; n += 1) {
      const id = await insert({ createdAt: ago((20 + (n % 60)) * MINUTE), amountEur: n % 7 ? n : null });
      if (n % 3 === client % 3) await sql(`update transactions set status = 'DECLINED' where id = $1`, [id]);
      if (n % 5 === 0) await sql('update transactions set subject_token = null where id = $1', [id]);
    }
  };
  const fold = async () => {
    while (!isOver) await tidyCustomerSums(database.pool);
  };
  const working = [write(0), write(1), write(2), fold()];
  try {
    for (let n = 0; n < 60; n += 1) {
      const { summed, byRows } = await sums(ago(0));
      expect(summed).toEqual(byRows);
    }
  } finally {
    isOver = true;
    await Promise.all(working);
  }
  const { summed, byRows } = await sums(ago(0));
  expect(summed).toEqual(byRows);
  expect(summed.count).toBeGreaterThan(3);
});

test('what another transaction has not committed does not count yet', async () => {
  await insert({ createdAt: ago(60 * MINUTE) });
  const other = await database.pool.connect();
  try {
    await other.query('begin');
    await other.query(INSERT, insertValues({ createdAt: ago(60 * MINUTE) }));
    expect((await sums(ago(0))).summed.count).toBe(2);
    await other.query('commit');
  } finally {
    other.release();
  }
  expect((await sums(ago(0))).summed.count).toBe(3);
});

describe('the rows that are noted', () => {
  test('become one per quarter when it is over and they are many', async () => {
    const createdAt = startOf(ago(40 * MINUTE));
    for (let n = 0; n < 20; n += 1) await insert({ createdAt });
    for (let n = 0; n < 5; n += 1) await insert({ createdAt: after(createdAt, -QUARTER) });
    for (let n = 0; n < 20; n += 1) await insert({ createdAt: ago(0) });
    await tidyAll();
    const counts = (await noted()).map(({ count }) => count).toSorted((a, b) => b - a);
    expect(counts).toEqual([20, ...Array<number>(25).fill(1)]);
  });

  test('are removed after three days, when nothing is read from them', async () => {
    await insert({ createdAt: ago(60 * MINUTE) });
    const age = `update customer_sums set quarter = now() - $2::interval where tenant_id = $1`;
    await sql(age, [tenantId, '2 days 23 hours 59 minutes']);
    await tidyAll();
    expect(await noted()).toHaveLength(1);
    await sql(age, [tenantId, '3 days 1 minute']);
    await tidyAll();
    expect(await noted()).toEqual([]);
  });

  test('are gone with the token of an erased record, whatever became of it before', async () => {
    const [kept, cancelled] = [
      await insert({ createdAt: ago(60 * MINUTE) }),
      await insert({ createdAt: ago(60 * MINUTE) }),
    ];
    await sql(`update transactions set status = 'CANCELLED' where id = $1`, [cancelled]);
    const erase = `update transactions set subject_token = null where id = $1`;
    await sql(erase, [cancelled]);
    expect(await noted()).toEqual([{ count: 1 }]);
    await sql(erase, [kept]);
    expect(await noted()).toEqual([]);
  });

  test('are none for a record that is older than they are kept', async () => {
    const id = await insert({ createdAt: ago(3 * DAY + MINUTE) });
    await sql(`update transactions set status = 'CANCELLED' where id = $1`, [id]);
    expect(await noted()).toEqual([]);
  });
});

describe('rows are read instead of sums', () => {
  /** What only sums could say. */
  const spoil = async () =>
    await sql('update customer_sums set count = 100 where tenant_id = $1', [tenantId]);

  test('for a transfer that is decided on later than a day after', async () => {
    for (const age of [DAY - MINUTE, DAY + MINUTE]) await insert({ createdAt: ago(age + 60 * MINUTE) });
    await spoil();
    expect((await sums(ago(DAY + MINUTE))).summed.count).toBe(3);
    expect((await sums(ago(DAY - MINUTE))).summed.count).toBeGreaterThan(100);
  });

  test('for 24 hours that began before sums were noted', async () => {
    await insert({ createdAt: ago(60 * MINUTE) });
    await spoil();
    const since = 'update deployment set customer_sums_since = $1';
    try {
      await sql(since, [ago(DAY - MINUTE)]);
      expect((await sums(ago(0))).summed.count).toBe(2);
      await sql(since, [ago(DAY + MINUTE)]);
      expect((await sums(ago(0))).summed.count).toBe(101);
    } finally {
      await sql(since, ['-infinity']);
    }
  });
});
