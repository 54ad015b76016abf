// Why: an equal number is found in the digits of any script and in letters that look alike, so the stored keys of listed
// numbers are made in one spelling. Keys of Latin letters and ASCII digits, nearly all, are in it already.
import type { Knex } from 'knex';
import { identifierKey } from '../../domain/sanctions/equal-identifier.ts';

export async function up(knex: Knex): Promise<void> {
  const { rows } = await knex.raw<{ rows: { key: string }[] }>(
    "select distinct key from sanctions_identifiers where key ~ '[^A-Z0-9]'",
  );
  const others = rows.map(({ key }) => key).filter((key) => identifierKey(key) !== key);
  await knex.raw(RESPELL, [others, others.map(identifierKey)]);
}

const RESPELL = `
  update sanctions_identifiers i set key = k.spelled
  from unnest(?::text[], ?::text[]) as k(key, spelled) where i.key = k.key`;

// The keys say nothing of the spelling that they had; the next import of a list stores those of its new entries.
export async function down(): Promise<void> {}
