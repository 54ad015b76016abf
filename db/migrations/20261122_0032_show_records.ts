// Why: the kept answer to a request that registered a wallet or suppressed a match is no longer given once that was
// deleted. The version before runs on this schema.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table idempotency_keys
      add column shown_kind text check (shown_kind in ('WALLET', 'SUPPRESSION')),
      add column shown_id text
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table idempotency_keys drop column shown_kind, drop column shown_id');
}
