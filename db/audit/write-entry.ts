import type { AuditActor, AuditDraft, SealedAuditEntry } from '../../domain/audit/entry.ts';
import { insertSql, unnestValues } from '../columns.ts';
import type { Database } from '../database.ts';
import { ensureOperatorKeys, OPERATORS } from '../idempotency/operator-scope.ts';
import { orderedIds } from '../new-id.ts';
import type { Queryable } from '../postgres.ts';
import { sealingContext } from '../vault/contexts.ts';
import { auditColumns, withMac } from './audit-entry-row.ts';

const INSERT = { name: 'insert-audit-entries', text: insertSql('audit_entries', auditColumns) };

/**
 * Loads the keys that seal the origin of an entry: call it before the database transaction that writes the entry, since loading
 * takes a connection of its own.
 */
export async function loadAuditKeys(
  db: Database,
  { actor, tenantId }: Pick<AuditDraft, 'actor' | 'tenantId'>,
): Promise<void> {
  const owner = keyOwnerOf(actor, tenantId);
  if (owner === OPERATORS) await ensureOperatorKeys(db);
  else await db.vault.tenantKeys(owner);
}

/** Writes entries, at once or inside an open transaction; those of one writer are listed in the order of their writing. */
export function auditEntryWriter(
  db: Database,
): (tx: Queryable, draft: AuditDraft, now: Date) => Promise<void> {
  const nextId = orderedIds();
  return async (tx, draft, now) => await writeEntry(db, tx, { ...draft, id: nextId(now), createdAt: now });
}

type DatedDraft = AuditDraft & Pick<SealedAuditEntry, 'id' | 'createdAt'>;

async function writeEntry(db: Database, tx: Queryable, draft: DatedDraft): Promise<void> {
  const row = withMac(db.vault, await sealedEntry(db, draft));
  await tx.query({ ...INSERT, values: unnestValues(auditColumns, [row]) });
}

async function sealedEntry(db: Database, draft: DatedDraft): Promise<SealedAuditEntry> {
  const { actor, origin, tenantId: given, ...rest } = draft;
  const tenantId = given ?? OPERATORS;
  const sealed = origin && (await sealOrigin(db, draft, { tenantId, id: draft.id }));
  return { ...rest, ...actorColumns(actor), tenantId, origin: sealed };
}

async function sealOrigin(
  db: Database,
  draft: AuditDraft,
  { tenantId, id }: { tenantId: string; id: string },
): Promise<Buffer> {
  await loadAuditKeys(db, draft);
  const keys = await db.vault.tenantKeys(keyOwnerOf(draft.actor, draft.tenantId));
  return keys.seal(sealingContext.auditEntry.origin(tenantId, id), draft.origin);
}

/** Whose key encrypts the origin of a request. An operator's stays hidden from the tenant whose log says what they did. */
function keyOwnerOf(actor: AuditActor, tenantId: string | null): string {
  return actor.kind === 'OPERATOR' ? OPERATORS : (tenantId ?? OPERATORS);
}

/** The columns that name an actor. */
function actorColumns(actor: AuditActor) {
  return {
    actor: actor.kind,
    userId: actor.kind === 'USER' ? actor.id : null,
    apiKeyId: actor.kind === 'API_KEY' ? actor.id : null,
    operator: actor.kind === 'OPERATOR' ? actor.name : null,
  };
}
