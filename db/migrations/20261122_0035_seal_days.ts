// Why: what a tenant was shown of its log each day, signed, cannot be taken back by whoever has the database.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table event_seals (
      tenant_id uuid not null references tenants,
      day date not null,
      jws text not null,
      created_at timestamptz(3) not null,
      primary key (tenant_id, day)
    );
    create function refuse_seal_change() returns trigger language plpgsql as $$
      begin raise exception 'seals are immutable'; end $$;
    create trigger event_seals_immutable before update or delete on event_seals
      for each row execute function refuse_seal_change();
    create trigger event_seals_kept before truncate on event_seals execute function refuse_seal_change();
    create index events_day on events using brin (created_at) with (autosummarize = on);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index events_day;
    drop table event_seals;
    drop function refuse_seal_change();
  `);
}
