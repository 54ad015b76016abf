import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signatureKeyOf, signJws } from '../../db/vault/compact-jws.ts';
import { NOT_ANCHORED } from '../../domain/events/chain.ts';
import { EvidenceManifest, MANIFEST_PATH, SIGNATURE_PATH } from '../../domain/evidence/manifest.ts';
import { writeArchive } from '../../evidence/archive.ts';
import { signedFiles } from '../../evidence/sign-archive.ts';
import { projectRoot } from '../../standalone/project-root.ts';
import type { Json } from '../api-client.ts';
import { contentsIn, golden, joined, outcomeOf } from '../factories/evidence-archive.ts';
import { IS_FULL } from '../full.ts';

const bytes = golden.bytes();
const contents = await contentsIn(bytes);
const manifest = EvidenceManifest.parse(JSON.parse(textOf(MANIFEST_PATH)));
const proof = manifest.logs[1]?.path.replace('/events.jsonl', '') ?? '';

function textOf(path: string): string {
  return contents.get(path)?.toString() ?? '';
}

/** Somebody else's key, and an archive that they have signed. */
const { privateKey } = generateKeyPairSync('ed25519');
const forger = { ...signatureKeyOf(privateKey), privateKey };

type Changes = Record<string, Buffer | string | null>;

/** The golden archive with other contents of files, without those that are null. */
function changed(changes: Changes): [path: string, content: Buffer][] {
  const all = new Map<string, Buffer | string | null>([...contents, ...Object.entries(changes)]);
  return [...all].flatMap(([path, content]) =>
    content === null ? [] : [[path, Buffer.from(content)] as [string, Buffer]],
  );
}

/** In one chunk for each line, as they are hashed. */
// oxlint-disable-next-line typescript/require-await
async function* chunksOf(path: string, content: Buffer): AsyncGenerator<Buffer> {
  const isLines = path.endsWith('.jsonl');
  const lines = isLines ? (content.toString().match(/[^\n]*\n/g) ?? []) : [content];
  for (const line of lines) yield Buffer.from(line);
}

/** An archive of these files as they are: its manifest and signature are the old ones. */
async function repacked(changes: Changes): Promise<Buffer> {
  // oxlint-disable-next-line typescript/require-await
  async function* files() {
    for (const [path, content] of changed(changes)) yield { path, content: chunksOf(path, content) };
  }
  return await joined(writeArchive(files()) as AsyncIterable<Buffer>);
}

/** An archive of these files with a manifest and a signature that fit them. */
async function resigned(changes: Changes, subject: Partial<EvidenceManifest> = {}): Promise<Buffer> {
  const own = ['lines.jsonl', MANIFEST_PATH, SIGNATURE_PATH];
  const { files: _, ...stated } = { ...manifest, ...subject };
  const files = changed(changes)
    .filter(([path]) => !own.includes(path))
    .map(([path, content]) => ({ path, content: chunksOf(path, content) }));
  const sign = (text: string) => signJws(text, 'EVIDENCE', forger);
  return await joined(writeArchive(signedFiles(files, stated, sign)) as AsyncIterable<Buffer>);
}

const brokenIn = async (archive: Buffer) => (await outcomeOf(archive, [golden.key(), forger])).broken;

/** The text of a file of lines with one line taken out, or another value in its place. */
function withLine(path: string, number: number, change: ((line: Json) => Json) | null): Changes {
  const lines = textOf(path).trimEnd().split('\n');
  const line = JSON.parse(lines[number - 1] ?? '') as Json;
  lines.splice(number - 1, 1, ...(change ? [JSON.stringify(change(line))] : []));
  return { [path]: lines.map((text) => `${text}\n`).join('') };
}

/** A file of one line, and the line again with other values. */
function twice(path: string, values: Json): string {
  const line = textOf(path);
  return `${line}${JSON.stringify({ ...(JSON.parse(line) as Json), ...values })}\n`;
}

describe('an archive of an earlier version', () => {
  test('is whole, by the key of then', async () => {
    const { whole, broken } = await outcomeOf(bytes, [golden.key()]);
    expect(broken).toBeNull();
    expect(whole).toMatchObject({ manifest: { formatVersion: 1 }, keyId: golden.key().keyId });
    expect(whole?.seals.compared).not.toEqual([]);
  });

  test('is broken with one byte changed, wherever that is', async () => {
    const unseen: number[] = [];
    for (let at = 0; at < bytes.length; at += IS_FULL ? 7 : 97) {
      const other = Buffer.from(bytes);
      other[at] = (other[at] ?? 0) ^ 1;
      if ((await outcomeOf(other, [golden.key()])).broken === null) unseen.push(at);
    }
    expect(unseen).toEqual([]);
  });

  test('is broken with a byte more or less, at either end', async () => {
    const others = [bytes.subarray(1), bytes.subarray(0, -1), Buffer.concat([bytes, Buffer.from([0])])];
    for (const other of [...others, Buffer.concat([Buffer.from([0]), bytes]), Buffer.alloc(0)])
      expect((await outcomeOf(other, [golden.key()])).broken).not.toBeNull();
  });
});

