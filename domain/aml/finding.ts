import { z } from 'zod';
import { ENTITY_TYPES } from '../entity-types.ts';
import { SEVERITIES } from './severity.ts';

/** What is asked about. Addresses and hashes are in their normal form; `blockchain` is the chain's own name. */
export interface AmlSubject {
  kind: CheckKind;
  blockchain: string;
  /** The address of a wallet, or the hash of a transaction. */
  value: string;
  /** Of a transaction, as the tenant sees it. */
  direction: Direction | null;
  /** Of a transaction: the address whose side is looked at. */
  contextAddress: string | null;
}

export const CHECK_KINDS = ['wallet', 'transaction'] as const;
export type CheckKind = (typeof CHECK_KINDS)[number];
export const DIRECTIONS = ['deposit', 'withdrawal'] as const;
export type Direction = (typeof DIRECTIONS)[number];

const FLOWS = ['incoming', 'outgoing'] as const;
const text = z.string().nullable();
const number = z.number().nullable();
const EntityType = z.enum(ENTITY_TYPES);

const AmlExposure = z.strictObject({
  entityId: text,
  entityName: text,
  type: EntityType,
  riskSeverity: z.enum(SEVERITIES),
  direction: z.enum(FLOWS).nullable(),
  depth: z.enum(['direct', 'indirect']).nullable(),
  hops: z.int().nullable(),
  share: number.describe('Share of the amount, 0 to 1.'),
  amount: number,
  amountUsd: number,
});
export type AmlExposure = z.infer<typeof AmlExposure>;

const Signal = z.strictObject({
  name: z.string().describe("The provider's own word."),
  share: number,
  direction: z.enum(FLOWS).nullable(),
});

const AmlEvidence = z.strictObject({
  source: z.string().describe('A list, a set of labels, or the own registry.'),
  type: EntityType,
  label: text,
  reference: text.describe('Its id in that source.'),
  score: z.number(),
});
export type AmlEvidence = z.infer<typeof AmlEvidence>;

/** What a provider was found to say: the part of a result that does not depend on how it was come by. */
export const findingFields = {
  status: z
    .enum(['COMPLETE', 'PENDING', 'UNSUPPORTED'])
    .describe('PENDING: the provider is still at work. UNSUPPORTED: it has nothing on this.'),
  reason: z
    .enum([
      'NOT_FOUND',
      'CHAIN_NOT_SUPPORTED',
      'ADDRESS_NEEDED',
      'STILL_ANALYSED',
      'NO_SCORE',
      'NO_SANCTIONS_LIST',
    ])
    .nullable()
    .describe('Why there is no score.'),
  riskScore: number.describe('0 to 100, high is risky; null when it is not known.'),
  originalScore: z
    .strictObject({ value: z.number(), scale: z.string() })
    .nullable()
    .describe('As the provider gave it, with its scale.'),
  sanctioned: z.boolean().nullable().describe('Null when the provider does not say.'),
  entity: z.strictObject({ name: text, type: EntityType, country: text }).nullable(),
  counterparty: z.strictObject({ id: text, name: text, type: EntityType.nullable() }).nullable(),
  exposures: z.array(AmlExposure),
  signals: z.array(Signal),
  stats: z
    .strictObject({
      firstSeen: text,
      lastSeen: text,
      txCount: number,
      received: number,
      sent: number,
      balance: number,
    })
    .nullable(),
  alerts: z.array(z.string()),
  evidence: z.array(AmlEvidence).describe('Of the built-in provider: what the score rests on.'),
  providerReportUrl: text,
};

export interface AmlFinding {
  status: 'COMPLETE' | 'PENDING' | 'UNSUPPORTED';
  reason:
    | 'NOT_FOUND'
    | 'CHAIN_NOT_SUPPORTED'
    | 'ADDRESS_NEEDED'
    | 'STILL_ANALYSED'
    | 'NO_SCORE'
    | 'NO_SANCTIONS_LIST'
    | null;
  riskScore: number | null;
  originalScore: { value: number; scale: string } | null;
  sanctioned: boolean | null;
  entity: { name: string | null; type: z.infer<typeof EntityType>; country: string | null } | null;
  counterparty: {
    id: string | null;
    name: string | null;
    type: z.infer<typeof EntityType> | null;
  } | null;
  exposures: AmlExposure[];
  signals: z.infer<typeof Signal>[];
  stats: {
    firstSeen: string | null;
    lastSeen: string | null;
    txCount: number | null;
    received: number | null;
    sent: number | null;
    balance: number | null;
  } | null;
  alerts: string[];
  evidence: AmlEvidence[];
  providerReportUrl: string | null;
}

const NOTHING: AmlFinding = {
  status: 'COMPLETE',
  reason: null,
  riskScore: null,
  originalScore: null,
  sanctioned: null,
  entity: null,
  counterparty: null,
  exposures: [],
  signals: [],
  stats: null,
  alerts: [],
  evidence: [],
  providerReportUrl: null,
};

/** A finding in which everything that is not named is unknown. */
export function findingOf(known: Partial<AmlFinding>): AmlFinding {
  return { ...NOTHING, ...known };
}

/** What is said where there is nothing to say: no score and no severity. */
export function nothingKnown(reason: 'NOT_FOUND' | 'CHAIN_NOT_SUPPORTED' | 'ADDRESS_NEEDED'): AmlFinding {
  return findingOf({ status: 'UNSUPPORTED', reason });
}

export function stillAnalysed(): AmlFinding {
  return findingOf({ status: 'PENDING', reason: 'STILL_ANALYSED' });
}
