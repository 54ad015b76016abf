// Why: each tenant has one rule policy per direction, whose published versions never change; decisions are kept with what
// they were made from, so that each can be shown, replayed and tried out again under other rules.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(CONFIGURATIONS);
  await knex.raw(DECISIONS);
  await knex.raw(BACKTESTS);
  await knex.raw(FILL);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table rule_backtest_changes, rule_backtests, rule_decisions, rule_versions, rule_configurations;
    drop function refuse_rule_version_change();
  `);
}

// Rules carry names, reasons and ids of counterparties: sealed by the tenant's key. A draft that nobody has touched is
// null and stands for the default of its direction.
const CONFIGURATIONS = `
  create table rule_configurations (
    id uuid primary key,
    tenant_id uuid not null references tenants,
    direction text not null check (direction in ('OUTGOING', 'INCOMING')),
    draft bytea,
    draft_revision int not null default 1,
    draft_updated_at timestamptz(3) not null,
    draft_by_kind text,
    draft_by uuid,
    published_version int not null default 0,
    created_at timestamptz(3) not null,
    unique (tenant_id, direction)
  );
  create table rule_versions (
    configuration_id uuid not null references rule_configurations,
    version int not null check (version > 0),
    tenant_id uuid not null,
    content bytea not null,
    content_hash bytea not null,
    comment bytea not null,
    rule_count int not null,
    published_by_kind text not null,
    published_by uuid not null,
    published_at timestamptz(3) not null,
    primary key (configuration_id, version)
  );
  create function refuse_rule_version_change() returns trigger language plpgsql as $$
    begin raise exception 'published rules are immutable'; end $$;
  create trigger rule_versions_immutable before update or delete on rule_versions
    for each row execute function refuse_rule_version_change();
  create trigger rule_versions_kept before truncate on rule_versions
    execute function refuse_rule_version_change();
`;

// facts and trace are sealed by the key of the transaction: erasing the record erases them. Version 0 is the default of the
// direction, before anything was published.
const DECISIONS = `
  create table rule_decisions (
    id uuid primary key,
    tenant_id uuid not null,
    transaction_id uuid not null references transactions,
    sequence int not null,
    direction text not null check (direction in ('OUTGOING', 'INCOMING')),
    configuration_id uuid not null,
    version int not null,
    decision text not null check (decision in ('PROCEED', 'WAIT', 'REVIEW', 'BLOCK')),
    decided_by text not null,
    rests_on_sanctions boolean not null,
    wait_until timestamptz(3),
    spent text[] not null,
    facts bytea not null,
    trace bytea not null,
    created_at timestamptz(3) not null,
    unique (transaction_id, sequence)
  );
  create index rule_decisions_time on rule_decisions (configuration_id, created_at, id);
`;

// One row is the whole state of a back-test: whoever works on it goes on behind (cursor_at, cursor_id). wake_at is null when
// it has ended. The rules that are tried are sealed by the tenant's key, the traces by those of the transactions.
const BACKTESTS = `
  create table rule_backtests (
    id uuid primary key,
    tenant_id uuid not null references tenants,
    configuration_id uuid not null references rule_configurations,
    status text not null check (status in ('RUNNING', 'COMPLETED', 'CANCELLED', 'FAILED')),
    source text not null check (source in ('DRAFT', 'PUBLISHED', 'GIVEN')),
    version int,
    revision int,
    content bytea not null,
    content_hash bytea not null,
    from_at timestamptz(3) not null,
    to_at timestamptz(3) not null,
    total int,
    processed int not null default 0,
    changed int not null default 0,
    counts jsonb not null default '{}',
    rule_hits jsonb not null default '{}',
    cursor_at timestamptz(3),
    cursor_id uuid,
    wake_at timestamptz(3),
    created_at timestamptz(3) not null,
    finished_at timestamptz(3)
  );
  create unique index rule_backtests_running on rule_backtests (tenant_id) where wake_at is not null;
  create index rule_backtests_newest on rule_backtests (configuration_id, created_at desc, id desc);
  create index rule_backtests_wake on rule_backtests (wake_at) where wake_at is not null;
  create table rule_backtest_changes (
    backtest_id uuid not null references rule_backtests on delete cascade,
    place int not null,
    tenant_id uuid not null,
    transaction_id uuid not null,
    decision_id uuid not null references rule_decisions on delete cascade,
    decision text not null,
    decided_by text not null,
    trace bytea not null,
    primary key (backtest_id, place)
  );
  create index rule_backtest_changes_decision on rule_backtest_changes (decision_id);
`;

// New tenants get theirs with the tenant.
const FILL = `
  insert into rule_configurations (id, tenant_id, direction, draft_updated_at, created_at)
  select gen_random_uuid(), t.id, d.direction, now(), now()
  from tenants t cross join (values ('OUTGOING'), ('INCOMING')) d (direction)
`;