describe('the first changed line is named', () => {
  test.each([
    ['events.jsonl', 2],
    ['screenings.jsonl', 1],
    ['decisions.jsonl', 1],
    ['rules.jsonl', 1],
    ['webhook-attempts.jsonl', 1],
    [`${proof}/events.jsonl`, 3],
    ['seals.jsonl', 1],
  ])('%s', async (path, line) => {
    const other = await repacked(withLine(path, line, (value) => ({ ...value, added: true })));
    expect(await brokenIn(other)).toMatchObject({ path, line, fault: 'was changed' });
  });

  test('and a missing or added one', async () => {
    const path = 'events.jsonl';
    const count = textOf(path).trimEnd().split('\n').length;
    const shorter = await repacked(withLine(path, count, null));
    expect(await brokenIn(shorter)).toMatchObject({ path, line: count, fault: 'is missing' });
    const longer = await repacked({ [path]: `${textOf(path)}{}\n` });
    expect(await brokenIn(longer)).toMatchObject({ path, line: count + 1, fault: 'was added' });
  });

  test('and a missing, added or changed file', async () => {
    expect(await brokenIn(await repacked({ 'rules.jsonl': null }))).toMatchObject({
      path: 'rules.jsonl',
      fault: 'is missing',
    });
    expect(await brokenIn(await repacked({ 'more.txt': 'more' }))).toMatchObject({
      path: 'more.txt',
      fault: 'was added',
    });
    expect(await brokenIn(await repacked({ 'transaction.json': '{}' }))).toMatchObject({
      path: 'transaction.json',
      fault: 'was changed',
    });
    const text = textOf(MANIFEST_PATH).replace('sandbox', 'productive');
    expect(await brokenIn(await repacked({ [MANIFEST_PATH]: text }))).toMatchObject({
      path: MANIFEST_PATH,
      fault: 'is not what was signed',
    });
  });
});

test('whoever has no key of the deployment can sign nothing of it', async () => {
  const forgery = await resigned({}, { publicKey: forger.pem });
  expect((await outcomeOf(forgery, [golden.key()])).broken).toMatchObject({
    path: SIGNATURE_PATH,
    fault: 'is not a signature by this key',
  });
  // Without a key nobody can tell: the command says so.
  expect((await outcomeOf(forgery, null)).broken).toBeNull();
});

