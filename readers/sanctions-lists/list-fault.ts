const MESSAGES = {
  TRUNCATED: 'The file ends too early: fetch it again and compare its size with that of the publisher.',
  NOT_THIS_FORMAT:
    'The file is not of the format that it was given as: check the address and the format of the list.',
  ENTITY_DECLARED:
    'The file has a document type declaration, which may declare entities: use the file as published.',
  TOO_LARGE: 'The file goes over a limit of size or nesting: use the file as published.',
  EMPTY: 'The file names nobody: fetch it again; an empty file never replaces a list.',
  ENCODING:
    'The file has bytes that are no text in its encoding: save it as UTF-8, or use the file as published.',
} as const;

export type ListFaultCode = keyof typeof MESSAGES;

/**
 * A file that cannot be a list as a whole. The message says what to do and contains nothing of the file. It is no RowFault,
 * which a reader reports and goes on: an entry that cannot be read is only counted, and this ends the import.
 */
export class ListFault extends Error {
  readonly code: ListFaultCode;

  /** `row` counts from 1. Its contents are not quoted. */
  constructor(code: ListFaultCode, row?: number) {
    super(row === undefined ? MESSAGES[code] : `Row ${row}: ${MESSAGES[code]}`);
    this.name = 'ListFault';
    this.code = code;
  }
}
