import { DomainError, firstFaultText, type ErrorCode } from './errors.ts';

/** Number of faults that are reported of one uploaded file. */
export const MAX_ROW_FAULTS = 1_000;

/** Longest row of an uploaded file in bytes. No row that is right comes near it. */
export const MAX_ROW_BYTES = 64 * 1024;

/** One fault of an uploaded file. Its texts never repeat what the file says. */
export interface RowFault {
  /** Null is the file as a whole. */
  row: number | null;
  /** The column or member; null where no single one is to blame. */
  field: string | null;
  code: string;
  message: string;
}

/** A fault that no single cell is to blame for. */
export function rowFault(row: number | null, code: string, message: string): RowFault {
  return { row, field: null, code, message };
}

/** The refusal of a file with the first 1,000 of its faults, of which the text names the first. */
export function fileRefused(
  faults: readonly RowFault[],
  message: string,
  code: ErrorCode = 'csv_invalid',
): DomainError {
  const errors = faults.slice(0, MAX_ROW_FAULTS).map((fault) => ({ pointer: '/file', ...fault }));
  return new DomainError(code, `${message} The first: ${firstFaultText(errors)}`, { errors });
}
