/** SQL: the state of a transaction `t` that a proposal to let it pass is about. `reviewBasis` computes the same. */
const REVIEW_BASIS = `t.version || ':' || coalesce((extract(epoch from t.screening_due_since) * 1000)::bigint::text, '')`;

/** The state of a transaction that a proposal to let it pass is about: one that is due for screening again gets no version. */
export function reviewBasis(record: { version: number; screeningDueSince: Date | null }): string {
  return `${record.version}:${record.screeningDueSince?.getTime() ?? ''}`;
}

/** The state of a rule configuration that a proposal to publish its draft is about. */
export function rulesBasis(record: { draft: { revision: number }; publishedVersion: number }): string {
  return `${record.draft.revision}:${record.publishedVersion}`;
}

/** SQL: the address of webhooks of a tenant `n`, as the basis of a proposal to change it. */
const WEBHOOK_BASIS = `coalesce(n.webhook_url, '')`;
/**
 * SQL: the settings of a tenant `n`, as the basis of a proposal to change them: its request may name other settings too, and
 * must not put them back over what somebody has set since.
 */
export const SETTINGS_BASIS = `n.settings::text`;

/** SQL: whether what a proposal `p` is about is as it was. */
export const IS_UNCHANGED = `case p.kind
  when 'REVIEW' then exists (
    select 1 from transactions t
    where t.tenant_id = p.tenant_id and t.id = p.subject_id and t.deleted_at is null and ${REVIEW_BASIS} = p.basis)
  when 'RULES' then exists (
    select 1 from rule_configurations c where c.tenant_id = p.tenant_id and c.id = p.subject_id
      and c.draft_revision || ':' || c.published_version = p.basis)
  when 'WEBHOOK_URL' then exists (select 1 from tenants n where n.id = p.tenant_id and ${WEBHOOK_BASIS} = p.basis)
  when 'FOUR_EYES' then exists (select 1 from tenants n where n.id = p.tenant_id and ${SETTINGS_BASIS} = p.basis)
  when 'ADDRESS_QUESTION_URL' then exists (
    select 1 from tenants n where n.id = p.tenant_id and ${SETTINGS_BASIS} = p.basis)
  else true end`;

const IS_BY_REVOKED_KEY = `p.proposed_by_kind = 'API_KEY' and exists (
  select 1 from api_keys k where k.id = p.proposed_by and k.revoked_at is not null)`;

/**
 * SQL: the status of a proposal `p` now. One that waits ends without being written when its time is over, when what it is about
 * changes, and when the proposing key is revoked.
 */
export const PROPOSAL_STATUS = `case
  when p.status <> 'WAITING' then p.status
  when p.expires_at <= now() then 'EXPIRED'
  when (${IS_BY_REVOKED_KEY}) or not (${IS_UNCHANGED}) then 'OUTDATED'
  else 'WAITING' end`;
