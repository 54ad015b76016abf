import { DomainError } from '../../domain/errors.ts';
import { foldName } from '../../domain/fold.ts';
import { partnerNetwork } from '../../domain/gateways/gateway.ts';
import type { PartnerKeyRecord, PartnerRecord } from '../../domain/partners/partner.ts';
import type { CreatePartnerBody } from '../../domain/partners/schema.ts';
import type { KeyEnvironment } from '../../domain/tenants/api-key-text.ts';
import type { Database } from '../database.ts';
import { newId } from '../new-id.ts';
import { uniqueViolation, type Queryable } from '../postgres.ts';
import { lockAllNames } from '../routes/name-lock.ts';
import { insertGateway } from '../gateways/insert-gateway.ts';
import { wakeNamed } from '../entities/wake-named.ts';
import type { OutboxEntry } from '../outbox.ts';
import { insertVaultKeys } from '../vault/vault-keys.ts';
import { newPartnerSecret } from '../webhooks/partner-secret.ts';
import { insertPartnerKey } from './partner-keys.ts';

interface PartnerCreation {
  body: CreatePartnerBody;
  environment: KeyEnvironment;
  now: Date;
}

interface CreatedPartner {
  partner: PartnerRecord;
  webhookSecret: string;
  key: PartnerKeyRecord;
  /** The text of the key, which is not stored. */
  apiKey: string;
  outbox: OutboxEntry[];
}

/**
 * Creates a partner with its encryption keys, its gateway and a first key, and wakes the messages that wait for a VASP that
 * it reaches. Throws conflict when the folded name is taken.
 */
export async function createPartner(
  db: Database,
  tx: Queryable,
  { body, environment, now }: PartnerCreation,
): Promise<CreatedPartner> {
  // No entity comes to the network meanwhile whose messages would be woken by neither change.
  await lockAllNames(tx);
  const partner = newPartner(body, now);
  const vaultKeys = db.vault.newTenantKeys(partner.id);
  const { secret, sealed } = newPartnerSecret(db.vault.openNewTenantKeys(vaultKeys), partner.id);
  await insertPartner(tx, partner, sealed);
  await insertVaultKeys(tx, vaultKeys);
  const gateway = partnerNetwork(partner.name);
  await insertGateway(tx, { id: partner.id, gateway: 'PARTNER', name: gateway, now });
  const outbox = await wakeNamed(tx, { ids: await entitiesReachedBy(tx, gateway) }, now);
  const made = { partnerId: partner.id, environment, name: null, expiresAt: null, now };
  return { partner, webhookSecret: secret, ...(await insertPartnerKey(db, tx, made)), outbox };
}

async function entitiesReachedBy(tx: Queryable, network: string): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>('select id from entities where networks @> array[$1]', [
    network,
  ]);
  return rows.map(({ id }) => id);
}

function newPartner(body: CreatePartnerBody, now: Date): PartnerRecord {
  return {
    id: newId(now),
    name: body.name,
    legalName: body.legalName ?? null,
    email: body.email ?? null,
    country: body.country ?? null,
    webpage: body.webpage ?? null,
    webhookUrl: body.webhookUrl ?? null,
    webhookStatus: body.webhookUrl === undefined ? null : 'ACTIVE',
    createdAt: now,
    updatedAt: now,
  };
}

async function insertPartner(tx: Queryable, partner: PartnerRecord, sealedSecret: Buffer): Promise<void> {
  const row = {
    id: partner.id,
    name: partner.name,
    name_folded: foldName(partner.name),
    legal_name: partner.legalName,
    email: partner.email,
    country: partner.country,
    webpage: partner.webpage,
    webhook_url: partner.webhookUrl,
    webhook_secret: sealedSecret,
    webhook_status: partner.webhookStatus,
    created_at: partner.createdAt,
    updated_at: partner.updatedAt,
  };
  const places = Object.keys(row).map((_, index) => `$${index + 1}`);
  await tx
    .query(
      `insert into partners (${Object.keys(row).join(', ')}) values (${places.join(', ')})`,
      Object.values(row),
    )
    .catch(refuseTakenName);
}

function refuseTakenName(error: unknown): never {
  if (uniqueViolation(error) !== 'partners_name_folded_key') throw error;
  throw new DomainError(
    'conflict',
    'A partner of this name exists already; case, accents and spaces make no difference.',
  );
}
