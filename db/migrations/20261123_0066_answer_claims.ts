// Why: a counterparty may have a time of its own to answer claims, and what waits for an answer of a person is listed.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table counterparties add column claim_deadline_days int check (claim_deadline_days between 1 and 30);
    create index claims_to_answer on claims (tenant_id, created_at)
      where direction = 'INCOMING' and status = 'DELIVERED' and transaction_id is null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index claims_to_answer;
    alter table counterparties drop column claim_deadline_days;
  `);
}
