import {
  LINES_PATH,
  MANIFEST_PATH,
  SIGNATURE_PATH,
  type EvidenceFile,
  type EvidenceManifest,
  type EvidenceSubject,
  type LineHash,
} from '../domain/evidence/manifest.ts';
import type { ArchiveFile } from './archive.ts';
import { jsonLines, measure } from './measure.ts';

/**
 * The files, and after them the hashes of their lines, the manifest with the hashes of all files, and its signature. Only
 * hashes are kept in memory.
 */
export async function* signedFiles(
  files: Iterable<ArchiveFile>,
  subject: EvidenceSubject,
  sign: (text: string) => string,
): AsyncGenerator<ArchiveFile> {
  const written: EvidenceFile[] = [];
  const lines: LineHash[] = [];
  for (const file of files) {
    const measuring = measure(file);
    yield measuring;
    const { lines: hashed, ...entry } = measuring.measured();
    written.push(entry);
    for (const line of hashed) lines.push(line);
  }
  const index = measure({ path: LINES_PATH, content: jsonLines(lines) });
  yield index;
  const { lines: _, ...indexed } = index.measured();
  const manifest: EvidenceManifest = { ...subject, files: [...written, indexed] };
  const text = JSON.stringify(manifest, null, 2);
  yield { path: MANIFEST_PATH, content: oneChunk(text) };
  yield { path: SIGNATURE_PATH, content: oneChunk(sign(text)) };
}

// oxlint-disable-next-line typescript/require-await
async function* oneChunk(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
