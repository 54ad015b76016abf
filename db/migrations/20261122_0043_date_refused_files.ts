// Why: the files of refused proofs go 90 days after the decision. The time of the last change of a verification is not that:
// a later note or the deletion would begin the 90 days anew, and a paper that was given again hides the refused one.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table verification_files add column refused_at timestamptz(3);
    ${FILL}
    drop index verifications_refused_files, verification_files_selfies;
    create index verification_files_refused on verification_files (refused_at)
      where state = 'STORED' and refused_at is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index verification_files_refused;
    alter table verification_files drop column refused_at;
    create index verification_files_selfies on verification_files (created_at)
      where state = 'STORED' and kind = 'SELFIE';
    create index verifications_refused_files on verifications (updated_at)
      where flow = 'VISUAL_PROOF' and status in ('DECLINED', 'FAILED', 'DELETED');
  `);
}

// As exact as the records tell: the end of a verification is its last change or deletion, and a file that was replaced
// was refused before the next one was submitted.
const FILL = `
    update verification_files f set refused_at = v.updated_at from verifications v
    where v.id = f.verification_id and f.state = 'STORED' and f.kind = 'VISUAL_PROOF' and v.flow = 'VISUAL_PROOF'
      and v.status in ('DECLINED', 'FAILED', 'DELETED')
      and (v.status <> 'DELETED' or v.verified_at is null or v.failure_code is not null);
    update verification_files f set refused_at = case
        when f.created_at < (s ->> 'submittedAt')::timestamptz - interval '1 hour' then (s ->> 'submittedAt')::timestamptz
        else coalesce((s ->> 'reviewedAt')::timestamptz, v.updated_at) end
    from verifications v cross join lateral jsonb_array_elements(v.steps) s
    where v.id = f.verification_id and f.state = 'STORED' and s ->> 'kind' = f.kind
      and (s ->> 'status' in ('DECLINED', 'FAILED')
        or f.kind = 'SELFIE' and s ->> 'status' = 'VERIFIED'
        or s ->> 'status' <> 'VERIFIED' and v.status in ('DECLINED', 'FAILED', 'DELETED')
        or f.created_at < (s ->> 'submittedAt')::timestamptz - interval '1 hour');`;
