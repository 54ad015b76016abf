import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { ListEntry } from '../../domain/sanctions/list-entry.ts';
import type { SanctionsScreener } from '../../sanctions-index/open-screener.ts';
import { addWallets, walletFinder, walletTable } from '../../sanctions-index/wallet-finder.ts';
import { eventually } from '../eventually.ts';
import { nameKey } from '../../domain/sanctions/name-key.ts';
import { identifierKey } from '../../domain/sanctions/equal-identifier.ts';
import { walletKeys } from '../../domain/sanctions/wallet-key.ts';

/** An entry of a list; a person called `name` unless overridden. */
export function listEntry(sourceId: string, name: string, overrides: Partial<ListEntry> = {}): ListEntry {
  return {
    list: 'OFAC_SDN',
    sourceId,
    type: 'person',
    names: [{ text: name, kind: 'primary' }],
    birthDates: [],
    birthPlaces: [],
    countries: [],
    identifiers: [],
    wallets: [],
    programs: ['SDGT'],
    ...overrides,
  };
}

const INSERT = `
  with made as (
    insert into sanctions_entries (code, source_id, row_hash, entry, version_added)
    select $1, r.source_id, r.row_hash, r.entry, $2
    from unnest($3::text[], $4::bytea[], $5::jsonb[]) as r(source_id, row_hash, entry)
    returning id, source_id
  ), names as (
    insert into sanctions_names (entry_id, key)
    select m.id, r.key from unnest($6::text[], $7::text[]) as r(source_id, key) join made m using (source_id)
  ), wallets as (
    insert into sanctions_wallets (entry_id, asset, address, address_key)
    select m.id, r.asset, r.address, r.key
    from unnest($8::text[], $9::text[], $10::text[], $11::text[]) as r(source_id, asset, address, key)
    join made m using (source_id)
  )
  insert into sanctions_identifiers (entry_id, key)
  select m.id, r.key from unnest($12::text[], $13::text[]) as r(source_id, key) join made m using (source_id)`;

/** Makes these entries the active version of a list, as an import would leave them; the number of the version. */
export async function activateList(
  pool: pg.Pool,
  code: string,
  entries: readonly ListEntry[],
  times: { publishedAt?: Date; checkedAt?: Date } = {},
): Promise<number> {
  const { publishedAt = new Date('2026-11-01'), checkedAt = new Date() } = times;
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<{ version: number }>(
      `insert into sanctions_lists (code, last_version, active_version, current_at) values ($1, 1, 1, $2)
       on conflict (code) do update set last_version = sanctions_lists.last_version + 1,
         active_version = sanctions_lists.last_version + 1, current_at = $2
       returning last_version as version`,
      [code, checkedAt],
    );
    const version = rows[0]?.version ?? 0;
    await client.query(
      `update sanctions_versions set state = 'SUPERSEDED' where code = $1 and state = 'ACTIVE'`,
      [code],
    );
    await client.query(
      `insert into sanctions_versions (code, version, state, source, format, sha256, published_at, received_at,
         activated_at, entries, names, wallets, added, changed, removed, faults, parser_version)
       values ($1, $2, 'ACTIVE', 'UPLOAD', 'CSV', '', $3, $4, $4, $5, 0, 0, 0, 0, 0, 0, '1')`,
      [code, version, publishedAt, checkedAt, entries.length],
    );
    await client.query(
      'update sanctions_entries set version_removed = $2 where code = $1 and version_removed is null',
      [code, version],
    );
    await client.query(INSERT, [
      code,
      version,
      ...columnsOf(entries.map((entry) => ({ ...entry, list: code }))),
    ]);
    await client.query('commit');
    return version;
  } finally {
    client.release();
  }
}

function columnsOf(entries: readonly ListEntry[]): unknown[][] {
  const of = <T>(itemsOf: (entry: ListEntry) => readonly T[], ...values: ((item: T) => string)[]) => {
    const all = entries.flatMap((entry) => itemsOf(entry).map((item) => ({ id: entry.sourceId, item })));
    return [all.map(({ id }) => id), ...values.map((value) => all.map(({ item }) => value(item)))];
  };
  const texts = entries.map((entry) => JSON.stringify(entry));
  return [
    entries.map(({ sourceId }) => sourceId),
    texts.map((text) => createHash('sha256').update(text).digest()),
    texts,
    ...of(
      ({ names }) => names,
      ({ text }) => nameKey(text),
    ),
    ...of(
      ({ wallets }) =>
        wallets.flatMap((wallet) => walletKeys(wallet.address).map((key) => ({ ...wallet, key }))),
      ({ asset }) => asset,
      ({ address }) => address,
      ({ key }) => key,
    ),
    ...of(
      ({ identifiers }) => identifiers,
      ({ value }) => identifierKey(value),
    ),
  ];
}

/**
 * Waits until a process searches an active list in its index: before that, a release goes on without a verdict after a few
 * tries, which a busy machine may need for the loading alone.
 */
export async function untilLoaded(screener: SanctionsScreener, code: string): Promise<void> {
  await eventually(
    async () => await screener.findWallet('0x0000000000000000000000000000000000000000'),
    ({ answeredBy, lists }) => answeredBy === 'INDEX' && lists.some((list) => list.code === code),
  );
}

/** Finds the wallets of these entries, as the index does. */
export function findWalletAmong(entries: readonly ListEntry[]) {
  const table = walletTable();
  for (const entry of entries) addWallets(table, { entry, entryHash: '', version: 1 });
  return walletFinder(table);
}
