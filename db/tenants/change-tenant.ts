import { notFound } from '../../domain/errors.ts';
import { foldName } from '../../domain/fold.ts';
import { needsNewWebhookSecret } from '../../domain/tenants/patch-tenant.ts';
import type { TenantRecord } from '../../domain/tenants/tenant.ts';
import { hostOf } from '../../domain/webhooks/endpoint-url.ts';
import { type Database } from '../database.ts';
import { updateTenantEntity } from '../entities/tenant-entity.ts';
import { endOvertakenProposals } from '../proposals/end-proposals.ts';
import { queueNotice } from '../mails/queue-notice.ts';
import { lockNames } from '../routes/name-lock.ts';
import { lockEntities } from '../entities/lock-entities.ts';
import { foldedNames, wakeNamed } from '../entities/wake-named.ts';
import type { OutboxEntry } from '../outbox.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { refuseTakenName } from './create-tenant.ts';
import type { OpenTenant } from './get-tenant.ts';
import { TENANT_COLUMNS, toTenant, type TenantRow } from './tenant-row.ts';
import { newWebhookSecret, openWebhookSecret, sealWebhookSecret } from '../webhooks/webhook-secret.ts';
import { inTransaction, type Queryable } from '../postgres.ts';

export interface ChangedTenant extends OpenTenant {
  outbox: OutboxEntry[];
}

/**
 * Changes a tenant: `decide` gets the locked record and returns the changed one, or the same object for no change. A
 * new webhook URL gets a new secret; a new name or country wakes the messages that wait for a VASP of the new or the old
 * name, and the transfers that a rule lets wait on it. Mails tell that webhooks or mails go elsewhere, and a proposal of what is
 * not so any more ends. Throws not_found, conflict.
 */
export async function changeTenant(
  db: Database,
  tenantId: string,
  now: Date,
  decide: (tenant: TenantRecord) => TenantRecord,
): Promise<ChangedTenant> {
  const change = {
    tenantId,
    now,
    decide: async (tenant: TenantRecord) => await Promise.resolve(decide(tenant)),
  };
  const { row, ...changed } = await inTransaction(db.pool, async (tx) => await changeLocked(db, tx, change));
  return { ...changed, webhookSecret: await openWebhookSecret(db, row) };
}

interface TenantChange {
  tenantId: string;
  now: Date;
  decide: (tenant: TenantRecord) => Promise<TenantRecord>;
}

/** Like changeTenant, inside a database transaction. Load the tenant's keys first: loading needs a second connection. */
export async function changeTenantIn(
  db: Database,
  tx: Queryable,
  change: TenantChange,
): Promise<ChangedTenant> {
  const { row, ...changed } = await changeLocked(db, tx, change);
  return { ...changed, webhookSecret: await openWebhookSecret(db, row) };
}

async function changeLocked(db: Database, tx: Queryable, { tenantId, now, decide }: TenantChange) {
  const locked = await lockTenant(tx, tenantId);
  const before = toTenant(locked);
  const after = await decide(before);
  if (after === before) return { row: locked, tenant: before, outbox: [] };
  const sealed = needsNewWebhookSecret(before, after)
    ? newSealedSecret(await db.vault.tenantKeys(tenantId), tenantId)
    : locked.webhook_secret;
  // First, so that they go to the e-mail address before: whoever changes the address of webhooks may change that, too.
  const changed = { before, after, now };
  const mails = [...(await noticeOtherUrl(db, tx, changed)), ...(await noticeOtherEmail(db, tx, changed))];
  const outbox = await store(tx, locked, { after, secret: sealed, now });
  return { row: { ...locked, webhook_secret: sealed }, tenant: after, outbox: [...outbox, ...mails] };
}

interface ChangedRecord {
  before: TenantRecord;
  after: TenantRecord;
  now: Date;
}

