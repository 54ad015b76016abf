import type { Queryable } from '../postgres.ts';

/** Fewer rows of one customer and quarter are as quickly read as made one. */
const MANY = 8;
/** Small enough that no statement holds its locks for long. */
const FOLDED = 100;
const REMOVED = 5_000;

// Quarters that are over; what is not folded within the hour is read row by row, and is removed like the others. Rows that another
// process has are left to it. Each row goes in the statement that adds it to the sum, so that every reader finds the same sum.
const FOLD = `
  with many as (
    select tenant_id, subject_token, direction, quarter from customer_sums
    where quarter at time zone 'UTC' > (now() - interval '75 minutes') at time zone 'UTC'
      and quarter at time zone 'UTC' <= (now() - interval '15 minutes') at time zone 'UTC'
    group by tenant_id, subject_token, direction, quarter having count(*) > $1 limit $2
  ), gone as (
    delete from customer_sums where ctid = any(array(
      select s.place from many cross join lateral (
        select c.ctid as place from customer_sums c
        where c.tenant_id = many.tenant_id and c.subject_token = many.subject_token and c.direction = many.direction
          and c.quarter = many.quarter
        for update skip locked
      ) s))
    returning tenant_id, subject_token, direction, quarter, count, unpriced, eur
  ), folded as (
    insert into customer_sums (tenant_id, subject_token, direction, quarter, count, unpriced, eur)
    select tenant_id, subject_token, direction, quarter, sum(count), sum(unpriced), sum(eur) from gone
    group by tenant_id, subject_token, direction, quarter
    having sum(count) <> 0 or sum(unpriced) <> 0 or sum(eur) <> 0
  )
  select count(*)::int as count from many`;

// The triggers note nothing that is older, and rules are not decided by what is older than two days.
const REMOVE = `
  delete from customer_sums where ctid = any(array(
    select ctid from customer_sums where quarter at time zone 'UTC' < (now() - interval '3 days') at time zone 'UTC'
    order by quarter at time zone 'UTC' limit $1 for update skip locked))`;

/**
 * Makes one of the many rows that a customer has of a quarter of an hour, and removes what no sum is read from any more. True
 * when there may be more.
 */
export async function tidyCustomerSums(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ count: number }>(FOLD, [MANY, FOLDED]);
  const { rowCount } = await db.query(REMOVE, [REMOVED]);
  return rows[0]?.count === FOLDED || rowCount === REMOVED;
}
