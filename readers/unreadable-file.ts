import { rowFault, type RowFault } from '../domain/row-fault.ts';

/**
 * Why a file cannot be read on. UTF_16 is told only where nothing but UTF-8 is read; MALFORMED is a row that is no CSV, or
 * an object that is no JSON.
 */
export type UnreadableReason =
  'ENCODING' | 'UTF_16' | 'CHARACTER_CUT_OFF' | 'ROW_TOO_LONG' | 'QUOTE_NOT_CLOSED' | 'MALFORMED';

/** The bytes or the text of a file cannot be read on. Each format has its own code and message for it. */
export class UnreadableFile extends Error {
  readonly reason: UnreadableReason;
  /** The row that could not be read; null is the file as a whole. */
  readonly row: number | null;

  constructor(reason: UnreadableReason, row: number | null = null) {
    super(reason);
    this.name = 'UnreadableFile';
    this.reason = reason;
    this.row = row;
  }
}

/** A file that has text, but not of its format: reading on would tell nothing. */
export class FileFault extends Error {
  readonly fault: RowFault;

  constructor(row: number | null, code: string, message: string) {
    super(message);
    this.name = 'FileFault';
    this.fault = rowFault(row, code, message);
  }
}

interface FaultText {
  code: string;
  message: string;
}

/** Code and message of a format for everything that ends the reading of a file. */
export type UnreadableTexts = Readonly<Record<UnreadableReason, FaultText>>;

/** Texts of a format that tells apart only a file that is no text and a row that cannot be read. */
export function unreadableTexts(noText: FaultText, noRow: FaultText): UnreadableTexts {
  return {
    ENCODING: noText,
    UTF_16: noText,
    CHARACTER_CUT_OFF: noText,
    ROW_TOO_LONG: noRow,
    QUOTE_NOT_CLOSED: noRow,
    MALFORMED: noRow,
  };
}

/** The fault that ended the reading of a file. Throws the error when it is something else. */
export function endingFault(error: unknown, texts: UnreadableTexts): RowFault {
  if (error instanceof FileFault) return error.fault;
  if (!(error instanceof UnreadableFile)) throw error;
  const { code, message } = texts[error.reason];
  return rowFault(error.row, code, message);
}
