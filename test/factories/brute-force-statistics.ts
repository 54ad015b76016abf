import type pg from 'pg';
import { canonicalDecimal } from '../../domain/decimal.ts';
import type { Statistics } from '../../domain/statistics/schema.ts';

/** The tenant, the month and the time zone: `$1`, `$2` and `$3` of every query. */
type Asked = [tenantId: string, month: string, timeZone: string];

const inMonth = (table: string) =>
  `${table} r where r.tenant_id = $1 and to_char(r.created_at at time zone $3, 'YYYY-MM') = $2`;

interface ExactAnswers {
  direction: string;
  count: number;
  median: number;
  p95: number;
}

type Counted = Pick<
  Statistics,
  'transactions' | 'claims' | 'verifications' | 'reuseHits' | 'screenings' | 'ruleDecisions' | 'webhooks'
>;

/** The statistics of a month, counted from the records themselves by clocks of PostgreSQL; lists in no order. */
export async function bruteForce(
  pool: pg.Pool,
  ...asked: Asked
): Promise<Counted & { answers: ExactAnswers[] }> {
  const all = async <T extends pg.QueryResultRow>(sql: string): Promise<T[]> =>
    (await pool.query<T>(sql, asked)).rows;
  const transactions = await all<Statistics['transactions'][number]>(
    `select direction, status, count(*), coalesce(sum(amount_usd), 0) as "volumeUsd", coalesce(sum(amount_eur), 0) as "volumeEur",
       count(*) filter (where amount_usd is null or amount_eur is null) as "withoutValue"
     from ${inMonth('transactions')} and deleted_at is null group by direction, status`,
  );
  const [single] = await all<{ reuses: number; delivered: number; gave_up: number }>(
    `select (select count(*) from ${inMonth('verification_reuses')}) as reuses,
       (select count(*) from ${inMonth('webhook_deliveries')} and status = 'DELIVERED') as delivered,
       (select count(*) from ${inMonth('webhook_deliveries')} and status = 'GAVE_UP') as gave_up`,
  );
  const [screenings] = await all<Statistics['screenings']>(
    `select count(*) as requests, count(*) filter (where sanctioned) as sanctioned,
       count(*) filter (where not sanctioned and total_matches > 0) as possible,
       count(*) filter (where not complete) as incomplete,
       (select count(*) from ${inMonth('transaction_screenings')}) as transactions
     from ${inMonth('screenings')} and transaction_id is null`,
  );
  const { reuses = 0, delivered = 0, gave_up: gaveUp = 0 } = single ?? {};
  return {
    transactions: transactions.map((row) => ({
      ...row,
      volumeUsd: canonicalDecimal(row.volumeUsd),
      volumeEur: canonicalDecimal(row.volumeEur),
    })),
    answers: await all<ExactAnswers>(ANSWERS),
    claims: await all(
      `select direction, status, count(*) from ${inMonth('claims')} group by direction, status`,
    ),
    verifications: await all(
      `select flow, status, count(*) from ${inMonth('verifications')} and deleted_at is null group by flow, status`,
    ),
    reuseHits: reuses,
    screenings: screenings ?? { transactions: 0, requests: 0, sanctioned: 0, possible: 0, incomplete: 0 },
    ruleDecisions: await all(
      `select direction, decision, count(*) from ${inMonth('rule_decisions')} group by direction, decision`,
    ),
    webhooks: {
      delivered,
      gaveUp,
      successRate: delivered + gaveUp === 0 ? null : delivered / (delivered + gaveUp),
    },
  };
}

const ANSWERS = `
  select r.direction, count(*), percentile_disc(0.5) within group (order by hours) as median,
    percentile_disc(0.95) within group (order by hours) as p95
  from (
    select t.*, extract(epoch from answered_at - created_at)::float8 / 3600 as hours from transactions t join (
      select subject_id, min(created_at) as answered_at from events
      where new_status in ('CONFIRMED', 'DECLINED') and coalesce(previous_status, '') not in ('CONFIRMED', 'DECLINED')
        and version > 1
      group by subject_id
    ) e on e.subject_id = t.id
    where case t.direction when 'OUTGOING' then destination_type else origin_type end = 'CUSTODIAL'
  ) r
  where r.tenant_id = $1 and to_char(r.created_at at time zone $3, 'YYYY-MM') = $2
  group by r.direction`;

const texts = (list: readonly object[]) =>
  list.map((item) => JSON.stringify(Object.entries(item).sort())).sort();

/** Expects the statistics to say what the records do. */
export function expectExact(shown: Statistics, exact: Awaited<ReturnType<typeof bruteForce>>): void {
  for (const list of ['transactions', 'claims', 'verifications', 'ruleDecisions'] as const)
    expect(texts(shown[list])).toEqual(texts(exact[list]));
  const { reuseHits, screenings, webhooks } = exact;
  expect(shown).toMatchObject({ reuseHits, screenings, webhooks, complete: true });
  expect(shown.answers.map(({ direction, count }) => ({ direction, count }))).toEqual(
    exact.answers
      .toSorted((a, b) => (a.direction < b.direction ? 1 : -1))
      .map(({ direction, count }) => ({ direction, count })),
  );
  for (const { direction, median, p95 } of exact.answers) {
    const found = shown.answers.find((answer) => answer.direction === direction);
    expectNear(found?.medianHours, median);
    expectNear(found?.p95Hours, p95);
  }
}

/** At most 1 % off, beside a second for answers that came at once. */
function expectNear(found: number | undefined, exact: number): void {
  expect(Math.abs((found ?? Infinity) - exact)).toBeLessThanOrEqual(0.0101 * exact + 0.0003);
}
