import type { FoundLabel, NewLabel } from '../../domain/labels/label.ts';
import type { Column } from '../columns.ts';

/** The columns of the labels of one import. */
export function labelColumns(importId: number): Column<NewLabel>[] {
  return [
    { name: 'import_id', type: 'int', value: () => importId },
    { name: 'confidence', type: 'int', value: ({ confidence }) => confidence },
    { name: 'last_modified', type: 'text', value: ({ lastModified }) => lastModified },
    { name: 'address_key', type: 'text', value: ({ addressKey }) => addressKey },
    { name: 'blockchain', type: 'text', value: ({ blockchain }) => blockchain },
    { name: 'label', type: 'text', value: ({ label }) => label },
    { name: 'type', type: 'text', value: ({ type }) => type },
    { name: 'entity_id', type: 'text', value: ({ entityId }) => entityId },
    { name: 'entity_name', type: 'text', value: ({ entityName }) => entityName },
    { name: 'reference', type: 'text', value: ({ reference }) => reference },
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
