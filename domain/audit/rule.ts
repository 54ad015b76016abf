import type { Permission } from '../tenants/role.ts';

/**
 * What the audit log has of an endpoint.
 * NOTHING: it shows nothing of a tenant.
 * READ: an entry for each request of a user; those of API keys that succeed are counted per hour.
 * WATCH: it names records and nothing of what is in them, and open pages ask for it every few seconds: requests of API keys
 * are counted per hour, and of those of a user that succeed the first of each hour is an entry.
 * CHANGE: an entry for each request of a user; the log of the record has those of API keys.
 * EACH: an entry for each request, whoever sends it.
 * OWN: the endpoint itself writes the entry, because only it knows the tenant.
 */
export type AuditRule = 'NOTHING' | 'READ' | 'WATCH' | 'CHANGE' | 'EACH' | 'OWN';

interface AuditedEndpoint {
  auth: 'TENANT' | 'OPERATOR' | 'NONE' | (string & {});
  method: string;
  permission: Permission;
}

/** The rule of an endpoint that declares none: rather an entry too many than one that is missing. */
export function defaultAuditRule({ auth, method, permission }: AuditedEndpoint): AuditRule {
  // The profile of a partner is no matter of a tenant.
  if (auth === 'NONE' || auth === 'PARTNER') return 'NOTHING';
  if (auth !== 'TENANT' || permission === 'ADMINISTER' || permission === 'EXPORT') return 'EACH';
  return method === 'GET' ? 'READ' : 'CHANGE';
}

/** What one request adds to the log. */
export type AuditDuty = 'ENTRY' | 'ENTRY_OF_HOUR' | 'COUNT' | 'NOTHING';

export function auditDuty(rule: AuditRule, actor: 'USER' | 'API_KEY' | 'OPERATOR'): AuditDuty {
  switch (rule) {
    case 'NOTHING':
    case 'OWN':
      return 'NOTHING';
    case 'EACH':
      return 'ENTRY';
    case 'READ':
      return actor === 'API_KEY' ? 'COUNT' : 'ENTRY';
    case 'WATCH':
      return actor === 'API_KEY' ? 'COUNT' : 'ENTRY_OF_HOUR';
    case 'CHANGE':
      return actor === 'API_KEY' ? 'NOTHING' : 'ENTRY';
  }
}
