import { payloadHash } from '../db/events/payload-hash.ts';
import { transferFault } from '../db/events/transfer-fault.ts';
import { endFault, entryFault, NO_EVENTS, NOT_ANCHORED, type ChainEnd } from '../domain/events/chain.ts';
import type { Event } from '../domain/events/event.ts';
import { fromEventLine, MessageLine, ProofFileLine, ShownTransaction } from '../domain/evidence/lines.ts';
import type { EvidenceLog, EvidenceManifest } from '../domain/evidence/manifest.ts';
import { dayOf } from '../domain/seals/days.ts';
import { BrokenLink, reading } from './broken-link.ts';
import { checkDecisions, noDecisions, noteDecision, type LoggedDecisions } from './check-decisions.ts';
import { numbered } from './numbered.ts';
import type { OpenArchive } from './open-archive.ts';

const TRANSACTION_PATH = 'transaction.json';

/** A log whose entries follow each other. */
export interface CheckedLog {
  log: EvidenceLog;
  events: number;
  /** By UTC day, the last event of the log on it. */
  lastOfDay: ReadonlyMap<string, { sequence: number; hash: Buffer }>;
}

interface WalkedLog extends CheckedLog {
  lastOfDay: Map<string, { sequence: number; hash: Buffer }>;
  /** By sequence number, the entries that sent or received a version of the message. */
  sent: Map<number, { id: string; payloadHash: string }>;
  lastStatus: string | null;
  decisions: LoggedDecisions;
  /** The entries of a message that came. */
  received: Pick<Event, 'type' | 'sequence'>[];
}

/** Checks what the files say of each other: logs, message versions, status, decisions, files of proofs. Throws BrokenLink. */
export async function checkLinks(
  archive: OpenArchive,
  manifest: EvidenceManifest,
): Promise<{ logs: CheckedLog[]; messages: number }> {
  const walked: WalkedLog[] = [];
  for (const log of manifest.logs) walked.push(await walkLog(archive, manifest, log));
  const own = walked.find(({ log }) => log.id === manifest.transactionId);
  if (!own) throw new BrokenLink('does not name the log of the transaction', 'manifest.json');
  const { compared: messages, latest } = await checkMessages(archive, manifest, own);
  await checkStatus(archive, TRANSACTION_PATH, own);
  if (latest !== null) await checkTransfer(archive, own, latest);
  // What is hidden is left out.
  if (!manifest.isHidden) await checkDecisions(archive, own.decisions);
  for (const each of walked) {
    if (each.log.kind === 'VERIFICATION') await checkProof(archive, manifest, each);
    if (each.log.kind === 'CLAIM') await checkStatus(archive, `${folderOf(each)}/claim.json`, each);
  }
  return { logs: walked, messages };
}

async function walkLog(
  archive: OpenArchive,
  manifest: EvidenceManifest,
  log: EvidenceLog,
): Promise<WalkedLog> {
  const { path } = log;
  const walked: WalkedLog = {
    log,
    events: 0,
    lastOfDay: new Map(),
    sent: new Map(),
    lastStatus: null,
    decisions: noDecisions(),
    received: [],
  };
  let end: ChainEnd = NO_EVENTS;
  for await (const { value: event, line } of numbered(archive, path, fromEventLine)) {
    const fault = strangerFault(manifest, log, event) ?? entryFault(event, end);
    if (fault !== null) throw new BrokenLink(fault, path, line);
    end = { sequence: event.sequence, hash: event.hash };
    noteEvent(walked, event);
  }
  const fault = endFault(end, { sequence: log.sequence, head: Buffer.from(log.head, 'hex') });
  if (fault !== null) throw new BrokenLink(fault, path, end.sequence);
  if (log.isAnchored === false) throw new BrokenLink(NOT_ANCHORED, path, end.sequence);
  return walked;
}

/** Keeps of an entry what other files are compared with. */
function noteEvent(walked: WalkedLog, event: Event): void {
  const { id, sequence, type, hash, payloadHash: sentHash, newStatus } = event;
  walked.events = sequence;
  walked.lastOfDay.set(dayOf(event.createdAt), { sequence, hash });
  if (sentHash !== null) walked.sent.set(sequence, { id, payloadHash: sentHash });
  if (type === 'RECEIVED') walked.received.push({ type, sequence });
  noteDecision(walked.decisions, event);
  walked.lastStatus = newStatus ?? walked.lastStatus;
}

