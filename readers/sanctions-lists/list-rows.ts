import { csvRows } from '../csv-rows.ts';
import { listText, type ListFile, type TextRules } from './list-text.ts';
import type { ReadingState } from './reading-state.ts';

/**
 * The rows of a CSV file as it is read, blank rows left out. Rows may have any number of cells and quotes may stand inside
 * a cell: whether a row is one is for its format to say. A file that is cut off at the end of a row looks whole, unless its
 * format has an end mark; otherwise only an open quote tells. Throws ListFault, UnreadableFile.
 */
export async function* listRows(
  file: ListFile,
  reading: ReadingState,
  more: Omit<TextRules, 'startsAs'> = {},
): AsyncGenerator<string[]> {
  const text = listText(file.content, { startsAs: 'CSV', ...more }, reading);
  const maxRowLength = reading.limits.textLength;
  for await (const rows of csvRows(text, { dialect: 'LENIENT', maxRowLength, countsBlankRows: false })) {
    for (const { cells } of rows) yield cells;
  }
}
