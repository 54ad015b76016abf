/**
 * The kinds of records that are erased once nobody has to keep them, in this order: claims and proofs outlive the transfers that
 * rest on them.
 */
export const ERASED_KINDS = ['transactions', 'claims', 'verifications'] as const;
export type ErasedKind = (typeof ERASED_KINDS)[number];

/** A place in the order in which records are looked at. */
export interface KeptCursor {
  createdAt: Date;
  id: string;
}

/** A record that is old enough to be past its retention. */
export interface KeptRecord extends KeptCursor {
  tenantId: string;
  isDeleted: boolean;
  /** It is kept all the same: by a legal hold, or for a transfer that rests on it. */
  isHeld: boolean;
  keptUntil: Date;
}
