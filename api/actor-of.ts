import type { Actor } from '../domain/events/actor.ts';
import type { TenantCaller } from './deps.ts';

/** Who the log says made a change. */
export function actorOf(caller: TenantCaller): Actor {
  return { kind: 'API_KEY', apiKeyId: caller.apiKeyId };
}
