import { MAX_ROW_BYTES, type RowFault } from '../../domain/row-fault.ts';
import { isUsable } from '../../domain/labels/clean-label.ts';
import type { NewLabel } from '../../domain/labels/label.ts';
import { RowFaults } from '../row-faults.ts';
import { endingFault, FileFault, unreadableTexts } from '../unreadable-file.ts';
import type { ReadLabel } from './read-label.ts';
import { readLabelCsv } from './read-label-csv.ts';
import { readTagPack } from './read-tag-pack.ts';

/** What one file of labels may hold, in bytes and labels. */
export const LABEL_FILE_LIMITS = { fileBytes: 256 * 1024 * 1024, rows: 1_000_000 } as const;

const NOT_UTF_8 = { code: 'encoding_invalid', message: 'The file is not UTF-8.' };
const NO_CSV = { code: 'csv_malformed', message: 'From this row on the file is no CSV.' };
const TAG_TOO_LONG = { code: 'row_too_long', message: `A tag has at most ${MAX_ROW_BYTES} bytes.` };

const FORMATS = {
  CSV: { read: readLabelCsv, texts: unreadableTexts(NOT_UTF_8, NO_CSV) },
  TAG_PACK: { read: readTagPack, texts: unreadableTexts(NOT_UTF_8, TAG_TOO_LONG) },
} as const;
export type LabelFormat = keyof typeof FORMATS;

/** The format of a file by the ending of its name; undefined for any other. */
export function labelFormat(fileName: string): LabelFormat | undefined {
  if (/\.csv$/i.test(fileName)) return 'CSV';
  return /\.ya?ml$/i.test(fileName) ? 'TAG_PACK' : undefined;
}

/** What a file of labels came to. With faults nothing of it may be used. */
export interface LabelReading {
  rows: number;
  /** Labels of tokens' contracts and of addresses without an owner. */
  unusable: number;
  faults: RowFault[];
}

/** Gives the usable labels of a file to `take` in batches; none after the first fault. Reading ends at 1,000 faults. */
export async function readLabels(
  format: LabelFormat,
  content: AsyncIterable<Uint8Array>,
  take: (labels: NewLabel[]) => Promise<void>,
): Promise<LabelReading> {
  const { read, texts } = FORMATS[format];
  const rows = new LabelRows(take);
  try {
    for await (const labels of read(content)) {
      await rows.add(labels);
      if (rows.faults.isFull) break;
    }
    if (rows.total === 0) throw new FileFault(null, 'labels_missing', 'The file has no labels.');
    await rows.flush();
  } catch (error) {
    rows.faults.addFirst(endingFault(error, texts));
  }
  return { rows: rows.total, unusable: rows.unusable, faults: rows.faults.reported() };
}

const BATCH = 5_000;

/** The rows that have been read so far, with usable labels that are still to be taken. */
class LabelRows {
  readonly faults = new RowFaults();
  total = 0;
  unusable = 0;
  readonly #take: (labels: NewLabel[]) => Promise<void>;
  #batch: NewLabel[] = [];

  constructor(take: (labels: NewLabel[]) => Promise<void>) {
    this.#take = take;
  }

  /** Throws FileFault over the limit of rows. */
  async add(read: readonly ReadLabel[]): Promise<void> {
    for (const { label, faults } of read) {
      this.total += 1;
      if (this.total > LABEL_FILE_LIMITS.rows) throw tooManyRows();
      this.faults.add(faults);
      if (label && isUsable(label)) this.#batch.push(label);
      else if (label) this.unusable += 1;
    }
    if (this.#batch.length >= BATCH) await this.flush();
  }

  async flush(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    if (batch.length > 0 && this.faults.isEmpty) await this.#take(batch);
  }
}

function tooManyRows(): FileFault {
  return new FileFault(null, 'too_many_rows', `A file has at most ${LABEL_FILE_LIMITS.rows} labels.`);
}