/** Tells the tenant that its webhooks go elsewhere. The first address is no change. */
async function noticeOtherUrl(
  db: Database,
  tx: Queryable,
  { before, after, now }: ChangedRecord,
): Promise<OutboxEntry[]> {
  const hostBefore = hostOf(before.webhookUrl);
  if (hostBefore === null || after.webhookUrl === before.webhookUrl) return [];
  return await queueNotice(db, tx, {
    tenantId: before.id,
    notice: { kind: 'WEBHOOK_URL_CHANGED', hostBefore, host: hostOf(after.webhookUrl) },
    once: now.toISOString(),
    now,
  });
}

/** Tells who has got the tenant's mails that somebody else gets them. */
async function noticeOtherEmail(
  db: Database,
  tx: Queryable,
  { before, after, now }: ChangedRecord,
): Promise<OutboxEntry[]> {
  if (after.email === before.email) return [];
  return await queueNotice(db, tx, {
    tenantId: before.id,
    notice: { kind: 'EMAIL_CHANGED', domain: after.email?.split('@').at(-1) ?? null },
    once: now.toISOString(),
    now,
  });
}

type LockedRow = TenantRow & { name_folded: string };

/** Locks the tenant's row for a change; rows that refer to the tenant can still be written. Throws not_found. */
export async function lockTenant(tx: Queryable, tenantId: string): Promise<LockedRow> {
  const { rows } = await tx.query<LockedRow>(
    `select ${TENANT_COLUMNS}, name_folded from tenants where id = $1 and gateway is null and erased_at is null for no key update`,
    [tenantId],
  );
  if (!rows[0]) throw notFound('tenant');
  return rows[0];
}

function newSealedSecret(keys: TenantKeys, tenantId: string): Buffer {
  return sealWebhookSecret(keys, tenantId, newWebhookSecret());
}

async function store(
  tx: Queryable,
  before: LockedRow,
  { after, secret, now }: { after: TenantRecord; secret: Buffer; now: Date },
): Promise<OutboxEntry[]> {
  const folded = foldName(after.name);
  // Names lead messages to the tenant and are compared with lists, and rules read the country and the risk that follows from it.
  const isOther =
    folded !== before.name_folded ||
    after.legalName !== before.legal_name ||
    after.country !== before.country;
  const ids = isOther ? [after.entityId] : [];
  if (isOther) await lockEntities(tx, ids);
  const formerNames = await foldedNames(tx, ids);
  if (isOther) await lockNames(tx, [...new Set([folded, ...formerNames])], ids);
  await updateTenant(tx, after, folded, secret).catch(refuseTakenName);
  await updateTenantEntity(tx, toTenant(before), after);
  await endOvertakenProposals(tx, after.id, now);
  return isOther ? await wakeNamed(tx, { ids, formerNames }, now) : [];
}

async function updateTenant(
  tx: Queryable,
  tenant: TenantRecord,
  folded: string,
  secret: Buffer,
): Promise<void> {
  // A secret in its overlap period never signs for another host, not even after a return to its own.
  await tx.query(
    `update tenants set name = $2, name_folded = $3, legal_name = $4, email = $5, country = $6,
       registration_number = $7, lei = $8, webpage = $9, webhook_url = $10, webhook_secret = $11, webhook_status = $12,
       rate_limits = $13, updated_at = $14, answers_route = $16,
       webhook_set_at = case when (webhook_url, webhook_status) is distinct from ($10, $12) then $14 else webhook_set_at end,
       webhook_secret_previous = case when webhook_secret_previous_host = $15 then webhook_secret_previous end,
       webhook_secret_previous_until = case when webhook_secret_previous_host = $15 then webhook_secret_previous_until end,
       webhook_secret_previous_host = case when webhook_secret_previous_host = $15 then $15 end
     where id = $1`,
    [
      tenant.id,
      tenant.name,
      folded,
      tenant.legalName,
      tenant.email,
      tenant.country,
      tenant.registrationNumber,
      tenant.lei,
      tenant.webpage,
      tenant.webhookUrl,
      secret,
      tenant.webhookStatus,
      tenant.rateLimits,
      tenant.updatedAt,
      hostOf(tenant.webhookUrl),
      tenant.answersRoute,
    ],
  );
}
