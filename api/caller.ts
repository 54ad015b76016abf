import type { CachedKey } from '../db/api-keys/cached-key.ts';
import type { PartnerCaller } from '../domain/partners/caller.ts';
import type { TenantCaller as DomainTenantCaller } from '../domain/tenants/caller.ts';

/** Who acts for a tenant, and the key of a caller that was not read for this request. */
export interface TenantCaller extends DomainTenantCaller {
  /** Set if this caller came from the cache and was not read from the database for this request. */
  cachedKey?: CachedKey;
}
/** An operator of the deployment, by the name of the key. */
export interface OperatorCaller {
  kind: 'OPERATOR';
  actor: { kind: 'OPERATOR'; operatorName: string };
}
interface AnonymousCaller {
  kind: 'NONE';
}

/** The type of the authenticated caller, by the `auth` of the endpoint. */
export interface CallerBy {
  TENANT: TenantCaller;
  PARTNER: PartnerCaller;
  OPERATOR: OperatorCaller;
  NONE: AnonymousCaller;
}
export type EndpointAuth = keyof CallerBy;
export type Caller = CallerBy[EndpointAuth];

/** The rate limits. READS, WRITES and SCREENING count per key or user, HOSTED, TRP and ANONYMOUS per IP address. */
export type LimitKind = 'READS' | 'WRITES' | 'SCREENING' | 'HOSTED' | 'TRP' | 'ANONYMOUS';

/** The caller as the actor that events, screenings, suppressions and rule versions record. */
export function actorOf({ actor }: TenantCaller): TenantCaller['actor'] {
  return actor;
}

/** The caller as lines of the log name it, whatever the credential. */
export function loggedCaller(caller: Caller): Record<string, string> {
  switch (caller.kind) {
    case 'TENANT': {
      const { tenantId, actor } = caller;
      return { tenantId, [actor.kind === 'USER' ? 'userId' : 'apiKeyId']: actor.id };
    }
    case 'PARTNER':
      return { partnerId: caller.partnerId, partnerKeyId: caller.actor.id };
    case 'OPERATOR':
      return { operator: caller.actor.operatorName };
    case 'NONE':
      return {};
  }
}
