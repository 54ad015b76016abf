import type { ExportRecord } from '../../domain/exports/export.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';

export interface ExportRow {
  id: string;
  tenant_id: string;
  resource: ExportRecord['resource'];
  format: ExportRecord['format'];
  purpose: Buffer;
  /** Of exports of earlier versions, which did not seal it. */
  filter: ExportRecord['filter'];
  sealed_filter: Buffer | null;
  requested_by_kind: ExportRecord['requestedBy']['kind'];
  requested_by: string;
  state: ExportRecord['state'];
  rows: number;
  size_bytes: string | number | null;
  sha256: string | null;
  columns: string[] | null;
  product_version: string | null;
  created_at: Date;
  finished_at: Date | null;
  expires_at: Date | null;
}

/** SQL: the columns of `exports` that an export is read from. */
export const EXPORT_COLUMNS = `id, tenant_id, resource, format, filter, sealed_filter, purpose, requested_by_kind, requested_by,
  state, rows, size_bytes, sha256, columns, product_version, created_at, finished_at, expires_at`;

export function toExport(row: ExportRow, keys: TenantKeys): ExportRecord {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    resource: row.resource,
    format: row.format,
    ...openWishes(row, keys),
    requestedBy: { kind: row.requested_by_kind, id: row.requested_by },
    state: row.state,
    rows: row.rows,
    sizeBytes: row.size_bytes === null ? null : Number(row.size_bytes),
    sha256: row.sha256,
    columns: row.columns,
    productVersion: row.product_version,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    expiresAt: row.expires_at,
  };
}

/** What was asked for, which may name people. */
export function openWishes(
  row: Pick<ExportRow, 'id' | 'tenant_id' | 'purpose' | 'filter' | 'sealed_filter'>,
  keys: TenantKeys,
): Pick<ExportRecord, 'filter' | 'purpose'> {
  const { tenant_id: tenantId, id, sealed_filter: sealed } = row;
  const { export: context } = sealingContext;
  return {
    filter: sealed ? keys.open<ExportRecord['filter']>(context.filter(tenantId, id), sealed) : row.filter,
    purpose: keys.open<string>(context.purpose(tenantId, id), row.purpose),
  };
}
