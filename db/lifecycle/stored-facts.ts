import type { TransferContext } from '../../domain/transactions/deciding/facts.ts';
import type { CounterpartyFinding } from '../../domain/transactions/deciding/screening.ts';
import { POLICY } from '../counterparties/counterparty-row.ts';

/** Facts of rules that others than the transfer's own record hold, and that change by a write to these tables. */
export interface StoredFacts {
  counterparty: CounterpartyFinding | null;
  /** The names, legal names and aliases of the counterparty and its duplicates, by which it may be listed. */
  counterpartyNames: string[];
  /** The entities that are duplicates of the counterparty: rules may name it by one of them. */
  counterpartyDuplicateIds: string[];
  verification: TransferContext['verification'];
  /** When the tenant last took a false positive back: what was searched before may have left a match out. */
  suppressionRemovedAt: string | null;
}

/** SQL: the `suppressionRemovedAt` of StoredFacts of the tenant `t`. */
export const suppressionRemovedSql = `to_char(t.suppression_removed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "suppressionRemovedAt"`;

/** SQL: the `counterparty` of StoredFacts for an entity or its master. The tenant is `$1` of the statement. */
export const counterpartySql = (entityId: string) => `(
  select json_build_object('entityId', e.id, 'name', e.name, 'type', e.type, 'countries', e.countries,
    'inNetwork', e.in_network, 'riskSeverity', e.risk_severity, 'policy', ${POLICY})
  from entities d join entities e on e.id = coalesce(d.master_entity_id, d.id) where d.id = ${entityId})`;

/** SQL: the `counterpartyDuplicateIds` of StoredFacts for an entity or its master, sorted. */
export const counterpartyDuplicatesSql = (entityId: string) => `(
  select coalesce(json_agg(n.id order by n.id), '[]')
  from entities d join entities n on n.master_entity_id = coalesce(d.master_entity_id, d.id) where d.id = ${entityId})`;

/**
 * SQL: the `verification` of StoredFacts for a self-hosted wallet of the tenant `t`. The proof of a wallet that was on a
 * sanctions list is none for rules.
 */
export const verificationSql = (addressNormal: string, blockchainKey: string) => `(
  select json_build_object('status', v.status, 'flow', v.flow) from verifications v
  where v.tenant_id = t.id and v.address_normal = ${addressNormal} and v.blockchain_key = ${blockchainKey}
    and v.deleted_at is null and not (v.status = 'VERIFIED' and v.warnings ? 'ADDRESS_SANCTIONED')
  order by (v.status = 'VERIFIED') desc, case when v.status = 'VERIFIED' then v.risk_score end, (v.flow is null),
    v.created_at desc, v.id desc limit 1)`;
