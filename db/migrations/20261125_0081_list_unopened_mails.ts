// Why: messages whose mail nobody has opened, and those whose VASP is not reached, are listed as unanswered without reading the
// others that have not left. The version before runs on this schema.
import type { Knex } from 'knex';
import { indexesSql, type OnlineIndex } from '../online-indexes.ts';

export const online: readonly OnlineIndex[] = [
  {
    name: 'transactions_undelivered',
    definition: `on transactions (tenant_id, created_at)
      where status = 'PENDING' and routing_fault in ('VASP_NOT_REACHABLE', 'EMAIL_SENT') and deleted_at is null`,
  },
];

export async function up(knex: Knex): Promise<void> {
  await knex.raw(indexesSql(online));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index transactions_undelivered');
}
