/** What a brake holds back: the messages that a tenant sends, those that it gets, or its webhooks. */
export const BRAKE_KINDS = ['OUTGOING', 'INCOMING', 'WEBHOOKS'] as const;
export type BrakeKind = (typeof BRAKE_KINDS)[number];

/** ON: it holds back. RELEASING: what it held back is being taken up again. RELEASED: that is done. */
export const BRAKE_STATES = ['ON', 'RELEASING', 'RELEASED'] as const;
type BrakeState = (typeof BRAKE_STATES)[number];

/** Who has set or released a brake: an operator by the name of the key, a key or a user by the id. */
export interface BrakeActor {
  kind: 'OPERATOR' | 'API_KEY' | 'USER';
  id: string;
}

/** A brake as it is stored. */
export interface BrakeRecord {
  id: string;
  tenantId: string;
  kind: BrakeKind;
  /** The only counterparty that it holds for; null for all. */
  counterpartyEntityId: string | null;
  reason: string;
  setBy: BrakeActor;
  setAt: Date;
  releasedBy: BrakeActor | null;
  releasedAt: Date | null;
  /** How many messages or webhooks a second are taken up again; null before the release. */
  perSecond: number | null;
  /** How many were taken up again. */
  resumed: number;
  finishedAt: Date | null;
}

/** How many messages or webhooks a second are taken up again, unless the caller says otherwise. */
export const DEFAULT_RATE = 20;
/** Each message is a change of its record: more would hold up what is new. */
export const MAX_RATE = 100;

export function brakeState({
  releasedAt,
  finishedAt,
}: Pick<BrakeRecord, 'releasedAt' | 'finishedAt'>): BrakeState {
  if (releasedAt === null) return 'ON';
  return finishedAt === null ? 'RELEASING' : 'RELEASED';
}
