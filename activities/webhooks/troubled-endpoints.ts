import { LRUCache } from 'lru-cache';
import type { OutgoingResult } from '../../outside/outgoing-http.ts';

/** Tenants whose endpoint failed or was slow when it was called last. */
export interface TroubledEndpoints {
  has(tenantId: string): boolean;
  /** Notes the result of an attempt: the latest one counts. */
  note(tenantId: string, result: Pick<OutgoingResult, 'outcome' | 'durationMs'>): void;
  /** Notes that an attempt is still under way although it should be over. */
  noteSlow(tenantId: string): void;
}

const SLOW_MS = 500;
const MAX_TENANTS = 10_000;

/**
 * Remembers which endpoints are slow or failing, in the memory of the worker. Their webhooks are not attempted by the
 * workflows that cause them, since these would wait for them.
 */
export function createTroubledEndpoints(): TroubledEndpoints {
  const troubled = new LRUCache<string, true>({ max: MAX_TENANTS });
  return {
    has: (tenantId) => troubled.has(tenantId),
    note(tenantId, { outcome, durationMs }) {
      if (outcome === 'DELIVERED' && durationMs < SLOW_MS) troubled.delete(tenantId);
      else troubled.set(tenantId, true);
    },
    noteSlow: (tenantId) => void troubled.set(tenantId, true),
  };
}
