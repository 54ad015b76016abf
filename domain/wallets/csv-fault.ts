/** The columns of a wallet file; the first three are required. */
export const CSV_COLUMNS = ['address', 'asset', 'blockchain', 'tag', 'metadata'] as const;
export type CsvColumn = (typeof CSV_COLUMNS)[number];
export const REQUIRED_CSV_COLUMNS: readonly CsvColumn[] = CSV_COLUMNS.slice(0, 3);

/** Limits of one upload: bytes, rows without the header, bytes per row, and faults reported. */
export const CSV_LIMITS = {
  fileBytes: 15 * 1024 * 1024,
  rows: 50_000,
  /** Far above any valid row; a longer one ends the reading. */
  rowBytes: 64 * 1024,
  faults: 1_000,
} as const;

/** A fault in a file. Row 1 is the header; null stands for the whole file. The message never repeats its content. */
export interface CsvFault {
  row: number | null;
  field: CsvColumn | null;
  code: string;
  message: string;
}

/** A fault that concerns no single cell. */
export function rowFault(row: number | null, code: string, message: string): CsvFault {
  return { row, field: null, code, message };
}
