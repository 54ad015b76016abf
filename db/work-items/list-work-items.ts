import type { WorkItemList, WorkItemRecord } from '../../domain/work-items/work-item.ts';
import type { ListPage } from '../page.ts';
import type { Queryable } from '../postgres.ts';
import type { SqlStatement } from '../query-builder.ts';
import { WORK_ITEM_SOURCES, type WorkItemSource } from './work-item-sources.ts';

interface WorkItemRow {
  kind: WorkItemRecord['kind'];
  resource_id: string;
  why: string;
  since: Date;
  deadline: Date | null;
  next_action: WorkItemRecord['nextAction'];
}

/**
 * One page of everything that waits for a person of the tenant. Each source is read in the order of the list and only as far
 * as the page goes; `after` goes on behind an item without reading what lies before. `q` finds a record by the start of its id.
 */
export async function listWorkItems(
  db: Queryable,
  tenantId: string,
  list: WorkItemList,
): Promise<ListPage<WorkItemRecord>> {
  const { page, count } = workItemStatements(tenantId, list);
  const [read, counted] = await Promise.all([
    db.query<WorkItemRow>(page.text, page.values),
    list.wantsCount ? db.query<{ total: number }>(count.text, count.values) : undefined,
  ]);
  return { items: read.rows.map(toWorkItem), total: counted?.rows[0]?.total };
}

/** The statements of a page and of the number of all items. */
export function workItemStatements(
  tenantId: string,
  list: WorkItemList,
): { page: SqlStatement; count: SqlStatement } {
  const { kind: kinds, after } = list.filters;
  const wanted = WORK_ITEM_SOURCES.filter(({ kind }) => kinds?.includes(kind) ?? true);
  const q = list.q?.trim().toLowerCase() ?? '';
  const searched = q === '' ? [] : [q];
  const place = after ? [after.since, after.kind, after.resourceId] : [];
  const order = `since ${list.order}, kind ${list.order}, resource_id ${list.order}`;
  const found = (source: WorkItemSource) =>
    `${source.from} ${q === '' ? '' : `and starts_with(${source.id}, $2)`}`;
  const behind = (source: WorkItemSource) =>
    after ? behindPlace(source, list.order, searched.length + 2) : '';
  const arms = wanted.map(
    (source) =>
      `(${columnsOf(source)} from ${found(source)} ${behind(source)} order by ${order} limit ${list.end})`,
  );
  const range = `order by ${order} offset ${list.start} limit ${list.end - list.start}`;
  const counts = wanted.map((source) => `(select count(*) from ${found(source)})`);
  return {
    page: {
      text: `select * from (${arms.join(' union all ')}) items ${range}`,
      values: [tenantId, ...searched, ...place],
    },
    count: { text: `select ${counts.join(' + ')} as total`, values: [tenantId, ...searched] },
  };
}

function columnsOf({ kind, id, why, since, deadline, action }: WorkItemSource): string {
  return `select '${kind}' as kind, ${id} as resource_id, ${why} as why, ${since} as since, ${deadline} as deadline,
    '${action}' as next_action`;
}

/** The condition of items behind a place whose values begin with the given parameter. */
function behindPlace({ kind, id, since }: WorkItemSource, order: 'ASC' | 'DESC', first: number): string {
  const sign = order === 'ASC' ? '>' : '<';
  const place = `($${first}::timestamptz, $${first + 1}::text, $${first + 2}::text)`;
  // The first comparison is for the index; equal times are rare.
  return `and ${since} ${sign}= $${first} and (${since}, '${kind}', ${id}) ${sign} ${place}`;
}

function toWorkItem(row: WorkItemRow): WorkItemRecord {
  return {
    kind: row.kind,
    resourceId: row.resource_id,
    why: row.why,
    since: row.since,
    deadlineAt: row.deadline,
    nextAction: row.next_action,
  };
}
