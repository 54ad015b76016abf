// Why: a verification that failed, was declined or revoked must not look like a wallet of low risk. The satoshi tests of one
// wallet are counted, and none at an address that two tenants registered is a source of reuse. The files of refused proofs
// are also found once their verification was deleted.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    update verifications set risk_score = greatest(risk_score, case when failure_code = 'EXPIRED' then 60 else 80 end)
    where status in ('FAILED', 'DECLINED');
    update verifications v set is_satoshi_chosen = true
    where not is_satoshi_chosen and exists (select from wallets w
        where w.address_normal = v.satoshi_deposit_normal and w.blockchain_key = v.blockchain_key
          and w.tenant_id <> v.tenant_id and w.status = 'CONFIRMED' and w.source <> 'DETECTED')
      and not exists (select from attested_addresses a
        where a.address_normal = v.satoshi_deposit_normal and a.blockchain_key = v.blockchain_key
          and a.tenant_id = v.tenant_id);
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
