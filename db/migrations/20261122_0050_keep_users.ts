// Why: people act for a tenant beside its keys. They sign in, and each sign-in is a session that can be ended.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table users (
      id uuid primary key,
      tenant_id uuid not null references tenants,
      email_hash bytea not null unique,
      personal bytea not null,
      role text not null check (role in ('ADMIN', 'COMPLIANCE', 'AUDITOR', 'OBSERVER')),
      password_hash text,
      expires_at timestamptz(3),
      disabled_at timestamptz(3),
      last_sign_in_at timestamptz(3),
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      check ((role = 'AUDITOR') = (expires_at is not null))
    );
    create index users_tenant on users (tenant_id, created_at desc, id desc);

    create table user_sessions (
      id uuid primary key,
      tenant_id uuid not null references tenants,
      user_id uuid not null references users,
      refresh_hash bytea not null,
      previous_refresh_hash bytea,
      successor bytea,
      refreshed_at timestamptz(3) not null,
      created_at timestamptz(3) not null,
      expires_at timestamptz(3) not null,
      ended_at timestamptz(3)
    );
    create index user_sessions_user on user_sessions (user_id) where ended_at is null;
    create index user_sessions_expiry on user_sessions (expires_at);

    -- By a keyed hash of purpose, account and address, so that none of them can be read.
    create table counted_tries (
      hash bytea primary key,
      count int not null,
      since timestamptz(3) not null
    );
    create index counted_tries_since on counted_tries (since);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table counted_tries, user_sessions, users');
}
