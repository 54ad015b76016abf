import type pg from 'pg';

interface Index {
  name: string;
  definition: string;
}

/** Drops a table's indexes, except those of constraints, runs the work and creates the same indexes again. */
export async function withoutIndexes(
  client: pg.Client,
  table: string,
  work: () => Promise<void>,
): Promise<void> {
  const { rows } = await client.query<Index>(
    `select indexname as name, indexdef as definition from pg_indexes
     where schemaname = 'public' and tablename = $1
       and not exists (select from pg_constraint where conindid = format('%I.%I', schemaname, indexname)::regclass)`,
    [table],
  );
  for (const { name } of rows) await client.query(`drop index ${client.escapeIdentifier(name)}`);
  await work();
  await client.query(`set maintenance_work_mem = '512MB'`);
  for (const { definition } of rows) await client.query(definition);
  await client.query('reset maintenance_work_mem');
}
