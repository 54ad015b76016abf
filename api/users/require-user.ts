import { DomainError } from '../../domain/errors.ts';
import type { TenantCaller } from '../caller.ts';

/** The id of the user who calls. Throws forbidden for an API key. */
export function requireUser({ actor }: TenantCaller): string {
  if (actor.kind === 'USER') return actor.id;
  throw new DomainError('forbidden', 'This is for a signed-in user: send an access token, not an API key.');
}
