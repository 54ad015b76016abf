import type { CheckKind, AmlFinding } from './finding.ts';
import { MINUTE_MS } from '../durations.ts';

/** Time during which a stored answer is returned for further requests of the same tenant, in milliseconds. */
const LIFETIME_MS = {
  wallet: 15 * MINUTE_MS,
  transaction: 24 * 60 * MINUTE_MS,
  pending: MINUTE_MS / 2,
  unsupported: 60 * MINUTE_MS,
};

/** Time during which a request is not repeated after a paid answer that could not be read, in milliseconds. */
export const FAULTY_ANSWER_KEPT_MS = 30_000;
/** Maximum age of an answer to a request for fresh data, in milliseconds, so that its retry is not charged again. */
export const FRESH_MS = 30_000;
/** Maximum age of a stored answer that is returned while the provider cannot be reached, in milliseconds. */
export const STALE_LIMIT_MS = 24 * 60 * MINUTE_MS;

/** Milliseconds during which a finding is returned for further requests. */
export function lifetimeMs(kind: CheckKind, { status }: AmlFinding): number {
  if (status === 'PENDING') return LIFETIME_MS.pending;
  return status === 'UNSUPPORTED' ? LIFETIME_MS.unsupported : LIFETIME_MS[kind];
}
