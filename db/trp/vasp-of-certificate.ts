import { isNamedLike } from '../../domain/entities/name-likeness.ts';
import { travelUrl } from '../../domain/travel-address/travel-url.ts';
import type { Queryable } from '../postgres.ts';

interface KnownVasp {
  id: string;
  name: string;
  legal_name: string | null;
  aliases: string[];
  travel_address: string;
}

interface ProvenHosts {
  isOf: (host: string) => boolean;
}

/** Entities with travel addresses are few: operators enter them one by one. */
const MAX_VASPS = 10_000;

/**
 * The entity that a verified certificate proves: the one whose travel address leads to a host of the certificate. Several
 * share a host where one provider serves them; then the name that the sender gives itself chooses among them, and only them.
 * Tenants of this deployment are none.
 */
export async function findVaspOfCertificate(
  db: Queryable,
  certificate: ProvenHosts,
  givenName: string | null,
): Promise<string | null> {
  const { rows } = await db.query<KnownVasp>(
    `select e.id, e.name, e.legal_name, e.aliases, e.travel_address from entities e
     where e.travel_address is not null and e.master_entity_id is null
       and not exists (select 1 from tenants t where t.entity_id = e.id)
     order by e.id limit ${MAX_VASPS}`,
  );
  const proven = rows.filter(({ travel_address }) => {
    const host = travelUrl(travel_address)?.hostname;
    return host !== undefined && certificate.isOf(host);
  });
  if (proven.length <= 1) return proven[0]?.id ?? null;
  const namedSo = proven.filter(({ name, legal_name, aliases }) => {
    const names = [name, ...aliases, ...(legal_name === null ? [] : [legal_name])];
    return givenName !== null && isNamedLike(givenName, names);
  });
  return namedSo.length === 1 ? (namedSo[0]?.id ?? null) : null;
}
