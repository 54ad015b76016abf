import type { RuleAuthor } from '../../domain/rules/configuration.ts';
import type { TenantCaller } from '../deps.ts';

/** Who is said to have changed or published rules. */
export function authorOf(caller: TenantCaller): RuleAuthor {
  return { kind: 'API_KEY', id: caller.apiKeyId };
}
