// Why: a message may go another way after its inquiry was sent by TRP. The VASP that may have that inquiry is told that nothing
// comes, once it has named where. The version before runs on this schema: it writes over the inquiry before.
import type { Knex } from 'knex';
import { indexesSql, type OnlineIndex } from '../online-indexes.ts';

export const online: readonly OnlineIndex[] = [
  {
    name: 'trp_transfers_replaced',
    definition: 'on trp_transfers (replaced_for) where replaced_for is not null',
    column: { table: 'trp_transfers', name: 'replaced_for', type: 'uuid' },
  },
];

// replaced_for is the outgoing record of a message that goes another way now; sent_id is then of no record.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(indexesSql(online));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from outbox where workflow = 'trpNotice'
      and subject_id in (select id from trp_transfers where replaced_for is not null);
    delete from trp_transfers where replaced_for is not null;
    alter table trp_transfers drop column replaced_for`);
}
