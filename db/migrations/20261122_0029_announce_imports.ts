// Why: an import of wallets announces them after it has written them, in transactions of its own, so that it locks few
// destinations at a time. written_at is the confirmed_at of these wallets: whoever continues the import after a crash
// neither writes nor counts again, and finds by it what is to be announced. The file is not needed any more then.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table wallet_imports add column written_at timestamptz(3)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table wallet_imports drop column written_at');
}
