import { z } from 'zod';
import { listQuery, oneOrMore, Timestamp } from '../list-query.ts';
import type { EntityRecord } from './entity.ts';
import { isHighRiskCountry } from './risk.ts';
import { Entity } from './schema.ts';
import { viewEntity } from './view-entity.ts';

/** A tenant's policies for a counterparty; the last is the strictest. */
export const POLICIES = ['ALLOW', 'REVIEW', 'BLOCK'] as const;
export type CounterpartyPolicy = (typeof POLICIES)[number];

/** What a tenant is warned of, in the order in which it is shown. */
export const WARNINGS = [
  'REVIEW_OVERDUE',
  'DUE_DILIGENCE_MISSING',
  'HIGH_RISK_COUNTRY',
  'HIGH_RISK',
  'LATE_ANSWERS',
  'INCOMPLETE_MESSAGES',
  'REPEATED_FAILURES',
] as const;
export type CounterpartyWarning = (typeof WARNINGS)[number];

/** Hours after which a missing answer counts as late. */
export const LATE_AFTER_HOURS = 72;

/** Days in which failures of a counterparty are counted as recent. */
export const RECENT_DAYS = 90;
/** Recent failures from which a counterparty fails repeatedly. */
export const REPEATED_FROM = 3;
/** Sent messages with an answer, the latest, of which the times are taken. */
export const ANSWERS_TIMED = 1_000;

/** What a tenant did about a counterparty that fails to send the data which the law demands. */
const STEP_KINDS = ['WARNED', 'RESTRICTED', 'TERMINATED', 'REPORTED'] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** One step, as it is stored: steps are added, not changed. */
export interface CounterpartyStepRecord {
  id: string;
  kind: StepKind;
  takenAt: Date;
  note: string | null;
  userId: string | null;
  apiKeyId: string | null;
  createdAt: Date;
}

/** Message counts for one counterparty. */
interface CounterpartyCounts {
  /** Outgoing messages that reached it. */
  sent: number;
  /** Sent messages that it confirmed or declined. */
  answered: number;
  /** Sent messages without an answer after LATE_AFTER_HOURS. */
  late: number;
  /** Messages from it that lack legally required data. */
  incomplete: number;
  /** Messages that came from it. */
  received: number;
  /** Claims of the tenant that it refused or let expire. */
  claimsUnanswered: number;
  /** Incomplete messages, and claims without an answer, of the last RECENT_DAYS. */
  recentFailures: number;
  /** Half of its answers took no longer; null if there are none. */
  medianAnswerHours: number | null;
  p95AnswerHours: number | null;
  /** Transfers from it whose coins were suspended, returned or rejected. */
  suspended: number;
  returned: number;
  rejected: number;
}

export interface CounterpartyRecord extends CounterpartyCounts {
  entity: EntityRecord;
  policy: CounterpartyPolicy;
  dueDiligenceAt: Date | null;
  nextReviewAt: Date | null;
  note: string | null;
  /** Working days that it has to answer a claim; null for those of the tenant's settings. */
  claimDeadlineDays: number | null;
  /** Oldest first. */
  steps: CounterpartyStepRecord[];
  /** Null if the tenant has stored nothing about it. */
  updatedAt: Date | null;
}

/** Warnings for the compliance officer. */
function warningsOf(counterparty: CounterpartyRecord, now: Date): CounterpartyWarning[] {
  const { entity, dueDiligenceAt, nextReviewAt, sent, late, incomplete, recentFailures } = counterparty;
  const found: [CounterpartyWarning, boolean][] = [
    ['REVIEW_OVERDUE', nextReviewAt !== null && nextReviewAt <= now],
    ['DUE_DILIGENCE_MISSING', dueDiligenceAt === null && sent > 0],
    ['HIGH_RISK_COUNTRY', entity.countries.some(isHighRiskCountry)],
    ['HIGH_RISK', entity.riskSeverity === 'high'],
    ['LATE_ANSWERS', late > 0],
    ['INCOMPLETE_MESSAGES', incomplete > 0],
    ['REPEATED_FAILURES', recentFailures >= REPEATED_FROM],
  ];
  return found.filter(([, applies]) => applies).map(([warning]) => warning);
}

const moment = z.iso.datetime().nullable();

const hours = z
  .number()
  .nullable()
  .describe(`In hours, of its latest ${ANSWERS_TIMED} answers to your messages; null if there are none.`);

