import { CLAIM_STATUSES } from '../claims/state.ts';
import { canonicalDecimal } from '../decimal.ts';
import { DIRECTIONS } from '../direction.ts';
import { DECISIONS } from '../rules/schema.ts';
import { STATUSES } from '../transactions/state.ts';
import { FLOWS, VERIFICATION_STATUSES } from '../verifications/state.ts';
import type { LocalMonth } from '../tenants/local-month.ts';
import { percentileHours } from './percentile.ts';
import type { Statistics } from './schema.ts';

export type MeasureName =
  | 'ANSWER'
  | 'CLAIM'
  | 'REUSE'
  | 'RULE_DECISION'
  | 'SCREENING'
  | 'TRANSACTION'
  | 'TRANSACTION_SCREENING'
  | 'VERIFICATION'
  | 'WEBHOOK';

/** How many records of a month count under one key of a measure; keys are words with a space between them. */
export interface MonthCount {
  measure: MeasureName;
  key: string;
  count: number;
  /** Number of transactions without a value in USD or in EUR. */
  unvalued: number;
  /** Exact sums. */
  usd: string;
  eur: string;
}

interface CountedMonth {
  period: LocalMonth;
  timeZone: string;
  asOf: Date;
  /** Whether all records of the tenant are counted. */
  complete: boolean;
  counts: readonly MonthCount[];
}

/** The statistics of a month, from its counts. */
export function statisticsOf({ period, timeZone, asOf, complete, counts }: CountedMonth): Statistics {
  return {
    month: period.month,
    timeZone,
    from: period.from.toISOString(),
    to: period.to.toISOString(),
    asOf: asOf.toISOString(),
    complete,
    transactions: transactionsOf(counts),
    answers: answersOf(counts),
    claims: claimsOf(counts),
    verifications: verificationsOf(counts),
    reuseHits: countOf(counts, 'REUSE'),
    screenings: screeningsOf(counts),
    ruleDecisions: decisionsOf(counts),
    webhooks: webhooksOf(counts),
  };
}

function transactionsOf(counts: readonly MonthCount[]): Statistics['transactions'] {
  return DIRECTIONS.flatMap((direction) =>
    STATUSES.flatMap((status) =>
      select(counts, 'TRANSACTION', [direction, status]).map(({ count, unvalued, usd, eur }) => ({
        direction,
        status,
        count,
        volumeUsd: canonicalDecimal(usd),
        volumeEur: canonicalDecimal(eur),
        withoutValue: unvalued,
      })),
    ),
  );
}

/** The last word of an answer's key is the number of its bucket. */
function answersOf(counts: readonly MonthCount[]): Statistics['answers'] {
  return DIRECTIONS.flatMap((direction) => {
    const buckets = select(counts, 'ANSWER', [direction]).map(({ key, count }) => ({
      number: Number(key.split(' ').at(-1)),
      count,
    }));
    if (buckets.length === 0) return [];
    const [medianHours, p95Hours] = [percentileHours(buckets, 0.5), percentileHours(buckets, 0.95)];
    return [{ direction, count: sum(buckets), medianHours, p95Hours }];
  });
}

function claimsOf(counts: readonly MonthCount[]): Statistics['claims'] {
  return DIRECTIONS.flatMap((direction) =>
    CLAIM_STATUSES.flatMap((status) =>
      select(counts, 'CLAIM', [direction, status]).map(({ count }) => ({ direction, status, count })),
    ),
  );
}

function verificationsOf(counts: readonly MonthCount[]): Statistics['verifications'] {
  return [...FLOWS, null].flatMap((flow) =>
    VERIFICATION_STATUSES.flatMap((status) =>
      select(counts, 'VERIFICATION', [flow ?? 'NONE', status]).map(({ count }) => ({ flow, status, count })),
    ),
  );
}

function screeningsOf(counts: readonly MonthCount[]): Statistics['screenings'] {
  const requests = select(counts, 'SCREENING', []);
  return {
    transactions: countOf(counts, 'TRANSACTION_SCREENING'),
    requests: sum(requests),
    sanctioned: countOf(counts, 'SCREENING', 'SANCTIONED'),
    possible: countOf(counts, 'SCREENING', 'POSSIBLE'),
    incomplete: sum(requests.filter(({ key }) => key.endsWith(' INCOMPLETE'))),
  };
}

function decisionsOf(counts: readonly MonthCount[]): Statistics['ruleDecisions'] {
  return DIRECTIONS.flatMap((direction) =>
    DECISIONS.flatMap((decision) =>
      select(counts, 'RULE_DECISION', [direction, decision]).map(({ count }) => ({
        direction,
        decision,
        count,
      })),
    ),
  );
}

function webhooksOf(counts: readonly MonthCount[]): Statistics['webhooks'] {
  const delivered = countOf(counts, 'WEBHOOK', 'DELIVERED');
  const gaveUp = countOf(counts, 'WEBHOOK', 'GAVE_UP');
  const ended = delivered + gaveUp;
  return { delivered, gaveUp, successRate: ended === 0 ? null : delivered / ended };
}

/** The counts of a measure whose keys begin with these words; what has come back to none is left out. */
function select(counts: readonly MonthCount[], measure: MeasureName, words: readonly string[]): MonthCount[] {
  return counts.filter(
    (each) =>
      each.measure === measure &&
      each.count !== 0 &&
      words.every((word, index) => each.key.split(' ')[index] === word),
  );
}

function countOf(counts: readonly MonthCount[], measure: MeasureName, ...words: string[]): number {
  return sum(select(counts, measure, words));
}

function sum(counts: readonly { count: number }[]): number {
  return counts.reduce((total, { count }) => total + count, 0);
}
