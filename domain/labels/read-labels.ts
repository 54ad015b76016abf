import { LABEL_FILE_LIMITS, UnreadableFile, type LabelFault } from './label-fault.ts';
import { isUsable } from './clean-label.ts';
import type { NewLabel } from './label.ts';
import type { ReadLabel } from './read-label.ts';
import { readLabelCsv } from './read-label-csv.ts';
import { readTagPack } from './read-tag-pack.ts';

const FORMATS = { CSV: readLabelCsv, TAG_PACK: readTagPack } as const;
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
  faults: LabelFault[];
}

/** Gives the usable labels of a file to `take` in batches; stops giving at the first fault, and reading after 1,000. */
export async function readLabels(
  format: LabelFormat,
  content: AsyncIterable<Uint8Array>,
  take: (labels: NewLabel[]) => Promise<void>,
): Promise<LabelReading> {
  const reading: LabelReading = { rows: 0, unusable: 0, faults: [] };
  let batch: NewLabel[] = [];
  try {
    for await (const read of FORMATS[format](content)) {
      batch.push(...usableOf(read, reading));
      if (reading.faults.length >= LABEL_FILE_LIMITS.faults) break;
      if (batch.length < BATCH) continue;
      if (reading.faults.length === 0) await take(batch);
      batch = [];
    }
    if (reading.rows === 0) throw new UnreadableFile(null, 'labels_missing', 'The file has no labels.');
    if (reading.faults.length === 0 && batch.length > 0) await take(batch);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    reading.faults.unshift(error.fault);
  }
  reading.faults.splice(LABEL_FILE_LIMITS.faults);
  return reading;
}

const BATCH = 5_000;

function usableOf(read: readonly ReadLabel[], reading: LabelReading): NewLabel[] {
  const usable: NewLabel[] = [];
  for (const { label, faults } of read) {
    reading.rows += 1;
    if (reading.rows > LABEL_FILE_LIMITS.rows) throw tooManyRows();
    reading.faults.push(...faults);
    if (label && isUsable(label)) usable.push(label);
    else if (label) reading.unusable += 1;
  }
  return usable;
}

function tooManyRows(): UnreadableFile {
  return new UnreadableFile(null, 'too_many_rows', `A file has at most ${LABEL_FILE_LIMITS.rows} labels.`);
}
