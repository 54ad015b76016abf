// Why: a tenant records what it did about a counterparty that does not send the data that the law demands, what became of the
// coins that came without it, and that coins went without an answer. The version before runs on this schema.
import type { Knex } from 'knex';
import { indexesSql, type OnlineIndex } from '../online-indexes.ts';

export const online: readonly OnlineIndex[] = [
  {
    name: 'transactions_answered',
    definition: `on transactions (tenant_id, counterparty_entity_id, created_at desc) include (pair_id)
      where direction = 'OUTGOING' and status in ('CONFIRMED', 'DECLINED') and pair_id is not null and deleted_at is null`,
  },
  {
    name: 'claims_unanswered',
    definition: `on claims (tenant_id, originator_vasp_entity_id) include (updated_at)
      where direction = 'OUTGOING' and status in ('DECLINED', 'EXPIRED') and originator_vasp_entity_id is not null`,
  },
  // Without a row at first, but all transactions are read to find none.
  {
    name: 'transactions_disposed',
    definition: `on transactions (tenant_id, counterparty_entity_id) include (assets_disposition)
      where assets_disposition is not null and deleted_at is null`,
    column: { table: 'transactions', name: 'assets_disposition', type: 'text' },
  },
];

// The note of a step is sealed with the keys of the tenant.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(indexesSql(online));
  await knex.raw(`
    alter table transactions
      add constraint transactions_assets_disposition_check
        check (assets_disposition in ('CREDITED', 'SUSPENDED', 'RETURNED', 'REJECTED')) not valid,
      add column return_transaction_hash text,
      add column sunrise_override_at timestamptz(3);
    create table counterparty_steps (
      id uuid primary key,
      tenant_id uuid not null references tenants,
      entity_id uuid not null references entities,
      kind text not null check (kind in ('WARNED', 'RESTRICTED', 'TERMINATED', 'REPORTED')),
      taken_at timestamptz(3) not null,
      note bytea,
      user_id uuid,
      api_key_id uuid,
      created_at timestamptz(3) not null
    );
    create index counterparty_steps_taken on counterparty_steps (tenant_id, entity_id, taken_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table counterparty_steps;
    drop index claims_unanswered, transactions_disposed, transactions_answered;
    alter table transactions drop column assets_disposition, drop column return_transaction_hash,
      drop column sunrise_override_at;
  `);
}
