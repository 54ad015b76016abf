import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

/** What api, worker and workflows must agree on. Free of imports that a workflow bundle cannot hold. */

/** Webhooks have a queue and a worker of their own: an endpoint that hangs takes no slot from anything else. */
export const TASK_QUEUES = {
  ruleBacktest: 'core',
  selfieAnalysis: 'core',
  transactionLifecycle: 'core',
  walletRelease: 'core',
  walletVerification: 'core',
  webhookDelivery: 'webhooks',
} as const;
export type WorkflowType = keyof typeof TASK_QUEUES;

const ID_PREFIXES: Record<WorkflowType, string> = {
  ruleBacktest: 'backtest',
  selfieAnalysis: 'selfie',
  transactionLifecycle: 'tx',
  walletRelease: 'release',
  walletVerification: 'wv',
  webhookDelivery: 'wh',
};

/** One workflow at a time per record: telling it twice is telling it once. */
export function workflowId(type: WorkflowType, subjectId: string): string {
  return `${ID_PREFIXES[type]}/${subjectId}`;
}

/** What no record needs but the calendar: started by a schedule of the same name. */
export const HOUSEKEEPING = {
  workflow: 'housekeeping',
  taskQueue: TASK_QUEUES.transactionLifecycle,
} as const;

/** One workflow at a time per tenant and file: sending a file twice at once is sending it once. */
export const WALLET_CSV_IMPORT = {
  workflow: 'walletCsvImport',
  taskQueue: TASK_QUEUES.transactionLifecycle,
  id: ({ tenantId, sha256 }: ImportSubject) => `csv/${tenantId}/${sha256}`,
} as const;

/** Which uploaded file: `sha256` in hex. */
export interface ImportSubject {
  tenantId: string;
  sha256: string;
}

/**
 * The update of one list of sanctions: by the schedule of the same id, which puts the time after it, or with files that
 * an operator has sent. Which of two is first is decided in the database.
 */
export const SANCTIONS_LIST_UPDATE = {
  workflow: 'sanctionsListUpdate',
  taskQueue: TASK_QUEUES.transactionLifecycle,
  scheduleId: (code: string) => `list/${code}`,
  id: ({ code, uploadId }: Required<ListUpdate>) => `list/${code}/${uploadId}`,
} as const;

/** Which list; without an upload its publisher is asked. */
export interface ListUpdate {
  code: string;
  uploadId?: string;
}

/** One comparison of all open transfers for each new version of a list, started by the worker. */
export const SANCTIONS_RESCREEN = {
  workflow: 'sanctionsRescreen',
  taskQueue: TASK_QUEUES.transactionLifecycle,
  id: ({ code, version }: Pick<RescreenSubject, 'code' | 'version'>) => `rescreen/${code}/${version}`,
} as const;

/** Which version, behind which transfer to go on, and how many were compared and found before. */
export interface RescreenSubject {
  code: string;
  version: number;
  afterId: string | null;
  looked: number;
  found: number;
}

/** One scanner for each chain, started by the worker while a verification waits for a transfer there. */
export const BLOCKCHAIN_SCAN = {
  workflow: 'blockchainScan',
  taskQueue: TASK_QUEUES.walletVerification,
  id: (chain: string) => `scan/${chain}`,
} as const;

/** What every workflow is started with: an id, nothing else. */
export interface RecordSubject {
  id: string;
}

/** "The record changed, look again." Sent with every start, and by operators. */
export const ROW_CHANGED = 'rowChanged';

/** What operators can search by in the Temporal UI. Never encrypted, so never personal data. */
export const attributes = {
  tenant: defineSearchAttributeKey('TrTenant', SearchAttributeType.KEYWORD),
  kind: defineSearchAttributeKey('TrKind', SearchAttributeType.KEYWORD),
  status: defineSearchAttributeKey('TrStatus', SearchAttributeType.KEYWORD),
  waitingFor: defineSearchAttributeKey('TrWaitingFor', SearchAttributeType.KEYWORD),
  subject: defineSearchAttributeKey('TrSubject', SearchAttributeType.KEYWORD),
  stuck: defineSearchAttributeKey('TrStuck', SearchAttributeType.BOOL),
  deadline: defineSearchAttributeKey('TrDeadline', SearchAttributeType.DATETIME),
};
