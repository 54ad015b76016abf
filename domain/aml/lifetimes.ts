import type { CheckKind, AmlFinding } from './finding.ts';
import { MINUTE_MS } from '../durations.ts';

/** How long a paid answer serves further requests of the same tenant, milliseconds. */
const LIFETIME_MS = {
  wallet: 15 * MINUTE_MS,
  transaction: 24 * 60 * MINUTE_MS,
  pending: MINUTE_MS / 2,
  unsupported: 60 * MINUTE_MS,
};

/** An answer that was paid for and cannot be read: so long the vendor is not asked the same again. */
export const FAULTY_ANSWER_KEPT_MS = 30_000;
/** A request that is to be fresh takes an answer of this age: a retry of it never pays twice. */
export const FRESH_MS = 30_000;
/** Of what was stored, nothing older is shown while the provider cannot be reached. */
export const STALE_LIMIT_MS = 24 * 60 * MINUTE_MS;

export function lifetimeMs(kind: CheckKind, { status }: AmlFinding): number {
  if (status === 'PENDING') return LIFETIME_MS.pending;
  return status === 'UNSUPPORTED' ? LIFETIME_MS.unsupported : LIFETIME_MS[kind];
}
