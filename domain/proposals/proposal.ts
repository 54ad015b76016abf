import { canonicalJson } from '../canonical-json.ts';

/** Acts that need a second person, by the settings of the tenant. */
export const PROPOSAL_KINDS = [
  'REVIEW',
  'RULES',
  'SUPPRESSION',
  'WEBHOOK_URL',
  'ADDRESS_QUESTION_URL',
  'FOUR_EYES',
] as const;
export type ProposalKind = (typeof PROPOSAL_KINDS)[number];

export const PROPOSAL_STATUSES = [
  'WAITING',
  'CARRIED_OUT',
  'REFUSED',
  'WITHDRAWN',
  'OUTDATED',
  'EXPIRED',
] as const;
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];

/** Days after which a proposal that nobody has decided on ends. */
export const PROPOSAL_DAYS = 7;

/** The kind of record that the subject of a proposal is. */
export const PROPOSAL_RESOURCES = {
  REVIEW: 'TRANSACTION',
  RULES: 'RULE_CONFIGURATION',
  SUPPRESSION: 'SCREENING',
  WEBHOOK_URL: 'TENANT',
  ADDRESS_QUESTION_URL: 'TENANT',
  FOUR_EYES: 'TENANT',
} as const satisfies Record<ProposalKind, string>;

/** The user or API key that proposed an act or decided on a proposal. */
export interface ProposalActor {
  kind: 'API_KEY' | 'USER';
  id: string;
  /** The name of the user or key, if it has one. */
  name: string | null;
}

/** An act that waits for a second person, or did, decrypted. */
export interface ProposalRecord {
  id: string;
  tenantId: string;
  kind: ProposalKind;
  status: ProposalStatus;
  /** The transaction, rule configuration, screening or tenant. */
  subjectId: string;
  /** The body of the proposed request; null where it was not kept or the transaction was deleted. */
  request: Record<string, unknown> | null;
  proposedBy: ProposalActor;
  /** The user who proposed it, or made the proposing key, directly or by other keys; null if that is not known. */
  personId: string | null;
  createdAt: Date;
  expiresAt: Date;
  endedBy: ProposalActor | null;
  endedAt: Date | null;
}

/**
 * Whether a request asks for the act that was proposed. Reasons, comments and notes may differ; an address or
 * settings must be the same.
 */
export function isSameAct(kind: ProposalKind, one: object | null, other: object | null): boolean {
  if (PROPOSAL_RESOURCES[kind] !== 'TENANT') return true;
  return canonicalJson(one) === canonicalJson(other);
}
