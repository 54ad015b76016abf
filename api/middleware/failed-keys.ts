import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import { DomainError, type ErrorCode } from '../../domain/errors.ts';
import { addressOf } from './caller-address.ts';

/** Counts the requests whose key was missing or refused, by the address that sent them. */
export interface FailedKeys {
  /** Throws rate_limited if the address has sent too many in this minute unless the caller `isKnown`. */
  requireFew: (request: Request, isKnown: () => Promise<boolean> | boolean) => Promise<void>;
  /** Counts an error of authentication that is the caller's fault. */
  note: (request: Request, error: unknown) => void;
}

const WINDOW_MS = 60_000;
const ADDRESSES = 20_000;
const FAULTS: readonly ErrorCode[] = [
  'unauthenticated',
  'key_expired',
  'key_revoked',
  'ip_not_allowed',
  'wrong_environment',
  'tenant_suspended',
];

/** Counts per minute and in this process only, so that made-up keys cannot load the database; 0 is no limit. */
export function createFailedKeys(limit: number): FailedKeys {
  const failures = new LRUCache<string, { count: number }>({ max: ADDRESSES, ttl: WINDOW_MS });
  return {
    async requireFew(request, isKnown) {
      const address = addressOf(request);
      const isOver = limit > 0 && (failures.get(address)?.count ?? 0) >= limit;
      if (!isOver || (await isKnown())) return;
      throw new DomainError(
        'rate_limited',
        'Too many requests of this address had no valid key in this minute.',
        {
          retryAfterSeconds: Math.max(1, Math.ceil(failures.getRemainingTTL(address) / 1_000)),
        },
      );
    },
    note(request, error) {
      if (!(error instanceof DomainError) || !FAULTS.includes(error.code)) return;
      const address = addressOf(request);
      const counted = failures.get(address);
      if (counted) counted.count += 1;
      else failures.set(address, { count: 1 });
    },
  };
}
