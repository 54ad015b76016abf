// Why: a tenant with many deposit addresses is asked whether an address is its own, instead of registering all of them. Answers
// are kept for a day; an address that is its own becomes a wallet. The version before runs on this schema.
import type { Knex } from 'knex';

const sources = (words: string) => `
  alter table wallets drop constraint wallets_source_check,
    add constraint wallets_source_check check (source in (${words})) not valid;`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `
    alter table tenants add column answers_route boolean not null default false;
    create index tenants_asked on tenants (id) where settings ? 'addressQuestionUrl'::text;
    create table address_answers (
      tenant_id uuid not null references tenants,
      address_normal text not null,
      blockchain_key text not null,
      tag text not null,
      is_own boolean not null,
      fault text,
      answered_at timestamptz(3) not null,
      primary key (tenant_id, address_normal, blockchain_key, tag)
    );
    create index address_answers_age on address_answers (answered_at);
    ${sources(`'MANUAL', 'CSV', 'DETECTED', 'ANSWERED'`)}
  `.replaceAll('?', '\\?'),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    update wallets set source = 'MANUAL' where source = 'ANSWERED';
    ${sources(`'MANUAL', 'CSV', 'DETECTED'`)}
    drop table address_answers;
    drop index tenants_asked;
    alter table tenants drop column answers_route;
  `);
}
