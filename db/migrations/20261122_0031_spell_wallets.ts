// Why: a listed wallet is found by every spelling of its address, so it has a row per key. Entries that were stored with
// the address as published only would be missed while the database answers in place of the index.
import type { Knex } from 'knex';
import { walletKeys } from '../../domain/sanctions/wallet-key.ts';

const ADDRESSES_AT_ONCE = 5_000;

export async function up(knex: Knex): Promise<void> {
  let last = '';
  for (;;) {
    const { rows } = await knex.raw<{ rows: { address: string }[] }>(
      'select distinct address from sanctions_wallets where address > ? order by address limit ?',
      [last, ADDRESSES_AT_ONCE],
    );
    const keys = rows.flatMap(({ address }) => walletKeys(address).map((key) => ({ address, key })));
    await knex.raw(ADD_KEYS, [keys.map(({ address }) => address), keys.map(({ key }) => key)]);
    const read = rows.at(-1);
    if (!read || rows.length < ADDRESSES_AT_ONCE) return;
    last = read.address;
  }
}

const ADD_KEYS = `
  insert into sanctions_wallets (entry_id, asset, address, address_key)
  select w.entry_id, w.asset, w.address, k.key
  from (select distinct entry_id, asset, address from sanctions_wallets) w
  join unnest(?::text[], ?::text[]) as k(address, key) using (address)
  except select entry_id, asset, address, address_key from sanctions_wallets`;

// The first key of an address is the one of the version before: the address as published.
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from sanctions_wallets
    where address_key not in (lower(regexp_replace(address, '\\s+', '', 'g')), '0x' || lower(address))
  `);
}
