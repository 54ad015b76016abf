import { OPERATORS } from '../idempotency/operator-scope.ts';
import { webhooksHeldBack } from '../brakes/find-brake.ts';
import type { OutboxEntry } from '../outbox.ts';

export interface UnfinishedRows {
  table:
    | 'brakes'
    | 'claims'
    | 'exports'
    | 'mails'
    | 'monthly_reports'
    | 'rule_backtests'
    | 'selfie_analyses'
    | 'tenant_erasures'
    | 'transactions'
    | 'trp_transfers'
    | 'verifications'
    | 'wallet_releases'
    | 'webhook_deliveries';
  workflow: OutboxEntry['workflow'];
  /** SQL over the row `r`: the workflow summary for operators, without personal data. */
  summary: string;
  /** SQL over the row `r`: the tenant by which operators find the workflow; that of the row if absent. */
  owner?: string;
  /** SQL over the row `r`: the record that the row is about, where it is another one. */
  resource?: string;
  /** SQL over the row `r`: it rests without a workflow until something else starts one. */
  rests?: string;
}

/** The kinds of rows that have a workflow while their wake_at, the next moment that matters to it, is set. */
export const UNFINISHED_ROWS = {
  brake_release: {
    table: 'brakes',
    workflow: 'brakeRelease',
    summary: `'End of a brake'`,
  },
  claim: {
    table: 'claims',
    workflow: 'claimRequest',
    summary: `case r.direction when 'INCOMING' then 'Claim of another VASP, ' else 'Claim of ' end || r.asset`,
  },
  data_export: {
    table: 'exports',
    workflow: 'dataExport',
    summary: `'Export of ' || r.resource || ' as ' || r.format`,
  },
  mail: {
    table: 'mails',
    workflow: 'mailDelivery',
    summary: `'Mail ' || r.kind`,
  },
  monthly_report: {
    table: 'monthly_reports',
    workflow: 'reportGeneration',
    summary: `'Report of ' || r.month`,
  },
  rule_backtest: {
    table: 'rule_backtests',
    workflow: 'ruleBacktest',
    summary: `'Back-test of rules'`,
  },
  selfie_analysis: {
    table: 'selfie_analyses',
    workflow: 'selfieAnalysis',
    summary: `'Selfie of a verification'`,
  },
  tenant_erasure: {
    table: 'tenant_erasures',
    workflow: 'tenantErasure',
    summary: `'Erasure of a tenant'`,
    owner: `'${OPERATORS}'::uuid`,
  },
  transaction: {
    table: 'transactions',
    workflow: 'transactionLifecycle',
    summary: `case r.direction when 'INCOMING' then 'Deposit of ' else 'Outgoing ' end || r.asset`,
  },
  trp_notice: {
    table: 'trp_transfers',
    workflow: 'trpNotice',
    summary: `'Notice to a VASP by TRP'`,
    resource: 'coalesce(r.replaced_for, r.sent_id)',
  },
  wallet_release: {
    table: 'wallet_releases',
    workflow: 'walletRelease',
    summary: `'Release after wallet confirmation: ' || r.total`,
  },
  wallet_verification: {
    table: 'verifications',
    workflow: 'walletVerification',
    summary: `'Wallet on ' || r.blockchain_key || ', ' || r.asset`,
  },
  webhook_delivery: {
    table: 'webhook_deliveries',
    workflow: 'webhookDelivery',
    summary: `'Webhook ' || r.kind`,
    resource: 'r.resource_id',
    rests: `r.partner_id is null
      and (exists (select from tenants t where t.id = r.tenant_id and t.suspended_at is not null)
        or ${webhooksHeldBack('r.tenant_id')})`,
  },
} as const satisfies Record<string, UnfinishedRows>;

/** SQL over the row `r`: it needs a workflow. */
export function needsWorkflow({ rests = 'false' }: UnfinishedRows): string {
  return `not (${rests})`;
}

export type UnfinishedKind = keyof typeof UNFINISHED_ROWS;
export const UNFINISHED_KINDS = Object.keys(UNFINISHED_ROWS) as UnfinishedKind[];

/** A count of zero for every kind. */
export function noneOfAnyKind(): Record<UnfinishedKind, number> {
  return Object.fromEntries(UNFINISHED_KINDS.map((kind) => [kind, 0])) as Record<UnfinishedKind, number>;
}

/** SQL over the row `r`: its workflow should have moved it a minute ago, so the workflow is lost or late. */
export const IS_OVERDUE = `r.wake_at < now() - interval '1 minute'`;
