// Why: people are invited and set their password by a link that only their mailbox gets.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table mails (
      id uuid primary key,
      tenant_id uuid not null references tenants,
      kind text not null check (kind in ('INVITATION', 'PASSWORD_RESET')),
      content bytea,
      status text not null check (status in ('PENDING', 'SENT', 'FAILED', 'KEPT')),
      error text,
      attempts int not null default 0,
      created_at timestamptz(3) not null,
      wake_at timestamptz(3),
      check ((status = 'PENDING') = (wake_at is not null)),
      check (status not in ('PENDING', 'KEPT') or content is not null)
    );
    create index mails_wake on mails (wake_at, id) where wake_at is not null;
    create index mails_created on mails (created_at);

    create table user_links (
      hash bytea primary key,
      tenant_id uuid not null references tenants,
      user_id uuid not null references users,
      purpose text not null check (purpose in ('INVITATION', 'PASSWORD_RESET')),
      created_at timestamptz(3) not null,
      expires_at timestamptz(3) not null,
      used_at timestamptz(3)
    );
    create index user_links_user on user_links (user_id) where used_at is null;
    create index user_links_expiry on user_links (expires_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table user_links, mails');
}
