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
  const values = [tenantId, q, ...(after ? [after.since, after.kind, after.resourceId] : [])];
  const order = `since ${list.order}, kind ${list.order}, resource_id ${list.order}`;
  const arms = wanted.map((source) => `(${armOf(source, list)} order by ${order} limit ${list.end})`);
  const range = `order by ${order} offset ${list.start} limit ${list.end - list.start}`;
  const counts = wanted.map((source) => `(select count(*) from ${source.from} and ${FOUND(source)})`);
  return {
    page: { text: `${unionOf(arms)} ${range}`, values },
    count: { text: `select ${['0', ...counts].join(' + ')} as total`, values: [tenantId, q] },
  };
}

const FOUND = ({ id }: WorkItemSource) => `starts_with(lower(${id}), $2)`;

function armOf(source: WorkItemSource, { order, filters }: WorkItemList): string {
  const { kind, id, why, since, deadline, action, from } = source;
  const sign = order === 'ASC' ? '>' : '<';
  // The first comparison is for the index; equal times are rare.
  const behind = `and ${since} ${sign}= $3 and (${since}, '${kind}', ${id}) ${sign} ($3::timestamptz, $4::text, $5::text)`;
  return `select '${kind}' as kind, ${id} as resource_id, ${why} as why, ${since} as since, ${deadline} as deadline,
    '${action}' as next_action from ${from} and ${FOUND(source)} ${filters.after ? behind : ''}`;
}

function unionOf(arms: string[]): string {
  return `select * from (${arms.join(' union all ')}) items`;
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
