import { randomBytes } from 'node:crypto';
import { notFound } from '../../domain/errors.ts';
import type { AskedWallet } from '../../domain/trp/read-inquiry.ts';
import type { Queryable } from '../postgres.ts';

const TOKEN_BYTES = 16;

/** The token in the travel address of a wallet, made when it is first asked for. Throws not_found unless it is CONFIRMED. */
export async function travelTokenOf(
  db: Queryable,
  { tenantId, walletId, now }: { tenantId: string; walletId: number; now: Date },
): Promise<string> {
  const { rows } = await db.query<{ token: string }>(
    `insert into trp_addresses (token, tenant_id, wallet_id, created_at)
     select $3, tenant_id, id, $4 from wallets where tenant_id = $1 and id = $2 and status = 'CONFIRMED'
     -- One that is being deleted has none any more.
     for key share
     on conflict (wallet_id) do update set token = trp_addresses.token
     returning token`,
    [tenantId, walletId, randomBytes(TOKEN_BYTES).toString('base64url'), now],
  );
  if (!rows[0]) throw notFound('confirmed wallet');
  return rows[0].token;
}

/** The wallet that a travel address leads to, and its tenant. */
export interface TravelDestination extends AskedWallet {
  tenantId: string;
  addressNormal: string;
}

/**
 * Finds the confirmed wallet of a travel address; undefined for every other token, and while the operator has suspended the
 * tenant, which is nobody's business.
 */
export async function findTravelDestination(
  db: Queryable,
  token: string,
): Promise<TravelDestination | undefined> {
  const { rows } = await db.query<TravelDestination>({
    name: 'find-travel-destination',
    text: `select w.tenant_id as "tenantId", w.address, w.address_normal as "addressNormal", w.tag, w.asset, w.blockchain
           from trp_addresses a join wallets w on w.id = a.wallet_id and w.tenant_id = a.tenant_id
             join tenants t on t.id = a.tenant_id
           where a.token = $1 and w.status = 'CONFIRMED' and t.suspended_at is null`,
    values: [token],
  });
  return rows[0];
}
