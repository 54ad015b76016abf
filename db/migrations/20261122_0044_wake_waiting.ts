// Why: a transfer that a rule lets wait is decided again when its counterparty joins the network or changes, so the indexes
// that find messages without a receiver hold these transfers, too. The version before runs on this schema.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`${indexes(`sub_status in ('VASP_NOT_FOUND', 'WAITING')`)}
    create index transactions_waiting_counterparty on transactions (counterparty_entity_id)
      where sub_status = 'WAITING'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`${indexes(`sub_status = 'VASP_NOT_FOUND'`)}
    drop index transactions_waiting_counterparty`);
}

const indexes = (where: string) => `
  drop index transactions_unrouted_destination, transactions_unrouted_vasp;
  create index transactions_unrouted_destination on transactions (destination_normal) where ${where};
  create index transactions_unrouted_vasp on transactions (beneficiary_vasp_folded) where ${where};`;
