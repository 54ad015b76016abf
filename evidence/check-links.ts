import { payloadHash } from '../db/events/payload-hash.ts';
import { endFault, entryFault, NO_EVENTS, type ChainEnd } from '../domain/events/chain.ts';
import type { Event } from '../domain/events/event.ts';
import {
  DecisionLine,
  fromEventLine,
  MessageLine,
  ProofFileLine,
  RulesLine,
} from '../domain/evidence/lines.ts';
import type { EvidenceLog, EvidenceManifest } from '../domain/evidence/manifest.ts';
import { contentHash } from '../domain/rules/content-hash.ts';
import type { RuleSet } from '../domain/rules/schema.ts';
import { dayOf } from '../domain/seals/days.ts';
import { BrokenLink, reading, readingLine } from './broken-link.ts';
import { parsed } from './check-files.ts';
import type { OpenArchive } from './open-archive.ts';

/** A log whose entries follow each other. */
export interface CheckedLog {
  log: EvidenceLog;
  events: number;
  /** By UTC day, the last event of the log on it. */
  lastOfDay: ReadonlyMap<string, { sequence: number; hash: Buffer }>;
}

interface WalkedLog extends CheckedLog {
  /** By sequence number, the entries that sent or received a version of the message. */
  sent: Map<number, { id: string; payloadHash: string }>;
  lastStatus: string | null;
}

/** Where the lines of a file are read, with their numbers. */
async function* numbered<T>(
  archive: OpenArchive,
  path: string,
  read: (value: unknown) => T,
): AsyncGenerator<{ value: T; line: number }> {
  let line = 0;
  for await (const bytes of archive.readLines(path)) {
    line += 1;
    yield { value: readingLine(path, line, () => read(parsed(bytes))), line };
  }
}

/** Checks what the files say of each other: logs, message versions, status, rules, files of proofs. Throws BrokenLink. */
export async function checkLinks(
  archive: OpenArchive,
  manifest: EvidenceManifest,
): Promise<{ logs: CheckedLog[]; messages: number }> {
  const walked: WalkedLog[] = [];
  for (const log of manifest.logs) walked.push(await walkLog(archive, manifest, log));
  const own = walked.find(({ log }) => log.id === manifest.transactionId);
  if (!own) throw new BrokenLink('does not name the log of the transaction', 'manifest.json');
  const messages = await checkMessages(archive, manifest, own);
  await checkStatus(archive, 'transaction.json', own);
  await checkDecisions(archive);
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
  const lastOfDay = new Map<string, { sequence: number; hash: Buffer }>();
  const sent: WalkedLog['sent'] = new Map();
  let end: ChainEnd = NO_EVENTS;
  let lastStatus: string | null = null;
  for await (const { value: event, line } of numbered(archive, path, fromEventLine)) {
    const fault = strangerFault(manifest, log, event) ?? entryFault(event, end);
    if (fault !== null) throw new BrokenLink(fault, path, line);
    end = { sequence: event.sequence, hash: event.hash };
    lastOfDay.set(dayOf(event.createdAt), { sequence: event.sequence, hash: event.hash });
    if (event.payloadHash !== null)
      sent.set(event.sequence, { id: event.id, payloadHash: event.payloadHash });
    lastStatus = event.newStatus ?? lastStatus;
  }
  const fault = endFault(end, { sequence: log.sequence, head: Buffer.from(log.head, 'hex') });
  if (fault !== null) throw new BrokenLink(fault, path, end.sequence);
  return { log, events: end.sequence, lastOfDay, sent, lastStatus };
}

/** What is wrong with an entry that is that of another record, or rests on a proof that is not there. */
function strangerFault(
  { tenantId, logs, deletedVerifications }: EvidenceManifest,
  { id, kind }: EvidenceLog,
  event: Event,
): string | null {
  const { subjectId, subjectKind, sequence, basis } = event;
  if (subjectId !== id || subjectKind !== kind || event.tenantId !== tenantId)
    return `entry ${sequence} is that of another record`;
  const proof = kind === 'TRANSACTION' && basis?.kind === 'VERIFICATION' ? basis.id : undefined;
  const isKnown =
    proof === undefined || deletedVerifications.includes(proof) || logs.some((log) => log.id === proof);
  return isKnown ? null : `entry ${sequence} rests on verification ${proof}, which is missing`;
}

/** Compares each version of the message with the hash in the log. Returns how many were compared. */
async function checkMessages(
  archive: OpenArchive,
  { isHidden }: EvidenceManifest,
  { sent }: WalkedLog,
): Promise<number> {
  const path = 'messages.jsonl';
  const left = new Map(sent);
  let compared = 0;
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
  }
  const [missing] = left.keys();
  if (missing !== undefined)
    throw new BrokenLink(`the version that entry ${missing} of the log names is missing`, path, last + 1);
  return compared;
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

/** The decisions are numbered without gaps, and the rules of each are there as they were published. */
async function checkDecisions(archive: OpenArchive): Promise<void> {
  const known = new Set<string>();
  const rulesPath = 'rules.jsonl';
  for await (const { value, line } of numbered(archive, rulesPath, (given) => RulesLine.parse(given))) {
    const hash = contentHash(value as unknown as RuleSet).toString('hex');
    if (hash !== value.contentHash) throw new BrokenLink('the rules do not fit their hash', rulesPath, line);
    known.add(`${value.configurationId} ${value.version}`);
  }
  const path = 'decisions.jsonl';
  for await (const { value, line } of numbered(archive, path, (given) => DecisionLine.parse(given))) {
    const { sequence, configurationId, version } = value;
    if (sequence !== line) throw new BrokenLink(`decision ${line} is missing`, path, line);
    if (version > 0 && !known.has(`${configurationId} ${version}`))
      throw new BrokenLink(`version ${version} of the rules is missing`, path, line);
  }
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
