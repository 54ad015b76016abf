import type { CopyValue } from '../copy-rows.ts';
import type { FoundLabel, NewLabel } from '../../domain/labels/label.ts';

/** Columns of a label, in the order of `labelValues`. */
export const LABEL_COLUMNS = [
  'import_id',
  'confidence',
  'last_modified',
  'address_key',
  'blockchain',
  'label',
  'type',
  'entity_id',
  'entity_name',
  'reference',
] as const;

export function labelValues(importId: number, label: NewLabel): CopyValue[] {
  return [
    importId,
    label.confidence,
    label.lastModified,
    label.addressKey,
    label.blockchain,
    label.label,
    label.type,
    label.entityId,
    label.entityName,
    label.reference,
  ];
}

export interface LabelRow {
  address_key: string;
  blockchain: string | null;
  label: string;
  type: FoundLabel['type'];
  entity_id: string | null;
  entity_name: string | null;
  confidence: number;
  last_modified: string | null;
  reference: string | null;
  source: string;
}

export function toLabel(row: LabelRow): FoundLabel {
  return {
    blockchain: row.blockchain,
    label: row.label,
    type: row.type,
    entityId: row.entity_id,
    entityName: row.entity_name,
    confidence: row.confidence,
    lastModified: row.last_modified,
    reference: row.reference,
    source: row.source,
  };
}