describe('files that do not fit each other are broken, whoever has signed them', () => {
  const logOf = (events: number) =>
    manifest.logs.map((log, place) => (place === 0 ? { ...log, sequence: events } : log));
  const events = textOf('events.jsonl').trimEnd().split('\n').length;
  const cases: [string, Changes, Partial<EvidenceManifest>, Json][] = [
    [
      'an entry is missing',
      withLine('events.jsonl', 2, null),
      {},
      { path: 'events.jsonl', line: 2, fault: 'entry 2 is missing' },
    ],
    [
      'an entry has other words',
      withLine('events.jsonl', 2, (line) => ({ ...line, message: 'Nothing.' })),
      {},
      { path: 'events.jsonl', line: 2, fault: 'entry 2 was changed' },
    ],
    [
      'the last entries are missing',
      withLine('events.jsonl', events, null),
      {},
      { path: 'events.jsonl', fault: `the last entries are missing: ${events - 1} of ${events}` },
    ],
    [
      'the head is that of another log',
      withLine('events.jsonl', events, null),
      { logs: logOf(events - 1) },
      { path: 'events.jsonl', fault: 'the head does not fit the last entry' },
    ],
    [
      'the proof of a decision is missing',
      {},
      { logs: manifest.logs.slice(0, 1) },
      { path: 'events.jsonl', fault: expect.stringContaining('which is missing') as unknown },
    ],
    [
      'the status is another one',
      { 'transaction.json': textOf('transaction.json').replace('"CONFIRMED"', '"DECLINED"') },
      {},
      { path: 'transaction.json' },
    ],
    [
      'the status of a proof is another one',
      {
        [`${proof}/verification.json`]: textOf(`${proof}/verification.json`).replace(
          '"VERIFIED"',
          '"DECLINED"',
        ),
      },
      {},
      { path: `${proof}/verification.json`, fault: 'has a status that no entry of the log explains' },
    ],
    ['rules are missing', { 'rules.jsonl': '' }, {}, { path: 'decisions.jsonl', line: 1 }],
    [
      'rules are others',
      withLine('rules.jsonl', 1, (line) => ({ ...line, defaultDecision: 'BLOCK' })),
      {},
      { path: 'rules.jsonl', line: 1, fault: 'the rules do not fit their hash' },
    ],
    [
      'a decision is missing',
      withLine('decisions.jsonl', 1, (line) => ({ ...line, sequence: 2 })),
      {},
      { path: 'decisions.jsonl', line: 1, fault: 'decision 1 is missing' },
    ],
    [
      'a decision is in no entry',
      { 'decisions.jsonl': twice('decisions.jsonl', { sequence: 2 }) },
      {},
      { path: 'decisions.jsonl', line: 2, fault: 'is in no entry of the log' },
    ],
    [
      'the deployment has not anchored the log',
      {},
      { logs: manifest.logs.map((log) => ({ ...log, isAnchored: log.kind !== 'VERIFICATION' })) },
      { path: `${proof}/events.jsonl`, fault: NOT_ANCHORED },
    ],
    [
      'a picture is another one',
      { [[...contents.keys()].find((path) => path.endsWith('.png')) ?? '']: 'other' },
      {},
      { path: `${proof}/files.jsonl`, line: 1 },
    ],
    [
      'a version of the message is one that no entry names',
      {
        'messages.jsonl': `${JSON.stringify({
          sequence: 1,
          eventId: 'x',
          createdAt: manifest.createdAt,
          payloadHash: 'x',
          salt: 'x',
          message: {},
          withheld: null,
        })}\n`,
      },
      {},
      { path: 'messages.jsonl', line: 1 },
    ],
    [
      'the seal states other entries',
      { [`seals/${(JSON.parse(textOf('seals.jsonl')) as { day: string }).day}.txt`]: '' },
      {},
      { path: 'seals.jsonl', line: 1 },
    ],
    [
      'the seal is that of another tenant',
      {},
      { tenantId: '00000000-0000-4000-8000-000000000000' },
      { path: 'events.jsonl', line: 1, fault: 'entry 1 is that of another record' },
    ],
    ['a line is no JSON', { 'events.jsonl': 'x\n' }, {}, { path: 'events.jsonl', line: 1 }],
  ];
  test.each(cases)('%s', async (_, changes, subject, broken) => {
    expect(await brokenIn(await resigned(changes, subject))).toMatchObject(broken);
  });
});

describe('npm run verify-evidence', () => {
  async function run(...argv: string[]): Promise<{ code: unknown; text: string }> {
    const command = [join(projectRoot, 'dist/commands/verify-evidence.js'), ...argv];
    return await new Promise((resolve) => {
      // No setting of a deployment is needed.
      execFile(process.execPath, command, { env: {} }, (error, stdout, stderr) =>
        resolve({ code: error ? error.code : 0, text: stdout + stderr }),
      );
    });
  }

  test('0 for what is whole by the key', async () => {
    const { code, text } = await run(golden.file, '--key', golden.keyFile);
    expect([code, text]).toEqual([0, expect.stringContaining(`WHOLE by key ${golden.key().keyId}`)]);
    expect(text).toContain(manifest.transactionId);
    expect(text).toContain('did not state whether the deployment had anchored');
  });

  test('1 for what is broken, with the first broken link', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'evidence-'));
    const file = join(folder, 'other.zip');
    await writeFile(file, await repacked(withLine('events.jsonl', 2, () => ({}))));
    for (const key of [[], ['--key', golden.keyFile]])
      expect(await run(file, ...key)).toEqual({
        code: 1,
        text: 'BROKEN: events.jsonl, line 2: was changed.\n',
      });
    await writeFile(file, 'no archive');
    expect(await run(file)).toMatchObject({ code: 1 });
    await rm(folder, { recursive: true });
  });

  test('2 without a key, and for what cannot be checked', async () => {
    const { code, text } = await run(golden.file);
    expect([code, text]).toEqual([2, expect.stringContaining('No key was given')]);
    expect(text).toContain('UNPROVEN');
    expect(text).not.toContain('WHOLE');
    for (const argv of [[], ['--what'], ['nowhere.zip'], [golden.file, '--key', golden.file]])
      expect(await run(...argv)).toMatchObject({ code: 2 });
  });
});
