import type { z } from 'zod';
import { DomainError } from '../../domain/errors.ts';
import type { RowFault } from '../../domain/row-fault.ts';
import { faultCode, faultText } from '../../domain/schema-faults.ts';
import { CreateWalletBody, newWallet } from '../../domain/wallets/schema.ts';
import { CSV_COLUMNS, REQUIRED_CSV_COLUMNS, type CsvColumn } from '../../domain/wallets/wallet-file.ts';
import type { NewWallet } from '../../domain/wallets/wallet.ts';
import { columnCountFault } from '../columns.ts';

type WalletRow = { wallet: NewWallet; faults: [] } | { wallet: null; faults: RowFault[] };

/** One row of a file by the rules of `POST /wallets`. An empty cell of a column that is not required is no value. */
export function readWalletRow(
  columns: readonly CsvColumn[],
  cells: readonly string[],
  row: number,
): WalletRow {
  if (cells.length !== columns.length) return refused([columnCountFault(row, cells, columns)]);
  const body: Partial<Record<CsvColumn, string>> = {};
  columns.forEach((column, index) => {
    const cell = cells[index];
    if (cell) body[column] = cell;
  });
  const faults = cellFaults(body, row);
  return faults.length > 0 ? refused(faults) : walletOf(body, row);
}

function refused(faults: RowFault[]): WalletRow {
  return { wallet: null, faults };
}

function cellFaults(body: Partial<Record<CsvColumn, string>>, row: number): RowFault[] {
  const faults: RowFault[] = [];
  for (const field of CSV_COLUMNS) {
    if (body[field]?.includes('\0')) {
      faults.push({ row, field, code: 'invalid_characters', message: 'NUL is refused.' });
    } else if (body[field] === undefined && REQUIRED_CSV_COLUMNS.includes(field)) {
      faults.push({ row, field, code: 'required', message: 'This cell must not be empty.' });
    }
  }
  return faults;
}

function walletOf(body: object, row: number): WalletRow {
  const parsed = CreateWalletBody.safeParse(body, { error: faultText });
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

function schemaFault(issue: z.core.$ZodIssue, row: number): RowFault {
  const nested = issue.code === 'invalid_union' ? issue.errors.flat().at(-1) : undefined;
  const told = nested ?? issue;
  return { row, field: columnAt(issue.path[0]), code: faultCode(told), message: told.message };
}

function columnAt(name: PropertyKey | undefined): CsvColumn | null {
  return CSV_COLUMNS.find((column) => column === name) ?? null;
}
