// Why: the day of a customer with 50,000 transfers was summed up from 50,000 rows, for each of them. What changes in a quarter of an
// hour is noted by the database itself, whoever writes: the version before runs on this schema, and its writes count too.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(SUMS);
  await knex.raw(FUNCTION);
  await knex.raw(TRIGGERS);
  // After the triggers, which wait for all who write: nothing that is created from then on is missing. An hour for clocks that differ.
  await knex.raw(`
    alter table deployment add column customer_sums_since timestamptz(3) not null default '-infinity';
    update deployment set customer_sums_since = clock_timestamp() + interval '1 hour' where exists (select from transactions)`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table deployment drop column customer_sums_since;
    drop trigger transactions_summed_new on transactions;
    drop trigger transactions_summed_changed on transactions;
    drop trigger transactions_summed_removed on transactions;
    drop function note_customer_sum();
    drop table customer_sums`);
}

// Rows are only added, so that no writer waits for another, and what a quarter holds is the sum of its rows. The second index is one
// that the reading of a customer's day cannot take: of a very hot one PostgreSQL would read the day of all customers.
const SUMS = `
  create table customer_sums (
    tenant_id uuid not null,
    subject_token bigint not null,
    direction text not null,
    quarter timestamptz(3) not null,
    count int not null,
    unpriced int not null,
    eur numeric not null
  ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
  create index customer_sums_customer on customer_sums (tenant_id, subject_token, direction, quarter);
  create index customer_sums_tidied on customer_sums ((quarter at time zone 'UTC'));
`;

const QUARTER = (row: string) => `date_bin('15 minutes', ${row}.created_at, timestamptz '2000-01-01 00:00Z')`;

// A token that goes leaves no row behind in which it stands: the rows of its quarter become one, or none when nothing is left of
// them. Rows that others hold stay for later. With the rights of the owner, and so with full names and a fixed path, on which no caller can put
// functions of its own: the version before must not fail until rights are given.
const FUNCTION = `
  create function note_customer_sum() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
  declare
    kept_from timestamptz := now() - interval '3 days';
    counted boolean := tg_op <> 'INSERT' and ${countsSql('old')};
    counts boolean := tg_op <> 'DELETE' and ${countsSql('new')};
    is_gone boolean := tg_op = 'DELETE' or (tg_op = 'UPDATE' and new.subject_token is distinct from old.subject_token);
  begin
    if is_gone and old.subject_token is not null and old.created_at > kept_from then
      with gone as (
        delete from public.customer_sums where ctid = any(array(
          select ctid from public.customer_sums
          where tenant_id = old.tenant_id and subject_token = old.subject_token and direction = old.direction
            and quarter = ${QUARTER('old')} for update skip locked))
        returning count, unpriced, eur
      ), changed as (
        select count, unpriced, eur from gone
        union all
        select -1, -(old.amount_eur is null)::int, -coalesce(old.amount_eur, 0) where counted
      )
      insert into public.customer_sums
      select old.tenant_id, old.subject_token, old.direction, ${QUARTER('old')}, sum(count), sum(unpriced), sum(eur) from changed
      having sum(count) <> 0 or sum(unpriced) <> 0 or sum(eur) <> 0;
    elsif counted and old.created_at > kept_from then
      insert into public.customer_sums
      values (old.tenant_id, old.subject_token, old.direction, ${QUARTER('old')},
        -1, -(old.amount_eur is null)::int, -coalesce(old.amount_eur, 0));
    end if;
    if counts and new.created_at > kept_from then
      insert into public.customer_sums
      values (new.tenant_id, new.subject_token, new.direction, ${QUARTER('new')},
        1, (new.amount_eur is null)::int, coalesce(new.amount_eur, 0));
    end if;
    return null;
  end $$;
`;

const TRIGGERS = `
  create trigger transactions_summed_new after insert on transactions for each row
    when (new.subject_token is not null) execute function note_customer_sum();
  create trigger transactions_summed_changed after update on transactions for each row
    when ((${changedSql('old')}) is distinct from (${changedSql('new')}))
    execute function note_customer_sum();
  create trigger transactions_summed_removed after delete on transactions for each row
    when (old.subject_token is not null) execute function note_customer_sum();
`;

/** Everything that a sum depends on. */
function changedSql(row: string): string {
  const columns = ['tenant_id', 'subject_token', 'direction', 'created_at', 'amount_eur'];
  return [...columns.map((column) => `${row}.${column}`), countsSql(row)].join(', ');
}

function countsSql(row: string): string {
  return `(${row}.subject_token is not null and ${row}.deleted_at is null
    and (not ${row}.sealed or ${row}.release_id is not null)
    and ${row}.status not in ('CANCELLED', 'DECLINED', 'FAILED'))`;
}
