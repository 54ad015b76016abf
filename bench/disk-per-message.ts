import pg from 'pg';
import type { BenchFigure } from './figure.ts';

/** The bytes on disk of each table with its indexes and long values; partitions count as their table. */
export type DiskUse = ReadonlyMap<string, number>;

/** Tables that are named beside the sum; of the others hardly anything grows with messages. */
const NAMED = 5;

/** Reads how much disk each table takes, free space in it included. */
export async function readDiskUse(databaseUrl: string): Promise<DiskUse> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ name: string; bytes: string }>(
    `select coalesce(i.inhparent, c.oid)::regclass::text as name, sum(pg_total_relation_size(c.oid))::text as bytes
     from pg_class c left join pg_inherits i on i.inhrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' group by 1`,
  );
  await client.end();
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}

/** What a message between two tenants has added to the disk, both records with all that hangs on them; the log of PostgreSQL is not counted. */
export function diskFigure(messages: number, before: DiskUse, after: DiskUse): BenchFigure {
  const grown = [...after]
    .map(([name, bytes]) => ({ name, kb: (bytes - (before.get(name) ?? 0)) / messages / 1_000 }))
    .toSorted((one, other) => other.kb - one.kb);
  const sum = grown.reduce((all, { kb }) => all + kb, 0);
  const named = grown.slice(0, NAMED).map(({ name, kb }) => `${name} ${kb.toFixed(1)}`);
  return {
    measure: 'p',
    name: 'disk for a message, both sides, with indexes',
    value: `${sum.toFixed(1)} kB (${named.join(', ')})`,
    comparedTo: 'nothing',
    goal: 'none',
    met: true,
  };
}
