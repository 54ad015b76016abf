import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signatureKeyOf, type SignatureKey } from '../../db/vault/compact-jws.ts';
import { makeEvidence } from '../../evidence/make-evidence.ts';
import { openArchive } from '../../evidence/open-archive.ts';
import { verifyEvidence, type EvidenceOutcome } from '../../evidence/verify-evidence.ts';
import { projectRoot } from '../../standalone/project-root.ts';
import type { Json, TestApi } from '../api-client.ts';

/** Runs `use` with a file of these bytes, which is removed afterwards. */
async function withFile<T>(bytes: Buffer, use: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'evidence-'));
  try {
    const path = join(folder, 'evidence.zip');
    await writeFile(path, bytes);
    return await use(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The contents of the files of an archive, by path. */
export async function contentsIn(bytes: Buffer): Promise<Map<string, Buffer>> {
  return await withFile(bytes, async (path) => {
    const archive = await openArchive(path);
    const contents = new Map<string, Buffer>();
    for (const name of archive.paths) contents.set(name, await joined(archive.read(name)));
    archive.close();
    return contents;
  });
}

/** The files of an archive as texts, by path. */
export async function textsIn(bytes: Buffer): Promise<Record<string, string>> {
  const contents = [...(await contentsIn(bytes))];
  return Object.fromEntries(contents.map(([path, content]) => [path, content.toString()]));
}

/** All bytes of a stream. */
export async function joined(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

/** The objects in a file of JSON lines. */
export function objectsIn(text: string | undefined): Json[] {
  return (text ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Json);
}

export async function outcomeOf(
  bytes: Buffer,
  keys: readonly SignatureKey[] | null,
): Promise<EvidenceOutcome> {
  return await withFile(bytes, async (path) => await verifyEvidence(path, keys));
}

const folder = join(projectRoot, 'test/evidence/golden');

/** Makes the evidence of a transaction, which is read later. */
export async function startEvidence(
  { db, deps }: TestApi,
  { tenant, id, now = new Date() }: { tenant: { apiKey: string }; id: string; now?: Date },
): Promise<() => Promise<Buffer>> {
  const { content } = await makeEvidence(db, {
    transactionId: id,
    caller: await deps.authenticateTenant(tenant.apiKey),
    includesFiles: true,
    environment: 'sandbox',
    openObject: async (key) => await deps.storage.get(key),
    readInTurn: deps.readInTurn,
    writeInTurn: deps.writeInTurn,
    now,
  });
  return async () => await joined(content as AsyncIterable<Buffer>);
}

/** Keeps an archive and the key of its signature as a fixture, when the tests run with RECORD_EVIDENCE=1. */
export async function recordEvidence(
  api: TestApi,
  made: { tenant: { apiKey: string }; id: string; now: Date },
): Promise<void> {
  if (!process.env['RECORD_EVIDENCE']) return;
  const read = await startEvidence(api, made);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'evidence.zip'), await read());
  writeFileSync(join(folder, 'key.pem'), api.db.vault.seals.publicKey.pem);
}

/** An archive that was made by an earlier run, with files, decisions and sealed days. */
export const golden = {
  file: join(folder, 'evidence.zip'),
  keyFile: join(folder, 'key.pem'),
  bytes: () => readFileSync(join(folder, 'evidence.zip')),
  key: () => signatureKeyOf(readFileSync(join(folder, 'key.pem'), 'utf8')),
};
