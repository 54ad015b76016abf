import { z } from 'zod';
import { listQuery, oneOrMore, Timestamp } from '../list-query.ts';
import type { EntityRecord } from './entity.ts';
import { isHighRiskCountry } from './risk.ts';
import { Entity } from './schema.ts';
import { viewEntity } from './view-entity.ts';

/** A tenant's policies for a counterparty; the last is the strictest. */
export const POLICIES = ['ALLOW', 'REVIEW', 'BLOCK'] as const;
export type CounterpartyPolicy = (typeof POLICIES)[number];

const WARNINGS = [
  'REVIEW_OVERDUE',
  'DUE_DILIGENCE_MISSING',
  'HIGH_RISK_COUNTRY',
  'HIGH_RISK',
  'LATE_ANSWERS',
  'INCOMPLETE_MESSAGES',
] as const;
type CounterpartyWarning = (typeof WARNINGS)[number];

/** Hours after which a missing answer counts as late. */
export const LATE_AFTER_HOURS = 72;

/** Message counts for one counterparty. */
export interface CounterpartyCounts {
  /** Outgoing messages that reached it. */
  sent: number;
  /** Sent messages that it confirmed or declined. */
  answered: number;
  /** Sent messages without an answer after LATE_AFTER_HOURS. */
  late: number;
  /** Messages from it that lack legally required data. */
  incomplete: number;
}

export interface CounterpartyRecord extends CounterpartyCounts {
  entity: EntityRecord;
  policy: CounterpartyPolicy;
  dueDiligenceAt: Date | null;
  nextReviewAt: Date | null;
  note: string | null;
  /** Working days that it has to answer a claim; null for those of the tenant's settings. */
  claimDeadlineDays: number | null;
  /** Null if the tenant has stored nothing about it. */
  updatedAt: Date | null;
}

/** Warnings for the compliance officer. */
function warningsOf(counterparty: CounterpartyRecord, now: Date): CounterpartyWarning[] {
  const { entity, dueDiligenceAt, nextReviewAt, sent, late, incomplete } = counterparty;
  const found: [CounterpartyWarning, boolean][] = [
    ['REVIEW_OVERDUE', nextReviewAt !== null && nextReviewAt <= now],
    ['DUE_DILIGENCE_MISSING', dueDiligenceAt === null && sent > 0],
    ['HIGH_RISK_COUNTRY', entity.countries.some(isHighRiskCountry)],
    ['HIGH_RISK', entity.riskSeverity === 'high'],
    ['LATE_ANSWERS', late > 0],
    ['INCOMPLETE_MESSAGES', incomplete > 0],
  ];
  return found.filter(([, applies]) => applies).map(([warning]) => warning);
}

const moment = z.iso.datetime().nullable();

export const Counterparty = z
  .strictObject({
    entityId: z.uuid(),
    entity: Entity,
    policy: z.enum(POLICIES),
    dueDiligenceAt: moment,
    nextReviewAt: moment,
    note: z.string().nullable(),
    claimDeadlineDays: z
      .int()
      .nullable()
      .describe('Working days that it has to answer a claim; null for those of the settings.'),
    sent: z.int().describe('Outgoing messages that reached it.'),
    answered: z.int().describe('Sent messages that it confirmed or declined.'),
    late: z.int().describe(`Sent messages without an answer after ${LATE_AFTER_HOURS} hours.`),
    incomplete: z.int().describe('Messages from it that lack data required by Regulation (EU) 2023/1113.'),
    warnings: z.array(z.enum(WARNINGS)),
    updatedAt: moment,
  })
  .meta({ id: 'Counterparty' });
export type Counterparty = z.infer<typeof Counterparty>;

export function viewCounterparty(counterparty: CounterpartyRecord, now: Date): Counterparty {
  const { entity, policy, note, sent, answered, late, incomplete } = counterparty;
  return {
    entityId: entity.id,
    entity: viewEntity(entity),
    policy,
    dueDiligenceAt: counterparty.dueDiligenceAt?.toISOString() ?? null,
    nextReviewAt: counterparty.nextReviewAt?.toISOString() ?? null,
    note,
    claimDeadlineDays: counterparty.claimDeadlineDays,
    sent,
    answered,
    late,
    incomplete,
    warnings: warningsOf(counterparty, now),
    updatedAt: counterparty.updatedAt?.toISOString() ?? null,
  };
}

/** A date stands for its start in UTC. */
const Day = z.iso.date().transform((text) => new Date(`${text}T00:00:00.000Z`));
const DayOrMoment = z
  .union([Day, Timestamp], { error: 'A date or an ISO 8601 timestamp with time zone is expected.' })
  .nullable();

export const PatchCounterpartyBody = z
  .strictObject({
    policy: z.enum(POLICIES).nullable().describe('Null means ALLOW.'),
    dueDiligenceAt: DayOrMoment,
    nextReviewAt: DayOrMoment,
    note: z.string().min(1).max(5_000).nullable().describe('Free text; stored encrypted.'),
    claimDeadlineDays: z
      .int()
      .min(1)
      .max(30)
      .nullable()
      .describe('Working days that it has to answer a claim of yours. Null means those of the settings.'),
  })
  .partial()
  .refine((body) => Object.keys(body).length > 0, {
    error: 'Give at least one of policy, dueDiligenceAt, nextReviewAt, note and claimDeadlineDays.',
  })
  .meta({ id: 'PatchCounterparty' });
export type PatchCounterpartyBody = z.output<typeof PatchCounterpartyBody>;

/** The query of `GET /counterparties`. */
export const ListCounterpartiesQuery = listQuery({
  sortable: ['createdAt', 'name', 'riskScore'],
  filters: { _policy: oneOrMore(z.enum(POLICIES)) },
});
export type CounterpartyList = z.output<typeof ListCounterpartiesQuery>;
