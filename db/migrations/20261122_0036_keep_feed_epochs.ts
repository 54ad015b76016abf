// Why: a cluster counts its transactions anew. After a restore into another one, events of before were hidden from the
// change feed until its counter had passed theirs, and new ones sorted before every cursor.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(EPOCHS);
  await knex.raw(EVENTS);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create index events_feed on events (tenant_id, xid, position);
    drop index events_in_order;
    alter table events drop column epoch;
    drop function present_feed_epoch(), take_feed_epoch();
    drop table feed_epochs;
  `);
}

// An epoch ends when an event is written in a cluster with another identifier, also one that has had an epoch before.
// take_feed_epoch begins it: two writers at once wait for each other at the key. present_feed_epoch is for readers: when
// nothing was written since a restore, every event is of an earlier epoch.
const EPOCHS = `
  create table feed_epochs (
    epoch int primary key,
    system_identifier bigint not null,
    begun_at timestamptz(3) not null default now()
  );
  create function take_feed_epoch() returns int language plpgsql volatile as $$
    declare
      here constant bigint := (select system_identifier from pg_control_system());
      latest feed_epochs;
    begin
      select * into latest from feed_epochs order by epoch desc limit 1;
      if latest.system_identifier = here then return latest.epoch; end if;
      insert into feed_epochs (epoch, system_identifier) values (coalesce(latest.epoch, 0) + 1, here)
        on conflict do nothing;
      return (select max(epoch) from feed_epochs);
    end $$;
  create function present_feed_epoch() returns int language sql stable as $$
    select case when latest.system_identifier = here.system_identifier then latest.epoch
      else coalesce(latest.epoch, 0) + 1 end
    from pg_control_system() here
    left join (select epoch, system_identifier from feed_epochs order by epoch desc limit 1) latest on true
  $$;
`;

// Events of before have epoch 0, wherever they were written: their order is known, and all of them have ended.
const EVENTS = `
  alter table events add column epoch int not null default 0;
  alter table events alter column epoch set default take_feed_epoch();
  create index events_in_order on events (tenant_id, epoch, xid, position);
  drop index events_feed;
`;
