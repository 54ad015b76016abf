// Why: a claim to a VASP on no network goes by e-mail, too: a link leads to a message or to a claim. The version before runs on
// this schema, as long as nobody opens the link of a claim there.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table portal_links alter column transaction_id drop not null, add column claim_id uuid,
      add constraint portal_links_subject check (num_nonnulls(transaction_id, claim_id) = 1);
    create index portal_links_claim on portal_links (claim_id, created_at desc) where claim_id is not null;
    create unique index portal_links_current_claim on portal_links (claim_id) where ended_at is null and claim_id is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from portal_links where claim_id is not null;
    drop index portal_links_claim, portal_links_current_claim;
    alter table portal_links drop constraint portal_links_subject, drop column claim_id, alter column transaction_id set not null;
  `);
}
