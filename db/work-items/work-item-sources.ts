import {
  KEY_ENDS_IN_DAYS,
  TRANSACTION_ACTIONS,
  type WorkItemKind,
} from '../../domain/work-items/work-item.ts';
import { GAP_SOURCES, gapsFrom } from '../reconciliation/gap-sources.ts';
import { unansweredFailures } from '../counterparties/repeated-failures.ts';
import { PROPOSAL_STATUS } from '../proposals/proposal-status.ts';

/** A select of rows that wait for a person, for one kind of record. Each column is SQL; `$1` is the tenant. */
export interface WorkItemSource {
  kind: WorkItemKind;
  id: string;
  why: string;
  since: string;
  deadline: string;
  action: string;
  /** SQL that begins with `from`: tables and condition. */
  from: string;
}

const NEVER = 'null::timestamptz';
const KEY_TIME = `interval '${KEY_ENDS_IN_DAYS} days'`;

// One for each action: then the index of next actions has them in the order of the list.
const transactions: WorkItemSource[] = TRANSACTION_ACTIONS.map((action) => ({
  kind: 'TRANSACTION',
  id: 't.id::text',
  why: 'coalesce(t.hold, t.routing_fault, t.sub_status, t.status)',
  since: 't.created_at',
  deadline: action === 'PROVIDE_DATA' ? 't.repair_deadline_at' : 't.deadline_at',
  action,
  from: `transactions t where t.tenant_id = $1 and t.deleted_at is null and t.next_action = '${action}'`,
}));

const verifications: WorkItemSource[] = [
  {
    kind: 'VERIFICATION',
    id: 'v.id::text',
    why: `coalesce(v.flow, 'PROOF')`,
    since: 'v.created_at',
    deadline: NEVER,
    action: 'REVIEW',
    from: `verifications v where v.tenant_id = $1 and v.deleted_at is null and v.status = 'ACTION_REQUIRED'`,
  },
  {
    kind: 'VERIFICATION',
    id: 'v.id::text',
    why: `'ADDITIONAL_STEP'`,
    since: 'v.created_at',
    deadline: NEVER,
    action: 'REVIEW',
    from: `verifications v where v.tenant_id = $1 and v.deleted_at is null
      and v.steps @> '[{"status": "ACTION_REQUIRED"}]' and v.status in ('PENDING', 'VERIFIED')`,
  },
];

const claim = {
  kind: 'CLAIM',
  id: 'c.id::text',
  since: 'c.created_at',
  deadline: 'c.deadline_at',
  action: 'ANSWER_CLAIM',
} as const;
const ASKED = `c.tenant_id = $1 and c.direction = 'INCOMING' and c.status = 'DELIVERED'`;

const claims: WorkItemSource[] = [
  {
    ...claim,
    why: `'CLAIMED'`,
    from: `claims c where ${ASKED} and c.transaction_id is null`,
  },
  // The transaction that was sent as the answer has ended without reaching the VASP that asks.
  {
    ...claim,
    why: `'ANSWER_' || coalesce(case when t.deleted_at is null then t.status end, 'DELETED')`,
    from: `claims c left join transactions t on t.tenant_id = c.tenant_id and t.id = c.transaction_id
      where ${ASKED} and c.transaction_id is not null
        and (t.id is null or t.deleted_at is not null or t.status in ('FAILED', 'DECLINED', 'CANCELLED'))`,
  },
];

const proposals: WorkItemSource = {
  kind: 'PROPOSAL',
  id: 'p.id::text',
  why: 'p.kind',
  since: 'p.created_at',
  deadline: 'p.expires_at',
  action: 'APPROVE',
  from: `proposals p where p.tenant_id = $1 and p.status = 'WAITING' and ${PROPOSAL_STATUS} = 'WAITING'`,
};

const HAS_PROPOSAL = `exists (select 1 from proposals p where p.tenant_id = c.tenant_id and p.kind = 'RULES'
  and p.subject_id = c.id and p.status = 'WAITING' and ${PROPOSAL_STATUS} = 'WAITING')`;

const rules: WorkItemSource = {
  kind: 'RULE_CONFIGURATION',
  id: 'c.id::text',
  why: `case when c.guard_version = c.published_version then 'BLOCK_GUARDED' else 'DRAFT_NOT_PUBLISHED' end`,
  since: `case when c.guard_version = c.published_version then c.guard_tripped_at else c.draft_updated_at end`,
  deadline: NEVER,
  action: 'PUBLISH',
  from: `rule_configurations c left join rule_versions r on r.configuration_id = c.id and r.version = c.published_version
    where c.tenant_id = $1 and not ${HAS_PROPOSAL} and (c.guard_version = c.published_version
      or (c.draft is not null and coalesce(c.draft_updated_at > r.published_at, true)))`,
};

const counterparties: WorkItemSource[] = [
  {
    kind: 'COUNTERPARTY',
    id: 'd.entity_id::text',
    why: `'REVIEW_DUE'`,
    since: 'd.next_review_at',
    deadline: NEVER,
    action: 'RENEW_DUE_DILIGENCE',
    from: 'counterparties d where d.tenant_id = $1 and d.next_review_at <= now()',
  },
  {
    kind: 'COUNTERPARTY',
    id: 'f.id::text',
    why: `'REPEATED_FAILURES'`,
    since: 'f.latest',
    deadline: NEVER,
    action: 'RECORD_STEP',
    from: `(${unansweredFailures({ tenantId: '$1', now: 'now()' })}) f where true`,
  },
];

const gaps: WorkItemSource[] = GAP_SOURCES.filter(({ isForPerson }) => isForPerson).map((source) => ({
  kind: 'RECONCILIATION',
  id: 't.id::text',
  why: `'${source.kind}'`,
  since: 't.created_at',
  deadline: NEVER,
  action: source.action,
  from: gapsFrom(source),
}));

const webhook: WorkItemSource = {
  kind: 'WEBHOOK',
  id: 'n.id::text',
  why: `'ENDPOINT_DISABLED'`,
  since: 'coalesce(n.webhook_set_at, n.updated_at)',
  deadline: NEVER,
  action: 'SET_WEBHOOK_URL',
  from: `tenants n where n.id = $1 and n.webhook_status = 'DISABLED'`,
};

const keys: WorkItemSource[] = [
  {
    kind: 'API_KEY',
    id: 'k.id::text',
    why: `'EXPIRES_SOON'`,
    since: `greatest(k.expires_at - ${KEY_TIME}, k.created_at)`,
    deadline: 'k.expires_at',
    action: 'REPLACE_KEY',
    from: `api_keys k where k.tenant_id = $1 and k.revoked_at is null and k.expires_at > now()
      and k.expires_at <= now() + ${KEY_TIME}`,
  },
  {
    kind: 'SERVICE_KEY',
    id: 's.feature',
    why: `'REFUSED_BY_PROVIDER'`,
    since: 's.refused_at',
    deadline: NEVER,
    action: 'REPLACE_KEY',
    from: 'service_keys s where s.tenant_id = $1 and s.refused_at is not null',
  },
];

/** Everything in which something can wait for a person. */
export const WORK_ITEM_SOURCES: readonly WorkItemSource[] = [
  ...transactions,
  ...verifications,
  ...claims,
  proposals,
  rules,
  ...counterparties,
  ...gaps,
  webhook,
  ...keys,
];
