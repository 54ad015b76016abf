import { createHash } from 'node:crypto';
import { openJws, signatureKeyOf, type SignatureKey } from '../db/vault/compact-jws.ts';
import {
  EvidenceManifest,
  LineHash,
  LINES_PATH,
  MANIFEST_PATH,
  SIGNATURE_PATH,
  type EvidenceFile,
} from '../domain/evidence/manifest.ts';
import { BrokenLink, reading, readingLine } from './broken-link.ts';
import { hashOfLine, hasLines } from './measure.ts';
import type { OpenArchive } from './open-archive.ts';

/** The manifest of an archive, with the keys that check what is in it. */
export interface SignedManifest {
  manifest: EvidenceManifest;
  keys: readonly SignatureKey[];
}

/**
 * Reads the manifest and checks its signature. Without keys it is checked with the one that the manifest itself names, which
 * proves nothing about who made it. Throws BrokenLink.
 */
export async function readManifest(
  archive: OpenArchive,
  given: readonly SignatureKey[] | null,
): Promise<SignedManifest> {
  const text = await archive.readText(MANIFEST_PATH);
  const jws = await archive.readText(SIGNATURE_PATH);
  const keys = given ?? [await reading(MANIFEST_PATH, async () => await Promise.resolve(namedKey(text)))];
  const signed = openJws(jws, 'EVIDENCE', keys);
  if (signed === null) throw new BrokenLink('is not a signature by this key', SIGNATURE_PATH);
  if (signed !== text) throw new BrokenLink('is not what was signed', MANIFEST_PATH);
  const manifest = await reading(MANIFEST_PATH, async () => EvidenceManifest.parseAsync(JSON.parse(text)));
  return { manifest, keys };
}

function namedKey(text: string): SignatureKey {
  const { publicKey } = JSON.parse(text) as { publicKey: string };
  return signatureKeyOf(publicKey);
}

/** Compares the files of an archive with its manifest, line by line where they have lines. Throws BrokenLink. */
export async function checkFiles(archive: OpenArchive, { files }: EvidenceManifest): Promise<void> {
  const index = files.find(({ path }) => path === LINES_PATH);
  if (!index) throw new BrokenLink(`does not name ${LINES_PATH}`, MANIFEST_PATH);
  // First the hashes of lines, with which the changed line of another file is named.
  await checkFile(archive, index, null);
  const lines = await readLineHashes(archive);
  for (const file of files.filter((each) => each !== index))
    await checkFile(archive, file, hasLines(file.path) ? (lines.get(file.path) ?? []) : null);
  comparePaths(archive.paths, [...files.map(({ path }) => path), MANIFEST_PATH, SIGNATURE_PATH]);
}

function comparePaths(given: readonly string[], signed: readonly string[]): void {
  const known = new Set(signed);
  const added = given.find((path) => !known.has(path));
  if (added !== undefined) throw new BrokenLink('was added', added);
  const moved = given.find((path, place) => path !== signed[place]);
  if (moved !== undefined) throw new BrokenLink('is not in its place', moved);
}

async function readLineHashes(archive: OpenArchive): Promise<Map<string, string[]>> {
  const hashes = new Map<string, string[]>();
  let number = 0;
  for await (const line of archive.readLines(LINES_PATH)) {
    number += 1;
    const { path, sha256 } = readingLine(LINES_PATH, number, () => LineHash.parse(parsed(line)));
    const ofFile = hashes.get(path);
    if (ofFile) ofFile.push(sha256);
    else hashes.set(path, [sha256]);
  }
  return hashes;
}

/** The JSON value of a line. */
export function parsed(line: Buffer): unknown {
  return JSON.parse(line.toString());
}

/** `lines` are the hashes of its lines; null for a file that is hashed as a whole. */
async function checkFile(
  archive: OpenArchive,
  { path, bytes, sha256 }: EvidenceFile,
  lines: readonly string[] | null,
): Promise<void> {
  const whole = createHash('sha256');
  let length = 0;
  let number = 0;
  for await (const chunk of lines ? archive.readLines(path) : archive.read(path)) {
    whole.update(chunk);
    length += chunk.length;
    number += 1;
    if (lines && hashOfLine(chunk) !== lines[number - 1])
      throw new BrokenLink(number > lines.length ? 'was added' : 'was changed', path, number);
  }
  if (lines && number < lines.length) throw new BrokenLink('is missing', path, number + 1);
  if (length !== bytes || whole.digest('hex') !== sha256) throw new BrokenLink('was changed', path);
}
