import { isNamedLike } from '../../domain/entities/name-likeness.ts';
import { labelKeys } from '../../domain/labels/label-key.ts';
import { accountForms } from '../../domain/transactions/viewing/list.ts';
import { findCustodians, type LabelledCustodian } from '../labels/find-custodians.ts';
import type { Queryable } from '../postgres.ts';
import { ASSET_FITS } from './match-wallet.ts';

interface DepositAddress {
  tenantId: string;
  address: string;
  addressNormal: string;
  blockchainKey: string;
  asset: string;
}

interface RegisteredDeposit {
  entityId: string;
  isAttested: boolean;
  names: string[];
}

// $1 tenant, $2 normalised address, $3 blockchain key, $4 asset, $5 the account in every spelling. An attestation for another
// tenant counts against this one, and so does its registration, on any chain and in any spelling: whoever has the key of an
// account has it on all of them.
const FIND = `
  select t.entity_id as "entityId", a.is_own as "isAttested",
    array(
      select n.folded from (
        select t.entity_id as id union all select d.id from entities d where d.master_entity_id = t.entity_id
      ) e join entity_names n on n.entity_id = e.id and n.kind <> 'LEGAL'
    ) as names
  from tenants t
  cross join lateral (
    select coalesce(bool_or(a.tenant_id = t.id and a.address_normal = $2 and a.blockchain_key = $3), false) as is_own,
      coalesce(bool_or(a.tenant_id <> t.id), false) as is_of_other
    from attested_addresses a where a.address_normal = any($5::text[])
  ) a
  where t.id = $1
    and exists (select from wallets w where w.tenant_id = t.id and w.address_normal = $2 and w.blockchain_key = $3
      and ${ASSET_FITS('$4')} and w.tag is null and w.status = 'CONFIRMED')
    and (a.is_own or (not a.is_of_other and not exists (
      select from wallets w where w.address_normal = any($5::text[]) and w.tenant_id <> t.id
        and w.status = 'CONFIRMED' and w.source <> 'DETECTED')))`;

/**
 * Whether a deposit address is the tenant's: a confirmed wallet for the asset, without a tag, whose account no other tenant
 * has registered and that labels do not give to another institution; or one that an operator attested. As for routing,
 * registering an address shows nothing by itself.
 */
export async function isOwnDeposit(
  db: Queryable,
  { tenantId, address, addressNormal, blockchainKey, asset }: DepositAddress,
): Promise<boolean> {
  const forms = [...new Set([...accountForms(addressNormal), ...accountForms(address)])];
  const values = [tenantId, addressNormal, blockchainKey, asset, forms];
  const { rows } = await db.query<RegisteredDeposit>(FIND, values);
  const [deposit] = rows;
  if (!deposit || deposit.isAttested) return deposit !== undefined;
  const keys = [...new Set([...labelKeys(address), ...labelKeys(addressNormal)])];
  const custodians = await findCustodians(db, keys);
  return custodians.every((custodian) => isOf(deposit, custodian));
}

function isOf({ entityId, names }: RegisteredDeposit, custodian: LabelledCustodian): boolean {
  return custodian.entityId === entityId || custodian.names.some((name) => isNamedLike(name, names));
}
