import type { ClaimRecord } from '../../domain/claims/record.ts';
import { isNamedLike } from '../../domain/entities/name-likeness.ts';
import { accountForms } from '../../domain/transactions/viewing/list.ts';
import { findCustodians } from '../labels/find-custodians.ts';
import type { Queryable } from '../postgres.ts';
import { labelKeysOf } from './find-rightful-holder.ts';

/**
 * Whether the destination of a claim is of another VASP than the one that claims it, as far as anybody says: another tenant,
 * and be it the asked one, has registered its account, on any chain and in any spelling, an operator has attested it for
 * another, or labels give it to another institution.
 */
export async function isOfAnother(db: Queryable, claim: ClaimRecord): Promise<boolean> {
  if (await isRegisteredByAnother(db, claim)) return true;
  const { beneficiaryVaspEntityId, personal } = claim;
  const custodians = await findCustodians(db, labelKeysOf(claim));
  return custodians.some(
    ({ entityId, names }) =>
      (entityId === null || entityId !== beneficiaryVaspEntityId) &&
      !isNamedLike(personal.beneficiaryVaspName ?? '', names),
  );
}

async function isRegisteredByAnother(db: Queryable, claim: ClaimRecord): Promise<boolean> {
  const { destination, destinationNormal, beneficiaryVaspEntityId } = claim;
  const forms = [...new Set([destinationNormal, destination])].flatMap(accountForms);
  const { rows } = await db.query<{ is_of_other: boolean }>({
    name: 'is-destination-of-another',
    text: `select exists (
        select from wallets w join tenants t on t.id = w.tenant_id
        where w.address_normal = any($1::text[]) and w.status = 'CONFIRMED' and w.source <> 'DETECTED'
          and t.entity_id is distinct from $2
      ) or exists (
        select from attested_addresses a join tenants t on t.id = a.tenant_id
        where a.address_normal = any($1::text[]) and t.entity_id is distinct from $2
      ) as is_of_other`,
    values: [forms, beneficiaryVaspEntityId],
  });
  return rows[0]?.is_of_other === true;
}
