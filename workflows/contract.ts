import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

// What api, worker and workflows must agree on. Free of imports that a workflow bundle cannot hold.

/**
 * The task queues. Webhooks and the activity that sends mails have workers of their own: an endpoint or a mail server that
 * hangs takes no slot from anything else. So have the files of reports, which are made one by one. Mails that a person waits
 * for have places of their own: behind thousands of links to messages a code would end before it is sent. Files of
 * wallets that wait for their turn take no slot from the steps of transactions, and VASPs that hang when they are called
 * by TRP take none from webhooks.
 */
export const TASK_QUEUES = {
  core: 'core',
  webhooks: 'webhooks',
  reports: 'reports',
  mails: 'mails',
  awaitedMails: 'awaited-mails',
  imports: 'imports',
  trp: 'trp',
} as const;

export interface WorkflowContract {
  taskQueue: (typeof TASK_QUEUES)[keyof typeof TASK_QUEUES];
  idPrefix: string;
  /** The search attributes `status` and `waitingFor` until the first step of the workflow sets them. */
  status?: string;
  waitingFor?: string;
}

const { core, webhooks } = TASK_QUEUES;

/** Every workflow by its type name, with its task queue and the first part of its ids. */
export const WORKFLOWS = {
  blockchainScan: { taskQueue: core, idPrefix: 'scan', status: 'SCANNING', waitingFor: 'TRANSFER' },
  brakeRelease: { taskQueue: core, idPrefix: 'brake', status: 'RELEASING', waitingFor: 'NOTHING' },
  claimRequest: { taskQueue: core, idPrefix: 'claim', status: 'PENDING', waitingFor: 'DELIVERY' },
  dataExport: { taskQueue: core, idPrefix: 'export', status: 'MAKING', waitingFor: 'NOTHING' },
  housekeeping: { taskQueue: core, idPrefix: 'housekeeping' },
  mailDelivery: { taskQueue: core, idPrefix: 'mail', status: 'PENDING', waitingFor: 'DELIVERY' },
  monthlyReport: { taskQueue: core, idPrefix: 'monthly-report' },
  reportGeneration: { taskQueue: core, idPrefix: 'report', status: 'MAKING', waitingFor: 'NOTHING' },
  retention: { taskQueue: core, idPrefix: 'retention' },
  ruleBacktest: { taskQueue: core, idPrefix: 'backtest', status: 'RUNNING', waitingFor: 'NOTHING' },
  sanctionsListUpdate: { taskQueue: core, idPrefix: 'list', status: 'RUNNING' },
  sanctionsRescreen: { taskQueue: core, idPrefix: 'rescreen' },
  selfieAnalysis: { taskQueue: core, idPrefix: 'selfie', status: 'PENDING', waitingFor: 'ANALYSIS' },
  tenantErasure: { taskQueue: core, idPrefix: 'tenant-erasure', status: 'APPROVED', waitingFor: 'DAY' },
  transferReconciliation: { taskQueue: core, idPrefix: 'reconciliation' },
  transactionLifecycle: { taskQueue: core, idPrefix: 'tx', status: 'PENDING', waitingFor: 'ROUTE' },
  trpNotice: { taskQueue: webhooks, idPrefix: 'trp', status: 'PENDING', waitingFor: 'DELIVERY' },
  walletCsvImport: { taskQueue: core, idPrefix: 'csv', status: 'RUNNING' },
  walletRelease: { taskQueue: core, idPrefix: 'release', status: 'PENDING', waitingFor: 'NOTHING' },
  walletVerification: { taskQueue: core, idPrefix: 'wv', status: 'PENDING', waitingFor: 'PROOF' },
  webhookDelivery: { taskQueue: webhooks, idPrefix: 'wh', status: 'PENDING', waitingFor: 'DELIVERY' },
} as const satisfies Record<string, WorkflowContract>;
export type WorkflowType = keyof typeof WORKFLOWS;

/**
 * The id of a workflow, also of the schedule that starts it; at most one run with an id is open at a time. The parts are
 * the record's id, the chain of a scan, tenant and file of a CSV import, code and upload of a list update, code and
 * version of a rescreening; housekeeping, `monthlyReport`, `retention` and `transferReconciliation` have none.
 */
export function workflowId(type: WorkflowType, ...parts: readonly (string | number)[]): string {
  return [WORKFLOWS[type].idPrefix, ...parts].join('/');
}

/** The input of a workflow that serves one record: the record's id, or the name of the chain that is scanned. */
export interface RecordSubject {
  id: string;
}

/** The input of `walletCsvImport`: whose file, and its SHA-256 in hex. Uploads of one file share one run. */
export interface ImportSubject {
  tenantId: string;
  sha256: string;
}

/** The input of `sanctionsListUpdate`: the files of an upload, or whatever the publisher has when there is none. */
export interface ListUpdate {
  code: string;
  uploadId?: string;
}

/** The input of `sanctionsRescreen`: the new version of a list, and how far an earlier run of it has come. */
export interface RescreenSubject {
  code: string;
  version: number;
  afterId: string | null;
  looked: number;
  found: number;
}

/** Signal "the record changed, read it again". Sent with every start of a record's workflow, and by operators. */
export const ROW_CHANGED = 'rowChanged';

/** What operators can search by in the Temporal UI. Never encrypted, so never personal data. */
export const attributes = {
  tenant: defineSearchAttributeKey('TrTenant', SearchAttributeType.KEYWORD),
  tenantName: defineSearchAttributeKey('TrTenantName', SearchAttributeType.KEYWORD),
  summary: defineSearchAttributeKey('TrSummary', SearchAttributeType.KEYWORD),
  kind: defineSearchAttributeKey('TrKind', SearchAttributeType.KEYWORD),
  status: defineSearchAttributeKey('TrStatus', SearchAttributeType.KEYWORD),
  waitingFor: defineSearchAttributeKey('TrWaitingFor', SearchAttributeType.KEYWORD),
  subject: defineSearchAttributeKey('TrSubject', SearchAttributeType.KEYWORD),
  stuck: defineSearchAttributeKey('TrStuck', SearchAttributeType.BOOL),
  deadline: defineSearchAttributeKey('TrDeadline', SearchAttributeType.DATETIME),
};
