import { z } from 'zod';
import { ENTITY_TYPES } from '../entity-types.ts';
import { SEVERITIES } from './severity.ts';

/** The subject of an AML check. Addresses and hashes are in normal form; `blockchain` is the name of the chain. */
export interface AmlSubject {
  kind: CheckKind;
  blockchain: string;
  /** The address of a wallet, or the hash of a transaction. */
  value: string;
  /** Direction of a transaction, seen from the tenant. */
  direction: AmlDirection | null;
  /** For a transaction, the address whose side is checked. */
  contextAddress: string | null;
}

export const CHECK_KINDS = ['wallet', 'transaction'] as const;
export type CheckKind = (typeof CHECK_KINDS)[number];
export const DIRECTIONS = ['deposit', 'withdrawal'] as const;
export type AmlDirection = (typeof DIRECTIONS)[number];

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
  source: z.string().describe('A sanctions list, a set of labels, or the wallet registry.'),
  type: EntityType,
  label: text,
  reference: text.describe('Its id in that source.'),
  score: z.number(),
});
export type AmlEvidence = z.infer<typeof AmlEvidence>;

/** The finding of a provider: the part of a check that does not depend on how it was obtained. */
export const findingFields = {
  status: z
    .enum(['COMPLETE', 'PENDING', 'UNSUPPORTED'])
    .describe('PENDING: the provider is still working. UNSUPPORTED: it has no data on this subject.'),
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
    .describe("The provider's own score and its scale."),
  sanctioned: z.boolean().nullable().describe('Null when the provider does not state it.'),
  entity: z
    .strictObject({ name: text, type: EntityType, country: text })
    .meta({ id: 'AmlEntity' })
    .nullable(),
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
  evidence: z.array(AmlEvidence).describe('The basis of the score; only from the built-in provider.'),
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

/** A finding with these values; all others are unknown. */
export function findingOf(known: Partial<AmlFinding>): AmlFinding {
  return { ...NOTHING, ...known };
}

/** A finding without any data: no score and no severity. */
export function nothingKnown(reason: 'NOT_FOUND' | 'CHAIN_NOT_SUPPORTED' | 'ADDRESS_NEEDED'): AmlFinding {
  return findingOf({ status: 'UNSUPPORTED', reason });
}

/** A finding that the provider has not completed yet. */
export function stillAnalysed(): AmlFinding {
  return findingOf({ status: 'PENDING', reason: 'STILL_ANALYSED' });
}
