import { activateImport, dropImport } from '../../db/labels/label-imports.ts';
import { invalidField } from '../../domain/errors.ts';
import { faultText } from '../../domain/schema-faults.ts';
import { LABEL_FILE_LIMITS } from '../../readers/labels/read-labels.ts';
import { BUNDLED_SOURCE, LabelImport, SourceName } from '../../domain/labels/schema.ts';
import { defineEndpoint, type ReadForm } from '../endpoint.ts';
import { receiveLabels } from './receive-labels.ts';

const NAME_BYTES = 64;

export const importLabelsEndpoint = defineEndpoint({
  operationId: 'importLabels',
  method: 'POST',
  path: '/operator/labels',
  auth: 'OPERATOR',
  limit: 'WRITES',
  tag: 'Operator',
  summary: 'Import labels of addresses',
  description:
    'A CSV file or a TagPack in YAML, recognised by the ending of its name, with up to 1,000,000 labels. CSV columns, in ' +
    'any order: `address`, `label`, `type`, and optionally `blockchain`, `entity`, `entityName`, `confidence` (0 to 100 ' +
    'or a word of TagPacks), `lastModified`, `reference`. The file replaces all labels of `source` at once. If it has a ' +
    'fault, nothing changes and the first 1,000 faults are listed by row. Sending a file again is safe.',
  idempotency: 'LEASE',
  multipart: {
    file: {
      kind: 'FILE',
      description: 'The file; its name ends in .csv, .yaml or .yml.',
      maxBytes: LABEL_FILE_LIMITS.fileBytes,
      maxCount: 1,
      required: true,
    },
    source: {
      kind: 'TEXT',
      description: 'The name of the source of these labels.',
      maxBytes: NAME_BYTES,
      maxCount: 1,
      required: true,
    },
  },
  example: {
    form: {
      file: 'address,label,type,blockchain\n0x6b175474e89094c44da98b954eedeac495271d0f,Token contract,service,Ethereum\n',
      source: 'own-labels',
    },
  },
  responses: { 201: { description: 'Imported.', schema: LabelImport } },
  errors: ['csv_invalid', 'file_type_not_allowed'],
  async handle({ readForm, commit }, { db }) {
    const { form, importId, version, labels, repeated, unusable } = await receiveLabels(db, readForm);
    const sha256 = form.parts.find(({ name }) => name === 'file')?.sha256 ?? null;
    let isActive = false;
    try {
      return await form.once(async () => {
        const activation = { importId, source: sourceOf(form), version, labels, sha256, now: new Date() };
        const answer = await commit(async (tx) => {
          const source = await activateImport(tx, activation);
          return { status: 201, body: { ...source, repeated, unusable } };
        });
        isActive = true;
        return answer;
      });
    } finally {
      // Refused, or a repeat. If this fails, the worker removes the import.
      if (!isActive) await dropImport(db.pool, importId).catch(() => undefined);
    }
  },
});

function sourceOf({ parts }: ReadForm): string {
  const given = parts.find((part) => part.name === 'source')?.text;
  const name = SourceName.safeParse(given, { error: faultText });
  if (!name.success) throw invalidField('/source', 'invalid_format', name.error.issues[0]?.message ?? '');
  if (name.data === BUNDLED_SOURCE)
    throw invalidField('/source', 'reserved', 'This is the name of what comes with the product.');
  return name.data;
}
