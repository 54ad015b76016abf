/** What one file of labels may hold, and how many of its faults are told. */
export const LABEL_FILE_LIMITS = {
  fileBytes: 256 * 1024 * 1024,
  rows: 1_000_000,
  /** No row that is right comes near it. */
  rowBytes: 64 * 1024,
  faults: 1_000,
} as const;

/** One fault of a file. `row` is the line of a CSV file (1 is the header) or of a TagPack. Texts never repeat the file. */
export interface LabelFault {
  row: number | null;
  field: string | null;
  code: string;
  message: string;
}

/** A file that cannot be read on. */
export class UnreadableFile extends Error {
  readonly fault: LabelFault;

  constructor(row: number | null, code: string, message: string) {
    super(message);
    this.name = 'UnreadableFile';
    this.fault = { row, field: null, code, message };
  }
}
