import { normalisedFilters, type TransactionList } from '../../domain/transactions/viewing/list.ts';
import type { SqlStatement } from '../query-builder.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { searchCondition } from './search-condition.ts';
import { SEARCH_FIELDS } from './search-tokens.ts';

/**
 * SQL that holds for the transactions of a tenant that are not deleted and match the filters and `q`, with its values.
 * Written as text, not built like the conditions of other lists: this list is read most, and README has the figure.
 */
export function conditionsOf(
  tenantId: string,
  list: TransactionList,
  keys: TenantKeys,
  fields: readonly string[] = SEARCH_FIELDS,
): SqlStatement {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const tenant = bind(tenantId);
  const conditions = [`tenant_id = ${tenant}`, 'deleted_at is null'];
  for (const [condition, value] of Object.entries(filterConditions(list))) {
    if (value === undefined) continue;
    const placeholder = bind(value);
    conditions.push(condition.replaceAll('?', () => placeholder));
  }
  if (isSearch(list)) conditions.push(searchCondition({ q: list.q, fields }, keys, tenant, bind));
  return { text: conditions.join(' and '), values };
}

/** A blank `q` finds everything. */
export function isSearch(list: TransactionList): list is TransactionList & { q: string } {
  return list.q !== undefined && list.q.trim() !== '';
}

/** Each with its value: undefined where the caller does not filter by it. */
function filterConditions({ filters }: TransactionList): Record<string, unknown> {
  const { destination, transactionHash, asset, blockchain } = normalisedFilters(filters);
  return {
    'created_at >= ?': filters.from,
    'created_at <= ?': filters.to,
    'updated_at >= ?': filters.updatedFrom,
    'status = any(?::text[])': filters.status,
    'sub_status = any(?::text[])': filters.subStatus,
    'direction = ?': filters.direction,
    'reference = ?': filters.reference,
    'destination_normal = any(?::text[])': destination,
    'hash_normal = ?': transactionHash,
    'clearance_outcome = any(?::text[])': filters.clearance,
    'next_action = any(?::text[])': filters.nextAction,
    'hold = any(?::text[])': filters.hold,
    'upper(asset) = any(?::text[])': asset,
    'blockchain_key = any(?::text[])': blockchain,
    'counterparty_entity_id = any(?::uuid[])': filters.counterpartyEntityId,
  };
}
