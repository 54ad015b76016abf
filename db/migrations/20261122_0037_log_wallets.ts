// Why: the change feed said nothing of wallets.
import type { Knex } from 'knex';

// Records without an event log of their own; the number of an entry comes from the sequence of the events, so that the
// places of both are in one order.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table feed_entries (
      tenant_id uuid not null,
      epoch int not null default take_feed_epoch(),
      xid xid8 not null default pg_current_xact_id(),
      position bigint not null default nextval('events_position_seq'),
      subject_kind text not null,
      subject_id text not null,
      version int not null,
      type text not null,
      created_at timestamptz(3) not null,
      primary key (tenant_id, epoch, xid, position)
    );
    alter table wallets add column version int not null default 1;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table wallets drop column version; drop table feed_entries');
}
