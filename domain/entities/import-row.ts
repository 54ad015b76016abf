import { z } from 'zod';
import { foldName } from '../fold.ts';
import { DomainError } from '../errors.ts';
import { assessedRisk } from './change-entity.ts';
import type { EntityProfile, EntityRisk } from './entity.ts';
import { estimateRisk } from './risk.ts';
import { entityFields, EntitySource, EntitySourceId, riskFields } from './schema.ts';

/** Limits of one file: bytes, entities, bytes per row, and faults reported. */
export const IMPORT_LIMITS = {
  fileBytes: 500 * 1024 * 1024,
  rows: 1_000_000,
  /** Far above any valid row; a longer one ends the reading. */
  rowBytes: 64 * 1024,
  faults: 1_000,
} as const;

/** A fault in a file. Row 1 is the header of CSV, the first entity of JSON; null stands for the whole file. */
export interface ImportFault {
  row: number | null;
  field: string | null;
  code: string;
  message: string;
}

/** An entity of a file, checked on its own; keys and masters are resolved in the database. */
export interface ImportedEntity extends EntityProfile, EntityRisk {
  row: number;
  /** Its id in this directory, if the file has one. */
  givenId: string | null;
  source: string;
  sourceId: string;
  givenMasterId: string | null;
  masterSourceId: string | null;
}

const Id = z.uuid().toLowerCase();

const ImportedFields = z
  .strictObject({
    ...z.object({ ...entityFields, ...riskFields }).partial().shape,
    name: entityFields.name,
    type: entityFields.type,
    id: Id.optional(),
    source: EntitySource.optional(),
    sourceId: EntitySourceId.optional(),
    masterEntityId: Id.optional(),
    masterSourceId: EntitySourceId.optional(),
  })
  .refine(({ masterEntityId, masterSourceId }) => !masterEntityId || !masterSourceId, {
    error: 'Name the master in one way.',
    path: ['masterSourceId'],
  });
type ImportedFields = z.output<typeof ImportedFields>;

/** The columns that a CSV file may have. */
export const IMPORT_COLUMNS: readonly string[] = Object.keys(ImportedFields.shape);
const LISTS = new Set(['aliases', 'countries', 'networks']);

type RowReading = { entity: ImportedEntity; faults: [] } | { entity: null; faults: ImportFault[] };

interface ImportRowInput {
  row: number;
  /** The source of rows that have none. */
  source: string;
  now: Date;
}

/** Reads a CSV row. An empty cell is an absent value; lists are separated by `;`. */
export function readImportCells(
  columns: readonly string[],
  cells: readonly string[],
  input: ImportRowInput,
): RowReading {
  if (cells.length !== columns.length) {
    const message = `The row has ${cells.length} columns, the header ${columns.length}.`;
    return refused([{ row: input.row, field: null, code: 'column_count', message }]);
  }
  const values: Record<string, unknown> = {};
  columns.forEach((column, index) => {
    const cell = cells[index]?.trim();
    if (cell) values[column] = valueOf(column, cell);
  });
  return readImportValues(values, input);
}

function valueOf(column: string, cell: string): unknown {
  if (LISTS.has(column)) {
    return cell
      .split(';')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  }
  return column === 'riskScore' && /^\d{1,3}$/.test(cell) ? Number(cell) : cell;
}

/** Reads an entity from JSON. Null is an absent value. */
export function readImportValues(values: unknown, { row, source, now }: ImportRowInput): RowReading {
  const parsed = ImportedFields.safeParse(withoutNulls(values));
  if (!parsed.success) return refused(parsed.error.issues.flatMap((issue) => faultsOf(issue, row)));
  const fault = controlCharacters(parsed.data, row);
  return fault ? refused([fault]) : { entity: toImported(parsed.data, { row, source, now }), faults: [] };
}

function refused(faults: ImportFault[]): RowReading {
  return { entity: null, faults };
}

function withoutNulls(values: unknown): unknown {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return values;
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

function faultsOf(issue: z.core.$ZodIssue, row: number): ImportFault[] {
  if (issue.code === 'unrecognized_keys') {
    return [{ row, field: null, code: 'unknown_field', message: 'The entity has an unknown field.' }];
  }
  const { code, message } = issue;
  return [{ row, field: String(issue.path[0] ?? '') || null, code, message }];
}

/** The fault for NUL, which cannot be stored, and for lone surrogates. */
function controlCharacters(fields: ImportedFields, row: number): ImportFault | undefined {
  for (const [field, value] of Object.entries(fields)) {
    const texts = Array.isArray(value) ? value : [value];
    const isBad = texts.some((text) => typeof text === 'string' && /\0|\p{Surrogate}/u.test(text));
    if (isBad)
      return {
        row,
        field,
        code: 'invalid_characters',
        message: 'NUL and half of a surrogate pair are refused.',
      };
  }
  return undefined;
}

/** The checked entity. Without an id of its source, its name is the key, so that importing the file again finds it. */
function toImported(fields: ImportedFields, { row, source, now }: ImportRowInput): ImportedEntity {
  const { name, type, countries = [] } = fields;
  return {
    row,
    givenId: fields.id ?? null,
    source: fields.source ?? source,
    sourceId: fields.sourceId ?? foldName(name),
    givenMasterId: fields.masterEntityId ?? null,
    masterSourceId: fields.masterSourceId ?? null,
    name,
    type,
    countries,
    legalName: fields.legalName ?? null,
    aliases: fields.aliases ?? [],
    webpage: fields.webpage ?? null,
    email: fields.email ?? null,
    lei: fields.lei ?? null,
    registrationNumber: fields.registrationNumber ?? null,
    travelAddress: fields.travelAddress ?? null,
    networks: fields.networks ?? [],
    ...(assessedRisk(fields, now) ?? estimateRisk({ type, countries, inNetwork: false })),
  };
}

/** The error for a file with faults. The messages never repeat its content. */
export function importRefused(faults: readonly ImportFault[]): DomainError {
  const errors = faults.slice(0, IMPORT_LIMITS.faults).map(({ row, field, code, message }) => ({
    pointer: '/file',
    row,
    field,
    code,
    message,
  }));
  return new DomainError('csv_invalid', 'The file has faults: nothing was imported.', { errors });
}