export const CounterpartyStep = z
  .strictObject({
    id: z.uuid(),
    kind: z
      .enum(STEP_KINDS)
      .describe('WARNED, RESTRICTED or TERMINATED the relationship, REPORTED to the authority.'),
    takenAt: z.iso.datetime().describe('When the step was taken.'),
    note: z.string().nullable(),
    userId: z.uuid().nullable().describe('Who recorded it; null for an API key.'),
    apiKeyId: z.uuid().nullable().describe('The API key that recorded it; null for a user.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'CounterpartyStep' });
export type CounterpartyStep = z.infer<typeof CounterpartyStep>;

export function viewStep({ takenAt, createdAt, ...step }: CounterpartyStepRecord): CounterpartyStep {
  return { ...step, takenAt: takenAt.toISOString(), createdAt: createdAt.toISOString() };
}

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
    received: z.int().describe('Messages that came from it.'),
    claimsUnanswered: z.int().describe('Claims of yours that it refused or let expire.'),
    recentFailures: z
      .int()
      .describe(
        `Its incomplete messages, and claims that it refused or let expire, in the last ${RECENT_DAYS} days.`,
      ),
    medianAnswerHours: hours,
    p95AnswerHours: hours,
    suspended: z.int().describe('Transfers from it whose coins you have recorded as SUSPENDED.'),
    returned: z.int().describe('Transfers from it whose coins you have recorded as RETURNED.'),
    rejected: z.int().describe('Transfers from it whose coins you have recorded as REJECTED.'),
    steps: z.array(CounterpartyStep).describe('What you did about it, oldest first.'),
    warnings: z
      .array(z.enum(WARNINGS))
      .describe(`REPEATED_FAILURES: \`recentFailures\` is at least ${REPEATED_FROM}.`),
    updatedAt: moment,
  })
  .meta({ id: 'Counterparty' });
export type Counterparty = z.infer<typeof Counterparty>;

export function viewCounterparty(counterparty: CounterpartyRecord, now: Date): Counterparty {
  const { entity, policy, note, steps } = counterparty;
  return {
    entityId: entity.id,
    entity: viewEntity(entity),
    policy,
    dueDiligenceAt: counterparty.dueDiligenceAt?.toISOString() ?? null,
    nextReviewAt: counterparty.nextReviewAt?.toISOString() ?? null,
    note,
    claimDeadlineDays: counterparty.claimDeadlineDays,
    sent: counterparty.sent,
    answered: counterparty.answered,
    late: counterparty.late,
    incomplete: counterparty.incomplete,
    received: counterparty.received,
    claimsUnanswered: counterparty.claimsUnanswered,
    recentFailures: counterparty.recentFailures,
    medianAnswerHours: inHours(counterparty.medianAnswerHours),
    p95AnswerHours: inHours(counterparty.p95AnswerHours),
    suspended: counterparty.suspended,
    returned: counterparty.returned,
    rejected: counterparty.rejected,
    steps: steps.map(viewStep),
    warnings: warningsOf(counterparty, now),
    updatedAt: counterparty.updatedAt?.toISOString() ?? null,
  };
}

/** To a hundredth of an hour. */
function inHours(hours: number | null): number | null {
  return hours === null ? null : Math.round(hours * 100) / 100;
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

/** The body of `POST /counterparties/{entityId}/steps`. */
export const AddStepBody = z
  .strictObject({
    kind: z
      .enum(STEP_KINDS)
      .describe('WARNED, RESTRICTED or TERMINATED the relationship, REPORTED to the authority.'),
    takenAt: z
      .union([Day, Timestamp], { error: 'A date or an ISO 8601 timestamp with time zone is expected.' })
      .optional()
      .describe('When it was taken, not in the future; now if absent.'),
    note: z.string().min(1).max(5_000).optional().describe('Free text; stored encrypted.'),
  })
  .meta({ id: 'AddCounterpartyStep' });
export type AddStepBody = z.output<typeof AddStepBody>;

/** The query of `GET /counterparties`. */
export const ListCounterpartiesQuery = listQuery({
  sortable: ['createdAt', 'name', 'riskScore'],
  filters: { _policy: oneOrMore(z.enum(POLICIES)), _warning: oneOrMore(z.enum(WARNINGS)) },
});
export type CounterpartyList = z.output<typeof ListCounterpartiesQuery>;
