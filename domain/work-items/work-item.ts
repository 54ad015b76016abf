import { z } from 'zod';
import { listQuery, oneOrMore } from '../list-query.ts';

/** The kinds of records that wait for a person. */
const WORK_ITEM_KINDS = [
  'TRANSACTION',
  'VERIFICATION',
  'CLAIM',
  'PROPOSAL',
  'RULE_CONFIGURATION',
  'COUNTERPARTY',
  'RECONCILIATION',
  'WEBHOOK',
  'API_KEY',
  'SERVICE_KEY',
] as const;
export type WorkItemKind = (typeof WORK_ITEM_KINDS)[number];

/** Days before its end from which an API key waits to be replaced. */
export const KEY_ENDS_IN_DAYS = 14;

/** What a person does next. Of transactions it is `clearance.nextAction`, of a reconciliation that of `GET /reconciliation`. */
const WORK_ACTIONS = [
  'REVIEW',
  'CONFIRM_WALLET',
  'FIX_ROUTING',
  'PROVIDE_DATA',
  'RETRY',
  'ANSWER_CLAIM',
  'APPROVE',
  'PUBLISH',
  'RENEW_DUE_DILIGENCE',
  'RECORD_STEP',
  'SET_WEBHOOK_URL',
  'REPLACE_KEY',
  'ADD_HASH',
  'ADD_BLOCKCHAIN',
  'CLAIM',
  'CONTACT_COUNTERPARTY',
  'DECIDE_ON_ASSETS',
] as const;
type WorkAction = (typeof WORK_ACTIONS)[number];

/** The actions of transactions that are for a person; their payout system adds hashes, and owners prove wallets. */
export const TRANSACTION_ACTIONS = [
  'REVIEW',
  'CONFIRM_WALLET',
  'FIX_ROUTING',
  'PROVIDE_DATA',
  'RETRY',
] as const satisfies readonly WorkAction[];

/** One thing that waits for a person. It names nobody: the record shows what a role may see. */
export interface WorkItemRecord {
  kind: WorkItemKind;
  resourceId: string;
  why: string;
  since: Date;
  deadlineAt: Date | null;
  nextAction: WorkAction;
}

/** The position of an item in the list: the time, then kind and id, so that no two have the same. */
interface WorkItemPosition {
  since: Date;
  kind: string;
  resourceId: string;
}

export const WorkItem = z
  .strictObject({
    kind: z.enum(WORK_ITEM_KINDS).describe('The kind of the record.'),
    resource: z
      .strictObject({
        id: z
          .string()
          .describe(
            'Its id; of a service key the feature, of a webhook endpoint the tenant, of a reconciliation the transaction.',
          ),
        path: z.string().describe('Where the API shows it.'),
      })
      .meta({ id: 'WorkItemResource' })
      .describe('The record.'),
    why: z.string().describe('A code: the hold, status, kind of proposal or the like.'),
    since: z.iso
      .datetime()
      .describe(
        'Since when it waits; of transactions, their reconciliation, verifications and claims, when they were created.',
      ),
    deadlineAt: z.iso.datetime().nullable().describe('When it ends without a person; null for never.'),
    nextAction: z.enum(WORK_ACTIONS).describe('What a person does next.'),
    cursor: z.string().describe('The place in the list: send the last one as `_after`.'),
  })
  .meta({ id: 'WorkItem' });
export type WorkItem = z.infer<typeof WorkItem>;

const Cursor = z
  .string()
  .max(200)
  .transform((text, context): WorkItemPosition => {
    const position = readCursor(text);
    if (position) return position;
    context.addIssue({ code: 'custom', message: 'the cursor of an item of this list is expected' });
    return z.NEVER;
  })
  .describe('Only items behind this one: the `cursor` of the last item of the page before.');

const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)~([A-Z_]+)~([\w-]{1,64})$/;

function readCursor(text: string): WorkItemPosition | null {
  const [, time = '', kind = '', resourceId = ''] = CURSOR.exec(text) ?? [];
  const since = new Date(time);
  return Number.isNaN(since.getTime()) ? null : { since, kind, resourceId };
}

/** The query of `GET /work-items`. */
export const ListWorkItemsQuery = listQuery({
  sortable: ['since'],
  filters: { _kind: oneOrMore(z.enum(WORK_ITEM_KINDS)), _after: Cursor },
});
export type WorkItemList = z.output<typeof ListWorkItemsQuery>;

const PATHS: Record<WorkItemKind, (id: string) => string> = {
  TRANSACTION: (id) => `/transactions/${id}`,
  VERIFICATION: (id) => `/wallet-verification/${id}`,
  CLAIM: (id) => `/claims/${id}`,
  PROPOSAL: (id) => `/proposals?q=${id}`,
  RULE_CONFIGURATION: (id) => `/rule-engine/${id}`,
  COUNTERPARTY: (id) => `/counterparties/${id}`,
  RECONCILIATION: (id) => `/transactions/${id}`,
  WEBHOOK: () => '/tenant/me',
  API_KEY: () => '/tenant/me/api-keys',
  SERVICE_KEY: () => '/tenant/me/service-keys',
};

export function viewWorkItem(item: WorkItemRecord): WorkItem {
  const { kind, resourceId, why, since, deadlineAt, nextAction } = item;
  const time = since.toISOString();
  return {
    kind,
    resource: { id: resourceId, path: PATHS[kind](resourceId) },
    why,
    since: time,
    deadlineAt: deadlineAt?.toISOString() ?? null,
    nextAction,
    cursor: `${time}~${kind}~${resourceId}`,
  };
}
