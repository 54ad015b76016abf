import type { SignatureKey } from '../db/vault/compact-jws.ts';
import type { EvidenceManifest } from '../domain/evidence/manifest.ts';
import { BrokenLink } from './broken-link.ts';
import { checkDaySeals, type SealCoverage } from './check-day-seals.ts';
import { checkFiles, readManifest } from './check-files.ts';
import { checkLinks } from './check-links.ts';
import { openArchive, requireSameBytes } from './open-archive.ts';

/** What an archive proves, if nothing in it is broken. */
export interface WholeEvidence {
  manifest: EvidenceManifest;
  keyId: string;
  events: number;
  messages: number;
  seals: SealCoverage;
}

/** An archive that is whole, or the first broken link of one that is not. */
export type EvidenceOutcome = { whole: WholeEvidence; broken: null } | { whole: null; broken: BrokenLink };

/**
 * Checks an archive without the deployment that made it: signature, files, every byte, and what the files say of each other.
 * Without keys it is checked with the key that it names itself, which does not prove who made it. Throws for a file that
 * cannot be read at all.
 */
export async function verifyEvidence(
  file: string,
  keys: readonly SignatureKey[] | null,
): Promise<EvidenceOutcome> {
  try {
    return { whole: await verifyWhole(file, keys), broken: null };
  } catch (error) {
    if (error instanceof BrokenLink) return { whole: null, broken: error };
    throw error;
  }
}

async function verifyWhole(file: string, given: readonly SignatureKey[] | null): Promise<WholeEvidence> {
  const archive = await openArchive(file);
  try {
    const { manifest, keys } = await readManifest(archive, given);
    await checkFiles(archive, manifest);
    await requireSameBytes(file, archive);
    const { logs, messages } = await checkLinks(archive, manifest);
    const seals = await checkDaySeals(archive, { manifest, keys, logs });
    const events = logs.reduce((sum, log) => sum + log.events, 0);
    return { manifest, keyId: keys.map(({ keyId }) => keyId).join(', '), events, messages, seals };
  } finally {
    archive.close();
  }
}