/** What is wrong with an entry that is that of another record, or rests on a proof that is not there. */
function strangerFault(
  { tenantId, logs, deletedVerifications }: EvidenceManifest,
  { id, kind }: EvidenceLog,
  event: Event,
): string | null {
  const { subjectId, subjectKind, sequence, basis, type } = event;
  if (subjectId !== id || subjectKind !== kind || event.tenantId !== tenantId)
    return `entry ${sequence} is that of another record`;
  if (type === 'DELETED' || type === 'ERASED') return `the record was deleted, as entry ${sequence} says`;
  const proof = kind === 'TRANSACTION' && basis?.kind === 'VERIFICATION' ? basis.id : undefined;
  const isKnown =
    proof === undefined || deletedVerifications.includes(proof) || logs.some((log) => log.id === proof);
  return isKnown ? null : `entry ${sequence} rests on verification ${proof}, which is missing`;
}

/** Compares each version of the message with the hash in the log. Returns how many were compared, and the latest of them. */
async function checkMessages(
  archive: OpenArchive,
  { isHidden }: EvidenceManifest,
  { sent }: WalkedLog,
): Promise<{ compared: number; latest: object | null }> {
  const path = 'messages.jsonl';
  const left = new Map(sent);
  let compared = 0;
  let latest: object | null = null;
  let last = 0;
  for await (const { value, line } of numbered(archive, path, (given) => MessageLine.parse(given))) {
    last = line;
    const { sequence, salt, message, withheld } = value;
    const event = left.get(sequence);
    left.delete(sequence);
    const broken = (fault: string) => new BrokenLink(fault, path, line);
    if (event?.id !== value.eventId || event.payloadHash !== value.payloadHash)
      throw broken(`is not the version that entry ${sequence} of the log names`);
    if (withheld === 'HIDDEN' && isHidden) continue;
    if (withheld !== null || salt === null || message === null)
      throw broken(`the version of entry ${sequence} was ${withheld ?? 'MISSING'} in the deployment`);
    if (payloadHash({ salt, payload: message }) !== event.payloadHash)
      throw broken(`does not fit the hash in entry ${sequence} of the log`);
    compared += 1;
    latest = message;
  }
  const [missing] = left.keys();
  if (missing !== undefined)
    throw new BrokenLink(`the version that entry ${missing} of the log names is missing`, path, last + 1);
  return { compared, latest };
}

/** What is shown of a transfer is what was sent of it or received for it. */
async function checkTransfer(archive: OpenArchive, { received }: WalkedLog, latest: object): Promise<void> {
  const text = await archive.readText(TRANSACTION_PATH);
  const shown = await reading(TRANSACTION_PATH, async () => ShownTransaction.parseAsync(JSON.parse(text)));
  const { destination, destinationTag, destinationType, originTag, originType } = shown.blockchainInfo;
  const ends = { destination, destinationTag, destinationType, originTag, originType };
  const columns = { asset: shown.asset, amount: shown.amountDecimal, ...ends };
  const fault = transferFault({ columns, events: received }, latest);
  if (fault !== null) throw new BrokenLink(fault, TRANSACTION_PATH);
}

/** The status of a record is that of the last entry that changed it. */
async function checkStatus(
  archive: OpenArchive,
  path: string,
  { log, lastStatus }: WalkedLog,
): Promise<void> {
  const text = await archive.readText(path);
  const shown = await reading(path, async () =>
    Promise.resolve(JSON.parse(text) as { id: unknown; status: unknown }),
  );
  if (shown.id !== log.id) throw new BrokenLink('is another record', path);
  if (shown.status !== lastStatus)
    throw new BrokenLink('has a status that no entry of the log explains', path);
}

/** The status of a proof follows from its log, and its files have the hashes that were noted when they were submitted. */
async function checkProof(
  archive: OpenArchive,
  { files }: EvidenceManifest,
  walked: WalkedLog,
): Promise<void> {
  const folder = folderOf(walked);
  await checkStatus(archive, `${folder}/verification.json`, walked);
  const listed = `${folder}/files.jsonl`;
  for await (const { value, line } of numbered(archive, listed, (given) => ProofFileLine.parse(given))) {
    if (value.path === null) continue;
    const copied = files.find((file) => file.path === value.path);
    if (copied?.sha256 !== value.sha256)
      throw new BrokenLink('the file is not the one that was submitted', listed, line);
  }
}

function folderOf({ log }: WalkedLog): string {
  return log.path.replace('/events.jsonl', '');
}
