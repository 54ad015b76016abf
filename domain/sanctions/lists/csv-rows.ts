import { Readable, pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { ListFault } from './list-fault.ts';
import type { ListFile } from './list-file.ts';
import { listText, type TextRules } from './list-text.ts';
import type { Reading } from './reading.ts';

/**
 * The rows of a CSV file as it is read, blank rows left out. Rows may have any number of cells and quotes may stand inside
 * a cell: whether a row is one is for its format to say. A file that is cut off at the end of a row looks whole; only an
 * open quote tells. Throws ListFault.
 */
export async function* csvRows(
  file: ListFile,
  reading: Reading,
  more: Pick<TextRules, 'mayBeLatin1'> = {},
): AsyncGenerator<string[]> {
  const parser = parse({
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    max_record_size: reading.limits.textLength,
  });
  const text = listText(file.content, { startsAs: 'CSV', ...more }, reading);
  // A fault of either side ends the loop below; the pipeline only has to take the other side down.
  pipeline(Readable.from(text), parser, () => undefined);
  try {
    for await (const cells of parser as AsyncIterable<string[]>) yield cells;
  } catch (error) {
    throw error instanceof CsvError ? new ListFault(faultCode(error)) : error;
  }
}

function faultCode(error: CsvError): 'TRUNCATED' | 'TOO_LARGE' | 'NOT_THIS_FORMAT' {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return 'TRUNCATED';
  return error.code === 'CSV_MAX_RECORD_SIZE' ? 'TOO_LARGE' : 'NOT_THIS_FORMAT';
}
