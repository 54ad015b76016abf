import type { z } from 'zod';
import { DomainError } from '../errors.ts';
import { CSV_COLUMNS, REQUIRED_CSV_COLUMNS, rowFault, type CsvColumn, type CsvFault } from './csv-fault.ts';
import { CreateWalletBody, newWallet } from './schema.ts';
import type { NewWallet } from './wallet.ts';

type CsvRow = { wallet: NewWallet; faults: [] } | { wallet: null; faults: CsvFault[] };

/** Reads one row by the rules of `POST /wallets`. An empty cell of an optional column is an absent value. */
export function readCsvRow(columns: readonly CsvColumn[], cells: readonly string[], row: number): CsvRow {
  if (cells.length !== columns.length) {
    const message = `The row has ${cells.length} columns, the header ${columns.length}.`;
    return refused([rowFault(row, 'column_count', message)]);
  }
  const body: Partial<Record<CsvColumn, string>> = {};
  columns.forEach((column, index) => {
    const cell = cells[index];
    if (cell) body[column] = cell;
  });
  const faults = cellFaults(body, row);
  return faults.length > 0 ? refused(faults) : walletOf(body, row);
}

function refused(faults: CsvFault[]): CsvRow {
  return { wallet: null, faults };
}

function cellFaults(body: Partial<Record<CsvColumn, string>>, row: number): CsvFault[] {
  const faults: CsvFault[] = [];
  for (const field of CSV_COLUMNS) {
    if (body[field]?.includes('\0')) {
      faults.push({ row, field, code: 'invalid_characters', message: 'NUL is refused.' });
    } else if (body[field] === undefined && REQUIRED_CSV_COLUMNS.includes(field)) {
      faults.push({ row, field, code: 'required', message: 'This cell must not be empty.' });
    }
  }
  return faults;
}

function walletOf(body: object, row: number): CsvRow {
  const parsed = CreateWalletBody.safeParse(body);
  if (!parsed.success) return refused(parsed.error.issues.map((issue) => schemaFault(issue, row)));
  try {
    return { wallet: newWallet(parsed.data), faults: [] };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const faults = (error.details.errors ?? []).map(({ pointer, code, message }) => ({
      row,
      field: columnAt(pointer.slice(1)),
      code,
      message,
    }));
    return refused(faults);
  }
}

/** The fault for a schema issue. Zod's messages contain lengths and patterns, never the input. */
function schemaFault(issue: z.core.$ZodIssue, row: number): CsvFault {
  const nested = issue.code === 'invalid_union' ? issue.errors.flat().at(-1) : undefined;
  const { code, message } = nested ?? issue;
  return { row, field: columnAt(issue.path[0]), code, message };
}

function columnAt(name: PropertyKey | undefined): CsvColumn | null {
  return CSV_COLUMNS.find((column) => column === name) ?? null;
}
