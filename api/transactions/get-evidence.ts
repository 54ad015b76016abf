import { Readable } from 'node:stream';
import { z } from 'zod';
import { makeEvidence } from '../../evidence/make-evidence.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { fetchObject, noteUnreadable } from '../uploads/fetch-object.ts';

const EvidenceQuery = z.strictObject({
  files: z
    .enum(['true', 'false'])
    .default('true')
    .describe('Whether the contents of the files of proofs are included, such as pictures of people.'),
});

/** Descriptions of the headers. */
const HEADERS = {
  'Content-Type': 'Always `application/zip`.',
  'Content-Disposition': 'Always an attachment; the file name has the id of the transaction.',
};

const UNFINISHED = 'the evidence of a transaction could not be finished';

export const getEvidenceEndpoint = defineEndpoint({
  operationId: 'getTransactionEvidence',
  method: 'GET',
  path: '/transactions/{id}/evidence',
  auth: 'TENANT',
  permission: 'EXPORT',
  refusesHead: true,
  limit: 'SCREENING',
  tag: 'Transactions',
  summary: 'Get the signed evidence of a transaction',
  description:
    'A ZIP archive for an authority or a court: the transaction, its log, every version of the message, screenings with the ' +
    'versions of their lists, decisions with their traces and rules, reviews, webhooks with their attempts, the proofs of the ' +
    'wallet with their logs and files, and the daily seals. `manifest.json` has the hashes of all files, and ' +
    '`manifest.jws` is its signature by the key of the seals. `npm run verify-evidence -- FILE --key PEM` checks an archive ' +
    'without the deployment and names the first line that was changed. It is full of personal data. While party data is ' +
    'hidden, messages have no content, and there are no screenings and decisions. If the archive cannot be finished the connection is cut.',
  params: z.strictObject({ id: UuidParam }),
  query: EvidenceQuery,
  responses: {
    200: { description: 'The archive.', contentType: 'application/octet-stream', headers: HEADERS },
  },
  errors: [],
  async handle({ params: { id }, query, caller, log }, deps) {
    const { db, storage, settings, readInTurn, writeInTurn, notifyWorkflows } = deps;
    const { content, outbox } = await makeEvidence(db, {
      transactionId: id,
      caller,
      includesFiles: query.files === 'true',
      environment: settings.ENVIRONMENT,
      openObject: async (objectKey) => await fetchObject(storage, objectKey, log),
      readInTurn,
      writeInTurn,
      now: new Date(),
    });
    notifyWorkflows(outbox);
    return {
      status: 200,
      body: Readable.from(noteUnreadable(content, log, UNFINISHED), { objectMode: false }),
      headers: {
        'Content-Type': 'application/zip',
        'Content-Disposition': `attachment; filename="evidence-${id}.zip"`,
      },
    };
  },
});
