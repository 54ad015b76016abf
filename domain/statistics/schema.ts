import { z } from 'zod';
import { CLAIM_STATUSES } from '../claims/state.ts';
import { DIRECTIONS } from '../direction.ts';
import { RuleVerdict } from '../rules/schema.ts';
import { STATUSES } from '../transactions/state.ts';
import { FlowName } from '../verifications/schema.ts';
import { VERIFICATION_STATUSES } from '../verifications/state.ts';
import { MONTH } from '../tenants/local-month.ts';

/** The query of `GET /tenant/me/statistics`. */
export const StatisticsQuery = z.strictObject({
  month: z
    .string()
    .regex(MONTH, 'a month such as 2026-11 is expected')
    .optional()
    .describe("The month, as YYYY-MM in the tenant's `timeZone`; the current one if absent."),
});

const direction = z.enum(DIRECTIONS);
const count = z.int().nonnegative();
const hours = z.number().nonnegative();

export const Statistics = z
  .strictObject({
    month: z.string(),
    timeZone: z.string(),
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    asOf: z.iso.datetime(),
    complete: z.boolean(),
    transactions: z.array(
      z
        .strictObject({
          direction,
          status: z.enum(STATUSES),
          count,
          volumeUsd: z.string(),
          volumeEur: z.string(),
          withoutValue: count,
        })
        .meta({ id: 'CountedTransactions' }),
    ),
    answers: z.array(
      z.strictObject({ direction, count, medianHours: hours, p95Hours: hours }).meta({ id: 'HoursToAnswer' }),
    ),
    claims: z.array(
      z.strictObject({ direction, status: z.enum(CLAIM_STATUSES), count }).meta({ id: 'CountedClaims' }),
    ),
    verifications: z.array(
      z
        .strictObject({ flow: FlowName.nullable(), status: z.enum(VERIFICATION_STATUSES), count })
        .meta({ id: 'CountedVerifications' }),
    ),
    reuseHits: count,
    screenings: z
      .strictObject({
        transactions: count,
        requests: count,
        sanctioned: count,
        possible: count,
        incomplete: count,
      })
      .meta({ id: 'CountedScreenings' }),
    ruleDecisions: z.array(
      z.strictObject({ direction, decision: RuleVerdict, count }).meta({ id: 'CountedRuleDecisions' }),
    ),
    webhooks: z
      .strictObject({ delivered: count, gaveUp: count, successRate: z.number().min(0).max(1).nullable() })
      .meta({ id: 'CountedWebhooks' }),
  })
  .meta({ id: 'Statistics' });
export type Statistics = z.infer<typeof Statistics>;
