import type { NewLabel } from './label.ts';

// The file that comes with the product is made by us and read at every first start: so it has keys instead of addresses,
// and nothing of it is checked again.

/** A line of the bundled file, without its end. */
export function bundledRow(label: NewLabel): string {
  return [
    label.addressKey,
    label.blockchain,
    label.label,
    label.type,
    label.entityId,
    label.entityName,
    label.confidence,
    label.lastModified,
    label.reference,
  ]
    .map((value) => String(value ?? '').replaceAll(/[\t\r\n]+/g, ' '))
    .join('\t');
}

/** The label of a line that `bundledRow` made. */
export function fromBundledRow(line: string): NewLabel {
  const [
    addressKey = '',
    blockchain,
    label = '',
    type,
    entityId,
    entityName,
    confidence,
    lastModified,
    reference,
  ] = line.split('\t');
  return {
    addressKey,
    blockchain: blockchain || null,
    label,
    type: type as NewLabel['type'],
    entityId: entityId || null,
    entityName: entityName || null,
    confidence: Number(confidence),
    lastModified: lastModified || null,
    reference: reference || null,
  };
}
