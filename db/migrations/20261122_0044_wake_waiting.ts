// Why: a transfer that a rule lets wait is decided again when its counterparty joins the network or changes, so the indexes
// that find messages without a receiver hold these transfers, too. The version before runs on this schema.
import type { Knex } from 'knex';
import { indexesSql, type OnlineIndex } from '../online-indexes.ts';

const UNROUTED = {
  transactions_unrouted_destination: 'destination_normal',
  transactions_unrouted_vasp: 'beneficiary_vasp_folded',
};

const WAITING = `where sub_status in ('VASP_NOT_FOUND', 'WAITING')`;
/** The indexes that replace others have a name of their own until those are gone. */
const next = (name: string) => `${name}_next`;

export const online: readonly OnlineIndex[] = [
  ...Object.entries(UNROUTED).map(([name, column]) => ({
    name: next(name),
    definition: `on transactions (${column}) ${WAITING}`,
  })),
  {
    name: 'transactions_waiting_counterparty',
    definition: `on transactions (counterparty_entity_id) where sub_status = 'WAITING'`,
  },
];

export async function up(knex: Knex): Promise<void> {
  // Reads of the table wait from the first removal to the end of all migrations, so the indexes are there before.
  await knex.raw(indexesSql(online));
  for (const name of Object.keys(UNROUTED)) {
    await knex.raw(`drop index ${name}; alter index ${next(name)} rename to ${name}`);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const [name, column] of Object.entries(UNROUTED)) {
    await knex.raw(`drop index ${name};
      create index ${name} on transactions (${column}) where sub_status = 'VASP_NOT_FOUND'`);
  }
  await knex.raw('drop index transactions_waiting_counterparty');
}
