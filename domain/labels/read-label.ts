import { confidenceOf, type NewLabel } from './label.ts';
import { labelPlace } from './label-key.ts';
import { LABEL_TYPES, type LabelType } from './label-types.ts';
import type { LabelFault } from './label-fault.ts';

/** One label as a file has it; null is an empty or missing cell. */
export interface LabelText {
  address: string | null;
  blockchain: string | null;
  label: string | null;
  /** Undefined where the words of a TagPack have no type here. */
  type: string | null | undefined;
  entityId: string | null;
  entityName: string | null;
  confidence: string | null;
  lastModified: string | null;
  reference: string | null;
}

export type ReadLabel = { label: NewLabel; faults: [] } | { label: null; faults: LabelFault[] };

const LONGEST = { label: 256, entityId: 128, entityName: 256, reference: 2_048 } as const;
// PostgreSQL has no NUL in a text, and half a surrogate is no UTF-8.
const UNUSABLE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** A label by its texts, or everything that is wrong with it. */
export function readLabel(text: LabelText, row: number): ReadLabel {
  const faults: LabelFault[] = [];
  const fault = (field: string, code: string, message: string) => faults.push({ row, field, code, message });
  for (const [field, value] of Object.entries(text) as [string, string | null | undefined][]) {
    if (value && UNUSABLE.test(value))
      fault(field, 'invalid_characters', 'NUL and lone surrogates are refused.');
  }
  for (const [field, longest] of Object.entries(LONGEST)) {
    const value = text[field as keyof typeof LONGEST];
    if (value && value.length > longest) fault(field, 'too_long', `At most ${longest} characters.`);
  }
  const place = text.address === null ? undefined : labelPlace(text.blockchain, text.address);
  if (text.address === null) fault('address', 'required', 'This cell must not be empty.');
  else if (!place) fault('address', 'address_invalid', 'This is no address of the blockchain.');
  if (text.label === null) fault('label', 'required', 'This cell must not be empty.');
  const type = LABEL_TYPES.find((known) => known === text.type);
  if (text.type === null) fault('type', 'required', 'This cell must not be empty.');
  else if (!type) fault('type', 'type_unknown', 'This is not one of the types of entities.');
  const confidence = confidenceOf(text.confidence);
  if (confidence === undefined)
    fault(
      'confidence',
      'confidence_invalid',
      'A whole number of 0 to 100 or a word of TagPacks is expected.',
    );
  if (text.lastModified !== null && !isDate(text.lastModified))
    fault('lastModified', 'date_invalid', 'A date as YYYY-MM-DD is expected.');
  if (faults.length > 0 || !place || !type || confidence === undefined) return { label: null, faults };
  return { label: labelOf(text, place, type, confidence), faults: [] };
}

function labelOf(
  text: LabelText,
  place: Pick<NewLabel, 'addressKey' | 'blockchain'>,
  type: LabelType,
  confidence: number,
): NewLabel {
  const { label, entityId, entityName, lastModified, reference } = text;
  return { ...place, label: label ?? '', type, entityId, entityName, confidence, lastModified, reference };
}

function isDate(text: string): boolean {
  return /^[12]\d{3}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);
}
