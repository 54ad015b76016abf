import { invalidField } from '../../domain/errors.ts';

/** Throws validation_failed if a new API key would have expired already. */
export function requireFuture(expiresAt: Date | null, now: Date): void {
  if (expiresAt === null || expiresAt > now) return;
  throw invalidField('/expiresAt', 'not_in_future', 'A moment in the future is expected.');
}
