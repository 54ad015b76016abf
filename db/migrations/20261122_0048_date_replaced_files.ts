// Why: 0043 could not tell a file that was replaced within the hour from the one in its place, so it was kept for ever; and
// a paper that a reviewer declined after the end of its verification was dated by that end, so it goes too early.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    with submissions as (${SUBMISSIONS}), placed as (${PLACED}), submitted as (${SUBMITTED}), replaced as (${DATE_REPLACED})
    ${DATE_DECLINED}`);
}

const SUBMISSIONS = `
  select subject_id as verification_id, data ->> 'kind' as kind, created_at as submitted_at,
    lead(created_at) over (partition by subject_id, data ->> 'kind' order by sequence) as replaced_at
  from events where subject_kind = 'VERIFICATION' and type = 'STEP_SUBMITTED'
    and subject_id in (select verification_id from verification_files where kind <> 'VISUAL_PROOF')`;

// Files arrive before they are submitted, so the first submission after them is theirs.
const PLACED = `
  select f.id, f.verification_id, f.kind, f.created_at, s.submitted_at, s.replaced_at
  from verification_files f cross join lateral (
    select submitted_at, replaced_at from submissions s
    where s.verification_id = f.verification_id and s.kind = f.kind and s.submitted_at >= f.created_at
    order by submitted_at limit 1
  ) s
  where f.state <> 'ARRIVING'`;

// The files of one submission have one time. Where two uploads ran side by side nobody knows which was submitted first:
// such files are left as they are, rather than to remove one that was accepted.
const SUBMITTED = `
  select p.id, p.verification_id, p.kind, p.replaced_at from placed p
  where not exists (
    select from placed o where o.verification_id = p.verification_id and o.kind = p.kind
      and o.submitted_at = p.submitted_at and o.created_at <> p.created_at)`;

const DATE_REPLACED = `
  update verification_files f set refused_at = s.replaced_at from submitted s
  where f.id = s.id and f.state = 'STORED' and f.refused_at is null and s.replaced_at is not null`;

const DATE_DECLINED = `
  update verification_files f set refused_at = (d.step ->> 'reviewedAt')::timestamptz
  from submitted s join (
    select v.id, step from verifications v cross join lateral jsonb_array_elements(v.steps) step
    where step ->> 'status' in ('DECLINED', 'FAILED') or step ->> 'kind' = 'SELFIE' and step ->> 'status' = 'VERIFIED'
  ) d on d.id = s.verification_id and d.step ->> 'kind' = s.kind
  where f.id = s.id and f.state = 'STORED' and s.replaced_at is null
    and f.refused_at < (d.step ->> 'reviewedAt')::timestamptz`;

// The dates are right for the version before as well.
export async function down(): Promise<void> {}
