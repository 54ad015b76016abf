// Why: files of wallets are imported by the worker, so they wait here in sealed pieces; and an effect that does more than
// one statement holds its Idempotency-Key by a lease.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(IMPORTS);
  await knex.raw('alter table idempotency_keys add column leased_until timestamptz(3)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from idempotency_keys where leased_until is not null;
    alter table idempotency_keys drop column leased_until;
    drop table wallet_import_chunks, wallet_imports;
  `);
}

// told_at: somebody was answered with the result; until then a repeat of the file gets it. Pieces are encrypted, so
// there is nothing to compress.
const IMPORTS = `
  create table wallet_imports (
    id uuid primary key,
    tenant_id uuid not null references tenants,
    sha256 bytea not null,
    state text not null check (state in ('RUNNING', 'DONE', 'INVALID', 'FAILED')),
    chunks int not null,
    total int, created int, confirmed int, skipped int, duration_ms int,
    faults bytea,
    created_at timestamptz(3) not null,
    finished_at timestamptz(3),
    told_at timestamptz(3)
  );
  create unique index wallet_imports_running on wallet_imports (tenant_id, sha256) where state = 'RUNNING';
  create index wallet_imports_file on wallet_imports (tenant_id, sha256, created_at);
  create index wallet_imports_age on wallet_imports (finished_at);
  create table wallet_import_chunks (
    tenant_id uuid not null references tenants,
    import_id uuid not null,
    sequence int not null,
    content bytea not null,
    created_at timestamptz(3) not null,
    primary key (import_id, sequence)
  );
  alter table wallet_import_chunks alter column content set storage external;
  create index wallet_import_chunks_age on wallet_import_chunks (created_at);
`;
