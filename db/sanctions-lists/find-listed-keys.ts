import type { Queryable } from '../postgres.ts';

/** Those of the keys of wallets that an entry of an active sanctions list has. */
export async function findListedKeys(db: Queryable, keys: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ address_key: string }>({
    name: 'listed-addresses',
    text: `select w.address_key from sanctions_wallets w join sanctions_entries e on e.id = w.entry_id
      where w.address_key = any($1::text[]) and e.version_removed is null`,
    values: [keys],
  });
  return new Set(rows.map((row) => row.address_key));
}
