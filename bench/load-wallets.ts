import type pg from 'pg';
import { withoutIndexes } from './without-indexes.ts';

/** Inserts Ethereum wallets with addresses derived from their number, for the tenants in turn. */
export async function loadWallets(
  client: pg.Client,
  tenantIds: readonly string[],
  rows: number,
): Promise<void> {
  await withoutIndexes(client, 'wallets', async () => {
    await client.query(
      `insert into wallets (tenant_id, address, address_normal, asset, blockchain, blockchain_key, status, source,
         created_at, updated_at, confirmed_at)
       select ($1::uuid[])[n % $2 + 1], address, address, '*', 'Ethereum', 'Ethereum', 'CONFIRMED', 'CSV', at, at, at
       from generate_series(0, $3::int - 1) n,
         lateral (select '0x' || md5(n::text) || left(md5(n::text || 'x'), 8) as address,
           now() - make_interval(secs => $3 - n) as at) made`,
      [tenantIds, tenantIds.length, rows],
    );
  });
  await client.query('vacuum (analyze) wallets');
}
