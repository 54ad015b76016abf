import type { AskedBy } from '../../domain/sanctions-screening/schema.ts';
import type { TenantCaller } from '../deps.ts';

/** Who the history says asked. */
export function askedBy({ kind, apiKeyId }: TenantCaller): AskedBy {
  return { kind, id: apiKeyId };
}
