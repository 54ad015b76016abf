import { openJws, signerOf, type SignatureKey } from '../db/vault/compact-jws.ts';
import { SealLine } from '../domain/evidence/lines.ts';
import type { EvidenceManifest } from '../domain/evidence/manifest.ts';
import { headLine, readStatement } from '../domain/seals/seal.ts';
import { BrokenLink, readingLine } from './broken-link.ts';
import { parsed } from './check-files.ts';
import type { CheckedLog } from './check-links.ts';
import type { OpenArchive } from './open-archive.ts';

const PATH = 'seals.jsonl';

/** How far the daily seals prove the logs. */
export interface SealCoverage {
  /** Days whose seal was compared with the last entries of the logs on them. */
  compared: string[];
  /** Days with entries whose seal is not in the archive, or could not be compared. */
  open: string[];
}

/**
 * Compares the daily seals with the logs: each states, signed, the last entry of every log that grew on its day. Throws
 * BrokenLink.
 */
export async function checkDaySeals(
  archive: OpenArchive,
  {
    manifest,
    keys,
    logs,
  }: { manifest: EvidenceManifest; keys: readonly SignatureKey[]; logs: readonly CheckedLog[] },
): Promise<SealCoverage> {
  const days = new Set(logs.flatMap(({ lastOfDay }) => [...lastOfDay.keys()]));
  const compared: string[] = [];
  let number = 0;
  for await (const bytes of archive.readLines(PATH)) {
    number += 1;
    const line = number;
    const seal = readingLine(PATH, line, () => SealLine.parse(parsed(bytes)));
    // It is signed by an earlier key of the deployment, which was not given.
    if (!signerOf(seal.jws, 'SEAL', keys)) continue;
    const root = readingLine(PATH, line, () => sealedRoot(seal, manifest, keys));
    if (root === null) throw new BrokenLink(`the seal of ${seal.day} is not signed by this key`, PATH, line);
    if (seal.heads === null) continue;
    const copied = manifest.files.find(({ path }) => path === seal.heads);
    if (copied?.sha256 !== root)
      throw new BrokenLink(`the seal of ${seal.day} does not fit the entries of that day`, PATH, line);
    await checkHeads(archive, { path: seal.heads, day: seal.day, logs });
    compared.push(seal.day);
  }
  const open = [...days].filter((day) => !compared.includes(day));
  return { compared: compared.toSorted(), open: open.toSorted() };
}

/** The root that a seal states; null if it is not signed, or is that of another tenant or day. */
function sealedRoot(
  { day, jws }: SealLine,
  { tenantId }: EvidenceManifest,
  keys: readonly SignatureKey[],
): string | null {
  const text = openJws(jws, 'SEAL', keys);
  if (text === null) return null;
  const stated = readStatement(text);
  return stated.day === day && stated.tenantId === tenantId ? stated.root : null;
}

/** Looks for the last entry of each log among the lines that the seal states. */
async function checkHeads(
  archive: OpenArchive,
  { path, day, logs }: { path: string; day: string; logs: readonly CheckedLog[] },
): Promise<void> {
  const expected = new Map<string, string>();
  for (const { log, lastOfDay } of logs) {
    const last = lastOfDay.get(day);
    if (last) expected.set(headLine({ subjectKind: log.kind, subjectId: log.id, ...last }), log.path);
  }
  for await (const line of archive.readLines(path)) expected.delete(line.toString());
  const [missing] = expected.values();
  if (missing !== undefined) throw new BrokenLink(`the seal of ${day} states other entries`, missing);
}
