// Why: records are erased once nobody has to keep them, unless a legal hold says otherwise. The version before runs on this
// schema; erased records are deleted ones to it.
import type { Knex } from 'knex';
import { indexesSql, type OnlineIndex } from '../online-indexes.ts';

export const online: readonly OnlineIndex[] = ['transactions', 'verifications'].map((table) => ({
  name: `${table}_kept`,
  definition: `on ${table} (created_at, id) where erased_at is null`,
  column: { table, name: 'erased_at', type: 'timestamptz(3)' },
}));

export async function up(knex: Knex): Promise<void> {
  await knex.raw(indexesSql(online));
  await knex.raw('alter table transactions add column legal_hold_at timestamptz(3)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table verifications drop column erased_at;
    alter table transactions drop column legal_hold_at, drop column erased_at;
  `);
}
