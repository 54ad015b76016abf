import { hashOfEntry, type AuditActorKind, type SealedAuditEntry } from '../../domain/audit/entry.ts';
import type { Column } from '../columns.ts';
import type { Vault } from '../vault/vault.ts';

/** An entry as it is inserted; its MAC shows that this product wrote it. */
interface NewAuditRow extends SealedAuditEntry {
  mac: Buffer;
}

export const auditColumns: Column<NewAuditRow>[] = [
  { name: 'tenant_id', type: 'uuid', value: (entry) => entry.tenantId },
  { name: 'id', type: 'uuid', value: (entry) => entry.id },
  { name: 'created_at', type: 'timestamptz', value: (entry) => entry.createdAt },
  { name: 'operation', type: 'text', value: (entry) => entry.operation },
  { name: 'actor', type: 'text', value: (entry) => entry.actor },
  { name: 'user_id', type: 'uuid', value: (entry) => entry.userId },
  { name: 'api_key_id', type: 'uuid', value: (entry) => entry.apiKeyId },
  { name: 'operator', type: 'text', value: (entry) => entry.operator },
  { name: 'status', type: 'int', value: (entry) => entry.status },
  { name: 'code', type: 'text', value: (entry) => entry.code },
  { name: 'record_id', type: 'text', value: (entry) => entry.recordId },
  { name: 'items', type: 'int', value: (entry) => entry.items },
  { name: 'parameters', type: 'text', cast: 'jsonb', value: (entry) => JSON.stringify(entry.parameters) },
  { name: 'origin', type: 'bytea', value: (entry) => entry.origin },
  { name: 'hour', type: 'timestamptz', value: (entry) => entry.hour },
  { name: 'requests', type: 'bigint', value: (entry) => entry.requests },
  { name: 'mac', type: 'bytea', value: (entry) => entry.mac },
];

export interface AuditRow {
  tenant_id: string;
  id: string;
  created_at: Date;
  operation: string;
  actor: AuditActorKind;
  user_id: string | null;
  api_key_id: string | null;
  operator: string | null;
  status: number | null;
  code: string | null;
  record_id: string | null;
  items: number | null;
  parameters: Record<string, string | null>;
  origin: Buffer | null;
  hour: Date | null;
  requests: number;
  mac: Buffer;
}

export function toAuditEntry(row: AuditRow): SealedAuditEntry {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    createdAt: row.created_at,
    operation: row.operation,
    actor: row.actor,
    userId: row.user_id,
    apiKeyId: row.api_key_id,
    operator: row.operator,
    status: row.status,
    code: row.code,
    recordId: row.record_id,
    items: row.items,
    parameters: row.parameters,
    origin: row.origin,
    hour: row.hour,
    requests: row.requests,
  };
}

/** Adds the MAC to an entry: it holds before the entry is in a batch, too. */
export function withMac({ heads }: Pick<Vault, 'heads'>, entry: SealedAuditEntry): NewAuditRow {
  return { ...entry, mac: heads.macOf(anchorOf(entry)) };
}

/** Whether this deployment wrote the entry as it is. */
export function isGenuine({ heads }: Pick<Vault, 'heads'>, entry: SealedAuditEntry, mac: Buffer): boolean {
  return heads.isMacOf(anchorOf(entry), mac);
}

function anchorOf(entry: SealedAuditEntry) {
  const { id, tenantId } = entry;
  return { subjectKind: 'AUDIT_ENTRY', subjectId: id, tenantId, sequence: 0, head: hashOfEntry(entry) };
}
