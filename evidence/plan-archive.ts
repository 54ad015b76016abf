import type { Readable } from 'node:stream';
import type { Database } from '../db/database.ts';
import type { InTurn } from '../db/fair-turns.ts';
import type { OutboxEntry } from '../db/outbox.ts';
import { findAnsweredClaims } from '../db/evidence/find-answered-claims.ts';
import { findTransferProofs } from '../db/evidence/find-proofs.ts';
import { daysOfLogs } from '../db/evidence/read-log.ts';
import { findSeals, type DaySeal } from '../db/evidence/read-seals.ts';
import { isAnchored } from '../db/records/anchored-head.ts';
import type { ChainedRecord } from '../db/records/chain-changes.ts';
import { findOpenTransaction } from '../db/transactions/find-transaction.ts';
import type { OpenTransaction } from '../db/transactions/row.ts';
import { changeVerification } from '../db/verifications/change-verification.ts';
import type { OpenVerification } from '../db/verifications/row.ts';
import { listFiles } from '../db/verifications/stored-files.ts';
import type { ClaimRecord } from '../domain/claims/record.ts';
import { notFound } from '../domain/errors.ts';
import type { EvidenceLog, EvidenceSubject } from '../domain/evidence/manifest.ts';
import type { TenantCaller } from '../domain/tenants/caller.ts';
import { filesExported, type VerificationFile } from '../domain/verifications/files.ts';

/** Which evidence is asked for, and by whom. */
export interface EvidenceRequest {
  transactionId: string;
  caller: TenantCaller;
  /** Whether the contents of the files of proofs are wanted. */
  includesFiles: boolean;
  environment: string;
  /** Reads a stored object, sealed as it is stored. */
  openObject: (objectKey: string) => Promise<Readable>;
  /** Give the tenant's readings and writes their turns, so that its archives keep no connection from others. */
  readInTurn: InTurn;
  writeInTurn: InTurn;
  now: Date;
}

/** A verification that proves a wallet, with its files. */
export interface PlannedProof {
  open: OpenVerification;
  files: VerificationFile[];
}

/** Everything that is known of an archive before its files are written. */
export interface ArchivePlan {
  request: EvidenceRequest;
  open: OpenTransaction;
  proofs: PlannedProof[];
  /** The claims that the transaction answers. */
  claims: ClaimRecord[];
  seals: DaySeal[];
  subject: EvidenceSubject;
  /** Outbox entries to deliver. */
  outbox: OutboxEntry[];
}

export const EVENTS_PATH = 'events.jsonl';

/** The folder of a verification in the archive. */
export function proofFolder(id: string): string {
  return `proofs/${id}`;
}

/** The folder of a claim in the archive. */
export function claimFolder(id: string): string {
  return `claims/${id}`;
}

/**
 * Reads what an archive is going to hold, and logs in the verifications that their files are taken. Throws not_found for a
 * transaction that is deleted or another tenant's.
 */
export async function planArchive(db: Database, request: EvidenceRequest): Promise<ArchivePlan> {
  const { transactionId, caller } = request;
  const { tenantId } = caller;
  const open = await findOpenTransaction(db, tenantId, transactionId);
  if (!open) throw notFound('transaction');
  const { proofs: found, deleted } = await findTransferProofs(db, open);
  const proofs: PlannedProof[] = [];
  const outbox: OutboxEntry[] = [];
  for (const proof of found) {
    const planned = await planProof(db, request, proof);
    proofs.push(planned.proof);
    outbox.push(...planned.outbox);
  }
  const claims = await findAnsweredClaims(db, open.record);
  const logs = logsOf(db, { open, proofs, claims });
  const ids = logs.map(({ id }) => id);
  const seals = await findSeals(db, tenantId, await daysOfLogs(db.pool, tenantId, ids));
  const subject = subjectOf(db, request, { isHidden: open.record.sealed, logs, deleted });
  return { request, open, proofs, claims, seals, subject, outbox };
}

async function planProof(
  db: Database,
  { caller: { tenantId, actor }, transactionId, includesFiles, writeInTurn, now }: EvidenceRequest,
  open: OpenVerification,
): Promise<{ proof: PlannedProof; outbox: OutboxEntry[] }> {
  const files = await listFiles(db.pool, open);
  if (!includesFiles || files.length === 0) return { proof: { open, files }, outbox: [] };
  const fileIds = files.map(({ id }) => id);
  const changed = await writeInTurn(
    tenantId,
    async () =>
      await changeVerification(db, {
        tenantId,
        id: open.record.id,
        now,
        decide: (record) => filesExported(record, { fileIds, transactionId, actor }),
      }),
  );
  return { proof: { open: changed.open, files }, outbox: changed.outbox };
}

function logsOf(
  { vault }: Database,
  { open, proofs, claims }: Pick<ArchivePlan, 'open' | 'proofs' | 'claims'>,
): EvidenceLog[] {
  const logOf = (kind: EvidenceLog['kind'], record: ChainedRecord, folder: string): EvidenceLog => ({
    kind,
    id: record.id,
    path: `${folder}${EVENTS_PATH}`,
    sequence: record.sequence,
    head: record.head.toString('hex'),
    // Whoever writes to the database can put a log of their own there, with its head. The signature must not cover it up.
    isAnchored: isAnchored(vault, kind, record),
  });
  return [
    logOf('TRANSACTION', open.record, ''),
    ...proofs.map(({ open: { record } }) => logOf('VERIFICATION', record, `${proofFolder(record.id)}/`)),
    ...claims.map((claim) => logOf('CLAIM', claim, `${claimFolder(claim.id)}/`)),
  ];
}

function subjectOf(
  { vault }: Database,
  { transactionId, caller, environment, now }: EvidenceRequest,
  { isHidden, logs, deleted }: { isHidden: boolean; logs: EvidenceLog[]; deleted: string[] },
): EvidenceSubject {
  return {
    format: 'waybill-evidence',
    formatVersion: 1,
    transactionId,
    tenantId: caller.tenantId,
    tenantName: caller.tenant.name,
    environment,
    createdAt: now.toISOString(),
    requestedBy: caller.actor,
    isHidden,
    logs,
    deletedVerifications: deleted,
    publicKey: vault.seals.publicKey.pem,
  };
}
