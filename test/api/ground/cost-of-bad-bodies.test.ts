import { Readable } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import { endpoints } from '../../../api/endpoints.ts';
import { parseBody } from '../../../api/middleware/parse-input.ts';
import { readMultipart } from '../../../api/uploads/read-multipart.ts';
import { DomainError } from '../../../domain/errors.ts';
import { leastCpuMs } from '../../least-cpu-ms.ts';

// What a body costs that is refused: whoever sends many must not stop the api for others.

const LIMIT_MS = 5;
const JSON_TYPE = { 'content-type': 'application/json' };

const endpoint = (operationId: string) => {
  const found = endpoints.find((one) => one.operationId === operationId);
  if (!found) throw new Error(operationId);
  return found;
};

/** Parses a body as its endpoint does; the first fault. */
function refuse(operationId: string, text: string): string | undefined {
  try {
    parseBody(endpoint(operationId), Buffer.from(text), JSON_TYPE);
    return undefined;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.code;
  }
}

async function expectCheapRefusal(operationId: string, text: string): Promise<void> {
  expect(['validation_failed', 'malformed_json']).toContain(refuse(operationId, text));
  expect(await leastCpuMs(() => refuse(operationId, text), LIMIT_MS)).toBeLessThan(LIMIT_MS);
}

const MOST = 262_144;
const country = (text: string) =>
  JSON.stringify({ asset: 'ETH', amount: '1', originator: { country: text } });
const within = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const objectsWithin = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

test.each<[string, string]>([
  ['a country of 400 kB', country('x'.repeat(400_000))],
  ['a country of many words', country('Côte d’ '.repeat(25_000))],
  ['a country of nothing but flags', country('\u{1f1e9}\u{1f1ea}'.repeat(30_000))],
  ['100,000 brackets', '['.repeat(100_000)],
  ['as many brackets as there may be bytes', '['.repeat(MOST)],
  ['100,000 lists within each other', within(100_000)],
  ['40,000 objects within each other', objectsWithin(40_000)],
  ['one name 1,900 times', `{${Array.from({ length: 1_900 }, () => '"asset":"ETH"').join()}}`],
  ['one name 30,000 times', `{${Array.from({ length: 30_000 }, () => '"a":1').join()}}`],
  ['a text of escaped quotes', JSON.stringify({ asset: '"'.repeat(120_000) })],
  ['an amount of 250,000 digits', JSON.stringify({ asset: 'ETH', amount: '9'.repeat(250_000) })],
])('POST /transactions refuses %s in less than 5 ms', async (_what, text) => {
  await expectCheapRefusal('createTransaction', text);
});

const DRAFT = 2_000_000;
const INQUIRY = 1_000_000;
test.each<[string, string, string]>([
  ['patchRuleDraft', '2 MB of brackets', '['.repeat(DRAFT)],
  ['patchRuleDraft', '2 MB of lists within each other', within(DRAFT / 2)],
  ['patchRuleDraft', '2 MB of one name', `{${'"a":1,'.repeat(333_000)}"a":1}`],
  ['patchRuleDraft', 'a list of a million items', `[${'1,'.repeat(DRAFT / 2)}1]`],
  ['receiveTrpInquiry', '1 MB of brackets', '['.repeat(INQUIRY)],
  ['receiveTrpInquiry', '1 MB of objects within each other', objectsWithin(166_000)],
  ['receiveTrpInquiry', '1 MB of one name', `{${'"a":1,'.repeat(166_000)}"a":1}`],
])('%s refuses %s in less than 5 ms', async (operationId, _what, text) => {
  await expectCheapRefusal(operationId, text);
});

test.each(['', '; filename="a.csv"'])(
  'a part of a form without a name%s costs less than 5 ms',
  async (rest) => {
    const rule = { description: '', kind: 'FILE', maxBytes: 1_000_000, maxCount: 1, required: true } as const;
    const part = `--x\r\nContent-Disposition: form-data${rest}\r\n\r\n${'y'.repeat(60_000)}\r\n--x--\r\n`;
    const read = async () => {
      const headers = { 'content-type': 'multipart/form-data; boundary=x' };
      const request = Object.assign(Readable.from([Buffer.from(part)]), { headers });
      return await readMultipart(
        request as unknown as IncomingMessage,
        { file: rule },
        async ({ content }) => {
          for await (const _chunk of content);
        },
      ).catch((error: unknown) => error);
    };
    expect(await read()).toMatchObject({ code: 'validation_failed' });
    expect(await leastCpuMs(read, LIMIT_MS)).toBeLessThan(LIMIT_MS);
  },
);
