// Why: a verification that failed, was declined or revoked must not look like a wallet of low risk, the satoshi tests of one
// wallet are counted, and the files of refused proofs are also found once their verification was deleted.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    update verifications set risk_score = greatest(risk_score, case when failure_code = 'EXPIRED' then 60 else 80 end)
    where status in ('FAILED', 'DECLINED');
    create index satoshi_watches_wallet on satoshi_watches (tenant_id, chain, sender, armed_from);
    drop index verifications_refused_files, verifications_steps;
    create index verifications_refused_files on verifications (updated_at)
      where flow = 'VISUAL_PROOF' and status in ('DECLINED', 'FAILED', 'DELETED');
    create index verifications_steps on verifications using gin (steps jsonb_path_ops) where steps <> '[]';
  `);
}

// The scores stay: a version before computes them anew only when it changes a verification.
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index verifications_refused_files, verifications_steps;
    create index verifications_steps on verifications using gin (steps jsonb_path_ops)
      where steps <> '[]' and deleted_at is null;
    create index verifications_refused_files on verifications (updated_at)
      where flow = 'VISUAL_PROOF' and status in ('DECLINED', 'FAILED');
    drop index satoshi_watches_wallet;
  `);
}
