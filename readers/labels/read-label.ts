import { confidenceOf, type NewLabel } from '../../domain/labels/label.ts';
import { labelPlace } from '../../domain/labels/label-key.ts';
import { ENTITY_TYPES, type EntityType } from '../../domain/entity-types.ts';
import type { RowFault } from '../../domain/row-fault.ts';

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

export type ReadLabel = { label: NewLabel; faults: [] } | { label: null; faults: RowFault[] };

const LONGEST = {
  address: 256,
  blockchain: 64,
  label: 256,
  entityId: 128,
  entityName: 256,
  reference: 2_048,
} as const;
// PostgreSQL has no NUL in a text, and half a surrogate is no UTF-8. Most texts have no surrogate at all, which is quicker to see.
const SUSPECT = /[\0\uD800-\uDFFF]/;
const UNUSABLE = /[\0\p{Surrogate}]/u;

/** A label by its texts, or everything that is wrong with it. */
export function readLabel(text: LabelText, row: number): ReadLabel {
  const place = text.address === null ? undefined : labelPlace(text.blockchain, text.address);
  const type = TYPES.get(text.type ?? '');
  const confidence = confidenceOf(text.confidence);
  const isRight =
    place && type && confidence !== undefined && text.label !== null && textFaults(text, row).length === 0;
  if (isRight && isDate(text.lastModified))
    return { label: labelOf(text, place, type, confidence), faults: [] };
  return { label: null, faults: faultsOf(text, row) };
}

const TYPES: ReadonlyMap<string, EntityType> = new Map(ENTITY_TYPES.map((type) => [type, type]));

/** What is to be told of a row that cannot be taken. */
function faultsOf(text: LabelText, row: number): RowFault[] {
  const faults = textFaults(text, row);
  const fault = (field: string, code: string, message: string) => faults.push({ row, field, code, message });
  for (const field of ['address', 'label', 'type'] as const) {
    if (text[field] === null) fault(field, 'required', 'This cell must not be empty.');
  }
  if (text.address !== null && !labelPlace(text.blockchain, text.address))
    fault('address', 'address_invalid', 'This is no address of the blockchain.');
  if (text.type !== null && !TYPES.has(text.type ?? ''))
    fault('type', 'type_unknown', 'This is not one of the types of entities.');
  if (confidenceOf(text.confidence) === undefined)
    fault(
      'confidence',
      'confidence_invalid',
      'A whole number of 0 to 100 or a word of TagPacks is expected.',
    );
  if (!isDate(text.lastModified)) fault('lastModified', 'date_invalid', 'A date as YYYY-MM-DD is expected.');
  return faults;
}

const FIELDS = ['address', 'blockchain', 'label', 'entityId', 'entityName', 'reference'] as const;

function textFaults(text: LabelText, row: number): RowFault[] {
  const faults: RowFault[] = [];
  for (const field of FIELDS) {
    const value = text[field];
    if (value === null) continue;
    if (SUSPECT.test(value) && UNUSABLE.test(value)) {
      const message = 'NUL and lone surrogates are refused.';
      faults.push({ row, field, code: 'invalid_characters', message });
    }
    if (value.length > LONGEST[field]) {
      faults.push({ row, field, code: 'too_long', message: `At most ${LONGEST[field]} characters.` });
    }
  }
  return faults;
}

function labelOf(
  text: LabelText,
  place: Pick<NewLabel, 'addressKey' | 'blockchain'>,
  type: EntityType,
  confidence: number,
): NewLabel {
  const { label, entityId, entityName, lastModified, reference } = text;
  return { ...place, label: label ?? '', type, entityId, entityName, confidence, lastModified, reference };
}

function isDate(text: string | null): boolean {
  if (text === null) return true;
  const day = new Date(`${text}T00:00:00Z`);
  return (
    /^[12]\d{3}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
  );
}
