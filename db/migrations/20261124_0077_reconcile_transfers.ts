// Why: transactions without a hash and deposits without a message are found and listed without reading the others; what was
// found is announced once. The version before runs on this schema.
import type { Knex } from 'knex';
import { indexesSql, type OnlineIndex } from '../online-indexes.ts';

export const online: readonly OnlineIndex[] = [
  {
    name: 'transactions_hashless',
    definition: `on transactions (tenant_id, created_at)
      where status = 'CONFIRMED' and transaction_hash is null and deleted_at is null`,
  },
  {
    name: 'transactions_messageless',
    definition: `on transactions (tenant_id, created_at)
      where direction = 'INCOMING' and message_source = 'MANUAL' and pair_id is null and origin_type = 'CUSTODIAL'
        and related_transaction_id is null and status in ('PENDING', 'CONFIRMED') and deleted_at is null`,
  },
  {
    name: 'claims_of_record',
    definition: `on claims (tenant_id, transaction_id, created_at desc)
      where direction = 'OUTGOING' and transaction_id is not null`,
  },
];

// A finding says that something was announced. What is open now is read from the records.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(indexesSql(online));
  await knex.raw(`
    create table reconciliation_findings (
      transaction_id uuid not null references transactions,
      kind text not null check (kind in ('HASH_MISSING', 'ANSWER_MISSING', 'MESSAGE_MISSING')),
      tenant_id uuid not null references tenants,
      found_at timestamptz(3) not null,
      primary key (transaction_id, kind)
    );
    create index reconciliation_findings_newest on reconciliation_findings (tenant_id, found_at desc);
    alter table tenants add column reconciled_at timestamptz(3);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table tenants drop column reconciled_at;
    drop table reconciliation_findings;
    drop index claims_of_record, transactions_messageless, transactions_hashless;
  `);
}
