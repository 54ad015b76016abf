const SLOTS = 16;

/**
 * SQL: a CTE that counts one outcome of a delivery for every row of the CTE `moved`; `outcome` is SQL. The count is
 * in the database so that it survives restarts and covers all workers.
 */
export function countOutcome(outcome: string): string {
  return `counted as (
    insert into webhook_outcomes (slot, outcome, total)
    select floor(random() * ${SLOTS}), ${outcome}, 1 from moved
    on conflict (slot, outcome) do update set total = webhook_outcomes.total + 1
  )`;
}
