/** Why a record is erased: its time is over, or its tenant is erased as a whole, legal holds included. */
export type ErasureReason = 'RETENTION' | 'TENANT';

/** What the last event of an erased record says. */
export const ERASURE_MESSAGES: Record<ErasureReason, string> = {
  RETENTION: 'The time to keep the record is over: its data was erased.',
  TENANT: 'The tenant was erased: the data of the record was erased with it.',
};
