/** The columns that a file of wallets may have; the first three it must have. */
export const CSV_COLUMNS = ['address', 'asset', 'blockchain', 'tag', 'metadata'] as const;
export type CsvColumn = (typeof CSV_COLUMNS)[number];
export const REQUIRED_CSV_COLUMNS: readonly CsvColumn[] = CSV_COLUMNS.slice(0, 3);

/** What one upload may hold, in bytes and rows (the header is no row), and how many faults are reported. */
export const CSV_LIMITS = {
  fileBytes: 15 * 1024 * 1024,
  rows: 50_000,
  /** No row that is right comes near it; one that goes on and on ends the reading. */
  rowBytes: 64 * 1024,
  faults: 1_000,
} as const;

/** One fault of a file. Row 1 is the header; null means the file as a whole. Texts never repeat what the file says. */
export interface CsvFault {
  row: number | null;
  field: CsvColumn | null;
  code: string;
  message: string;
}

/** A fault that no cell is to blame for. */
export function rowFault(row: number | null, code: string, message: string): CsvFault {
  return { row, field: null, code, message };
}
