import { z } from 'zod';

const HexHash = z.string().regex(/^[0-9a-f]{64}$/);

/** The names of the files that say what the others are. */
export const MANIFEST_PATH = 'manifest.json';
export const SIGNATURE_PATH = 'manifest.jws';
/** One SHA-256 for each line of each file of JSON lines, so that a changed line can be named. */
export const LINES_PATH = 'lines.jsonl';

/** A file of the archive, named and hashed by the manifest. */
const EvidenceFile = z.strictObject({ path: z.string(), bytes: z.int().min(0), sha256: HexHash });
export type EvidenceFile = z.infer<typeof EvidenceFile>;

/** An event log in the archive, with the end that its record had when the archive was made. */
const EvidenceLog = z.strictObject({
  kind: z.enum(['TRANSACTION', 'VERIFICATION', 'CLAIM']),
  id: z.uuid(),
  path: z.string(),
  sequence: z.int().min(1),
  head: HexHash,
  /** Whether this head is the one that the deployment has anchored. Absent in archives of versions that did not state it. */
  isAnchored: z.boolean().optional(),
});
export type EvidenceLog = z.infer<typeof EvidenceLog>;

/** What an archive is about. Everything of it is known before its files are read. */
const EvidenceSubject = z.strictObject({
  format: z.literal('waybill-evidence'),
  formatVersion: z.literal(1),
  transactionId: z.uuid(),
  tenantId: z.uuid(),
  tenantName: z.string(),
  environment: z.string(),
  createdAt: z.iso.datetime(),
  requestedBy: z.strictObject({ kind: z.enum(['USER', 'API_KEY']), id: z.string() }),
  /** True while party data is hidden from the tenant: messages, screenings, decisions and reviews are left out. */
  isHidden: z.boolean(),
  logs: z.array(EvidenceLog).min(1),
  /** Verifications that the log names and that the tenant has deleted since. */
  deletedVerifications: z.array(z.uuid()),
  /** The Ed25519 public key that `manifest.jws` names (SPKI, PEM). */
  publicKey: z.string(),
});
export type EvidenceSubject = z.infer<typeof EvidenceSubject>;

/** The content of `manifest.json`, which is the payload of `manifest.jws` byte for byte. */
export const EvidenceManifest = EvidenceSubject.extend({
  /** All other files, in the order of the archive. */
  files: z.array(EvidenceFile),
});
export type EvidenceManifest = z.infer<typeof EvidenceManifest>;

/** A line of `lines.jsonl`: the SHA-256 of a line of another file, without its line feed. */
export const LineHash = z.strictObject({ path: z.string(), line: z.int().min(1), sha256: HexHash });
export type LineHash = z.infer<typeof LineHash>;
