// Why: four eyes are those of two people. Acts wait as proposals until a second person agrees; who proved their mailbox counts
// as a person, and so whoever made a key must be known. What waits for a person is listed. The version before runs on this
// schema, but lets two keys agree.
import type { Knex } from 'knex';
import { indexesSql, type OnlineIndex } from '../online-indexes.ts';

export const online: readonly OnlineIndex[] = [
  {
    name: 'verifications_step_reviews',
    definition: `on verifications (tenant_id, created_at desc)
      where deleted_at is null and steps @> '[{"status": "ACTION_REQUIRED"}]'`,
  },
];

export async function up(knex: Knex): Promise<void> {
  await knex.raw(indexesSql(online));
  await knex.raw(PEOPLE);
  await knex.raw(PROPOSALS);
  await knex.raw(OF_KEYS);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table proposals;
    drop index verifications_step_reviews;
    alter table users drop column proven_at;
    alter table api_keys drop column created_by_kind, drop column created_by;
  `);
}

// proven_at: when the user first set a password by a link that was mailed to them. Who was invited and has a password has done so.
const PEOPLE = `
  alter table users add column proven_at timestamptz(3);
  update users u set proven_at = u.updated_at where u.password_hash is not null and exists (
    select 1 from user_links l where l.user_id = u.id and l.purpose = 'INVITATION');
  alter table api_keys add column created_by_kind text check (created_by_kind in ('API_KEY', 'USER')),
    add column created_by uuid, add check ((created_by_kind is null) = (created_by is null));
`;

// detail tells acts on one subject apart. basis is the state of the subject that was decided on. request is sealed: of a review by
// the key of its transaction, else by the tenant's. person_id: the user who proposed it or made the proposing key. A proposal
// that is WAITING here may be over: see db/proposals/proposal-status.ts.
const PROPOSALS = `
  create table proposals (
    id uuid primary key,
    tenant_id uuid not null references tenants,
    kind text not null check (kind in ('REVIEW', 'RULES', 'SUPPRESSION', 'WEBHOOK_URL', 'FOUR_EYES')),
    subject_id uuid not null,
    detail text not null,
    basis text not null,
    request bytea,
    proposed_by_kind text not null check (proposed_by_kind in ('API_KEY', 'USER')),
    proposed_by uuid not null,
    person_id uuid,
    status text not null
      check (status in ('WAITING', 'CARRIED_OUT', 'REFUSED', 'WITHDRAWN', 'OUTDATED', 'EXPIRED')),
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    ended_by_kind text check (ended_by_kind in ('API_KEY', 'USER')),
    ended_by uuid,
    ended_at timestamptz(3),
    check ((status = 'WAITING') = (ended_at is null)),
    check ((ended_by_kind is null) = (ended_by is null))
  );
  create unique index proposals_waiting on proposals (tenant_id, kind, subject_id, detail) where status = 'WAITING';
  create index proposals_open on proposals (tenant_id, created_at desc, id desc) where status = 'WAITING';
  create index proposals_newest on proposals (tenant_id, created_at desc, id desc);
  create index proposals_subject on proposals (tenant_id, subject_id);
`;

// What a first key had proposed, and nothing has changed since: the proposal was the last event of the transaction.
const OF_KEYS = `
  insert into proposals (id, tenant_id, kind, subject_id, detail, basis, proposed_by_kind, proposed_by, status, created_at,
    expires_at)
  select gen_random_uuid(), t.tenant_id, 'REVIEW', t.id, '',
    t.version || ':' || coalesce((extract(epoch from t.screening_due_since) * 1000)::bigint::text, ''),
    e.actor, coalesce(e.user_id, e.api_key_id), 'WAITING', e.created_at, now() + interval '7 days'
  from tenants n join transactions t on t.tenant_id = n.id
    join events e on e.subject_id = t.id and e.sequence = t.sequence and e.tenant_id = t.tenant_id
  where (n.settings -> 'fourEyes' ->> 'review')::boolean and t.deleted_at is null
    and (t.next_action in ('REVIEW', 'PROVE_OWNERSHIP') or t.rule_wait_until is not null)
    and e.type = 'REVIEW_PROPOSED' and e.actor in ('API_KEY', 'USER');
  update proposals set person_id = proposed_by where proposed_by_kind = 'USER';
`;
