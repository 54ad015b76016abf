/** A caller's Idempotency-Key with a keyed hash of its request: method, path with query, and canonical body or form. */
export interface Idempotency {
  key: string;
  /** Keyed, since a request may have a password: a plain hash that is stored would let it be guessed. */
  fingerprint: Buffer;
  /** Fingerprints of the same request by an earlier hash key or an earlier version; valid for as long as keys are kept. */
  otherFingerprints?: readonly Buffer[];
}

/** A request under an Idempotency-Key; keys are unique per tenant. */
export interface IdempotentCall extends Idempotency {
  tenantId: string;
}
