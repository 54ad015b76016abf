// Why: a tenant that leaves is erased as a whole, planned ahead and by two operators; what was done stays on record. The version
// before runs on this schema as long as no erasure is under way.
import type { Knex } from 'knex';

// reason is sealed with the keys of the operators, since the tenant's own are destroyed. under_retention and legal_holds are what
// the last person or run to count has found. erased_at of a tenant: from then on it is gone for everybody, while its data is
// being removed; since keys_destroyed_at nobody can open what may be left, in backups neither.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table tenant_erasures (
      id uuid primary key,
      tenant_id uuid not null references tenants,
      state text not null check (state in ('PLANNED', 'APPROVED', 'RUNNING', 'ERASED', 'CALLED_OFF', 'REFUSED')),
      reason bytea not null,
      overrides boolean not null,
      planned_for timestamptz(3) not null,
      planned_by text not null,
      planned_at timestamptz(3) not null,
      approved_by text,
      approved_at timestamptz(3),
      called_off_by text,
      called_off_at timestamptz(3),
      under_retention int not null,
      legal_holds int not null,
      started_at timestamptz(3),
      finished_at timestamptz(3),
      erased_transactions int not null default 0,
      erased_claims int not null default 0,
      erased_verifications int not null default 0,
      wake_at timestamptz(3),
      check ((approved_by is null) = (approved_at is null)),
      check (approved_by is null or approved_by <> planned_by)
    );
    create unique index tenant_erasures_open on tenant_erasures (tenant_id)
      where state in ('PLANNED', 'APPROVED', 'RUNNING');
    create index tenant_erasures_newest on tenant_erasures (planned_at desc, id desc);
    create index tenant_erasures_wake on tenant_erasures (wake_at) where wake_at is not null;
    alter table tenants add column erased_at timestamptz(3), add column keys_destroyed_at timestamptz(3),
      drop constraint tenants_gateway_stands,
      add constraint tenants_gateway_stands check (erased_at is not null or (${STANDS}));
  `);
}

// Erased tenants lack an entity and a secret, which the version before does not expect: it cannot come back once there is one.
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table tenants drop constraint tenants_gateway_stands, add constraint tenants_gateway_stands check (${STANDS}),
      drop column erased_at, drop column keys_destroyed_at;
    drop table tenant_erasures;
  `);
}

const STANDS =
  '(gateway is null) = (entity_id is not null) and (gateway is null) = (webhook_secret is not null)';
