import { beginImport, copyLabels, dropImport } from '../../db/labels/label-imports.ts';
import type { Database } from '../../db/database.ts';
import { withConnection } from '../../db/postgres.ts';
import { DomainError } from '../../domain/errors.ts';
import { fileRefused, type RowFault } from '../../domain/row-fault.ts';
import { labelFormat, readLabels, type LabelFormat } from '../../readers/labels/read-labels.ts';
import { withoutRepeats } from '../../readers/labels/repeats.ts';
import { TAG_TYPES_VERSION } from '../../readers/labels/tag-types.ts';
import type { ReadForm } from '../endpoint.ts';
import type { TakeFile } from '../uploads/read-multipart.ts';

/** The result of a label import whose labels are stored but not active yet. */
interface ReceivedLabels {
  form: ReadForm;
  importId: number;
  version: string | null;
  labels: number;
  repeated: number;
  unusable: number;
}

/**
 * Stores the labels of a form while it arrives, one statement per batch, so that a slow sender holds no connection. Removes
 * them if the form is refused. Throws csv_invalid, validation_failed, file_type_not_allowed.
 */
export async function receiveLabels(
  { pool }: Database,
  readForm: (takeFile: TakeFile) => Promise<ReadForm>,
): Promise<ReceivedLabels> {
  const importId = await beginImport(pool, { isBundled: false, now: new Date() });
  const received = { importId, version: null, labels: 0, repeated: 0, unusable: 0 };
  try {
    const form = await readForm(async ({ fileName, content }) => {
      const format = labelFormat(fileName);
      if (!format) throw unknownFormat();
      const repeats = withoutRepeats();
      const { faults, unusable } = await readLabels(format, content, async (batch) => {
        const labels = repeats.next(batch);
        await withConnection(pool, async (client) => await copyLabels(client, importId, labels));
        received.labels += labels.length;
      });
      if (faults.length > 0) throw faultyFile(format, faults);
      const version = format === 'TAG_PACK' ? `tag-types-${TAG_TYPES_VERSION}` : null;
      Object.assign(received, { version, unusable, repeated: repeats.repeated() });
    });
    return { ...received, form };
  } catch (error) {
    // If this fails, the worker removes the import.
    await dropImport(pool, importId).catch(() => undefined);
    throw error;
  }
}

function unknownFormat(): DomainError {
  const message = 'A file of labels ends in .csv, .yaml or .yml.';
  return new DomainError('file_type_not_allowed', message, {
    errors: [{ pointer: '/file', code: 'file_type_not_allowed', message }],
  });
}

function faultyFile(format: LabelFormat, faults: readonly RowFault[]): DomainError {
  const code = format === 'CSV' ? 'csv_invalid' : 'validation_failed';
  return fileRefused(faults, 'Nothing was imported: the file has faults.', code);
}
