// Why: photographs, films and documents prove wallets too; they lie in the storage, and here is what is known of them.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(FILES);
  await knex.raw(ANALYSES);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index verifications_refused_files; drop table selfie_analyses, verification_files;');
}

// details (name, type, length, hash) is sealed with the verification's key, as the object itself is. content_code is a
// keyed hash of the deployment: the same content is recognised without being known. A row is made before its object and
// removed after it, so that no object is ever without one. Files of one form have one time, and their place in it.
const FILES = `
  create table verification_files (
    id uuid primary key,
    tenant_id uuid not null references tenants,
    verification_id uuid not null references verifications,
    kind text not null check (kind in ('VISUAL_PROOF', 'SOURCE_OF_FUNDS_WEALTH', 'SELFIE')),
    state text not null check (state in ('ARRIVING', 'STORED', 'REMOVING')),
    object_key text not null,
    place int not null,
    details bytea,
    content_code bytea,
    created_at timestamptz(3) not null
  );
  create index verification_files_verification on verification_files (verification_id, created_at);
  create index verification_files_content on verification_files (content_code, created_at);
  create index verification_files_state on verification_files (state, created_at) where state <> 'STORED';
  create index verification_files_selfies on verification_files (created_at)
    where state = 'STORED' and kind = 'SELFIE';
  create index verifications_refused_files on verifications (updated_at)
    where flow = 'VISUAL_PROOF' and status in ('DECLINED', 'FAILED');
`;

// The id is that of the verification; the row is there while its selfie waits to be analysed.
const ANALYSES = `
  create table selfie_analyses (
    id uuid primary key references verifications,
    tenant_id uuid not null references tenants,
    wake_at timestamptz(3) not null
  );
  create index selfie_analyses_wake on selfie_analyses (wake_at);
`;
