import type { GapAction, GapKind, GapList, GapRecord } from '../../domain/reconciliation/gap.ts';
import { withDuplicates } from '../routes/same-entity.ts';
import type { ListPage } from '../page.ts';
import type { Queryable } from '../postgres.ts';
import type { SqlStatement } from '../query-builder.ts';
import { GAP_SOURCES, gapsFrom, type GapSource } from './gap-sources.ts';

interface GapRow {
  kind: GapKind;
  transaction_id: string;
  direction: GapRecord['direction'];
  status: GapRecord['status'];
  reference: string | null;
  counterparty_entity_id: string | null;
  claim_id: string | null;
  since: Date;
  next_action: GapAction;
}

/**
 * One page of a tenant's transactions that lack something. Each source is read in the order of the list and only as far as the
 * page goes. `q` finds a reference, or an id by its start.
 */
export async function listGaps(db: Queryable, tenantId: string, list: GapList): Promise<ListPage<GapRecord>> {
  const { counterpartyEntityId: id } = list.filters;
  const entityIds = id === undefined ? undefined : await withDuplicates(db, [id]);
  const { page, count } = gapStatements(tenantId, list, entityIds);
  if (!page || !count) return { items: [], total: 0 };
  const [read, counted] = await Promise.all([
    db.query<GapRow>(page),
    list.wantsCount ? db.query<{ total: number }>(count) : undefined,
  ]);
  return { items: read.rows.map(toGap), total: counted?.rows[0]?.total };
}

/**
 * The statements of a page and of the number of all items; none where the filters exclude every source. `entityIds`: the
 * counterparty of the filter with its duplicates.
 */
export function gapStatements(
  tenantId: string,
  list: GapList,
  entityIds?: readonly string[],
): { page?: SqlStatement; count?: SqlStatement } {
  const { kind, nextAction } = list.filters;
  const wanted = GAP_SOURCES.filter(
    (source) => (kind?.includes(source.kind) ?? true) && (nextAction?.includes(source.action) ?? true),
  );
  if (wanted.length === 0) return {};
  const values: unknown[] = [tenantId];
  const conditions: string[] = [];
  if (entityIds) conditions.push(`t.counterparty_entity_id = any($${values.push(entityIds)}::uuid[])`);
  const q = list.q?.trim() ?? '';
  if (q !== '') {
    const place = `$${values.push(q)}`;
    conditions.push(`(t.reference = ${place} or starts_with(t.id::text, lower(${place})))`);
  }
  const found = (source: GapSource) => [gapsFrom(source), ...conditions].join(' and ');
  const order = `since ${list.order}, transaction_id ${list.order}`;
  const arms = wanted.map(
    (source) => `(${columnsOf(source)} from ${found(source)} order by ${order} limit ${list.end})`,
  );
  const counts = wanted.map((source) => `(select count(*) from ${found(source)})`);
  return {
    page: {
      text: `select * from (${arms.join(' union all ')}) gaps
        order by ${order} offset ${list.start} limit ${list.end - list.start}`,
      values,
    },
    count: { text: `select ${counts.join(' + ')} as total`, values },
  };
}

function columnsOf({ kind, action, readsClaim }: GapSource): string {
  return `select '${kind}' as kind, t.id as transaction_id, t.direction, t.status, t.reference, t.counterparty_entity_id,
    ${readsClaim ? 'claim.id' : 'null::uuid'} as claim_id, t.created_at as since, '${action}' as next_action`;
}

function toGap(row: GapRow): GapRecord {
  return {
    kind: row.kind,
    transactionId: row.transaction_id,
    direction: row.direction,
    status: row.status,
    reference: row.reference,
    counterpartyEntityId: row.counterparty_entity_id,
    claimId: row.claim_id,
    since: row.since,
    nextAction: row.next_action,
  };
}
