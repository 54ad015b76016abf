import { z } from 'zod';
import type { Event } from '../events/event.ts';

const HexHash = z.string().regex(/^[0-9a-f]{64}$/);
const text = z.string().nullable();

/** An event as its hash covers it: SHA-256 of the canonical JSON (RFC 8785) of all members except `hash`. */
const EventLine = z.strictObject({
  subjectKind: z.string(),
  subjectId: z.string(),
  tenantId: z.string(),
  sequence: z.int(),
  id: z.string(),
  version: z.int(),
  type: z.string(),
  createdAt: z.iso.datetime(),
  actor: z.string(),
  userId: text,
  apiKeyId: text,
  previousStatus: text,
  newStatus: text,
  message: z.string(),
  data: z.record(z.string(), z.unknown()),
  basis: z.looseObject({ kind: z.string() }).nullable(),
  payloadHash: text,
  previousHash: HexHash.nullable(),
  hash: HexHash,
});
type EventLine = z.infer<typeof EventLine>;

export function toEventLine({ createdAt, previousHash, hash, basis, ...event }: Event): EventLine {
  return {
    ...event,
    basis: basis && { ...basis },
    createdAt: createdAt.toISOString(),
    previousHash: previousHash?.toString('hex') ?? null,
    hash: hash.toString('hex'),
  };
}

/** Reads a line of `events.jsonl`. Throws ZodError for anything else. */
export function fromEventLine(line: unknown): Event {
  const { createdAt, previousHash, hash, ...event } = EventLine.parse(line);
  return {
    // Whatever a word says that this version does not know, the hash covers it.
    ...(event as Omit<Event, 'createdAt' | 'previousHash' | 'hash'>),
    createdAt: new Date(createdAt),
    previousHash: previousHash === null ? null : bytesOf(previousHash),
    hash: bytesOf(hash),
  };
}

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}

/**
 * Why a message is not in the archive. HIDDEN: its party data is hidden from the tenant. MISSING and UNREADABLE: the
 * deployment has lost or changed what it had stored.
 */
const WITHHELD = ['HIDDEN', 'MISSING', 'UNREADABLE'] as const;

/**
 * A version of the message that was sent or received. `payloadHash`, also in the event, is the HMAC-SHA256 of the canonical
 * JSON of `message`, by the text of `salt`.
 */
export const MessageLine = z.strictObject({
  sequence: z.int().describe('Of the event.'),
  eventId: z.string(),
  createdAt: z.iso.datetime(),
  payloadHash: z.string(),
  salt: text,
  message: z.record(z.string(), z.unknown()).nullable(),
  withheld: z.enum(WITHHELD).nullable(),
});
export type MessageLine = z.infer<typeof MessageLine>;

/** The seal of a day on which one of the logs grew. */
export const SealLine = z.strictObject({
  day: z.iso.date(),
  jws: z.string(),
  /** The file with the lines that its root is the hash of; null if there are too many. */
  heads: z.string().nullable(),
});
export type SealLine = z.infer<typeof SealLine>;

/** A file of a verification, with its path in the archive; null if it was left out. */
export const ProofFileLine = z.looseObject({ id: z.string(), sha256: HexHash, path: z.string().nullable() });

/** A decision of the rules, as far as the verifier reads it. */
export const DecisionLine = z.looseObject({
  id: z.string(),
  sequence: z.int(),
  configurationId: z.string(),
  version: z.int(),
  /** Only where the deployment had it, but could not open it: somebody has changed it. */
  withheld: z.literal('UNREADABLE').optional(),
});
export type DecisionLine = z.infer<typeof DecisionLine>;

/** A decision with what the hash in its event covers. In archives of versions before it has no hashes of what was sealed. */
export const CoveredDecisionLine = DecisionLine.extend({
  transactionId: z.string(),
  direction: z.string(),
  decision: z.string(),
  decidedBy: z.string(),
  restsOnSanctions: z.boolean(),
  spent: z.array(z.string()),
  evaluatedAt: z.iso.datetime(),
  /** SHA-256 of the facts and of the trace as they are stored, sealed. */
  sealedFacts: HexHash,
  sealedTrace: HexHash,
});

/** A published version of the rules, as far as the verifier reads it. */
export const RulesLine = z.looseObject({
  configurationId: z.string(),
  version: z.int(),
  contentHash: HexHash,
});

/** `transaction.json`, as far as the verifier reads it. */
export const ShownTransaction = z.looseObject({
  asset: text,
  amountDecimal: text,
  blockchainInfo: z.looseObject({
    destination: text,
    destinationTag: text,
    destinationType: text,
    originTag: text,
    originType: text,
  }),
});

const time = z.iso.datetime();

/** A link by e-mail to a message or a claim: to whom it was sent, and when it was opened. */
const MailedLink = z.strictObject({
  network: z.literal('EMAIL'),
  linkId: z.uuid(),
  /** The claim to which it leads; null for the message. */
  claimId: z.uuid().nullable(),
  mailbox: z.string(),
  /** What became of the mail; null where its row is not kept any more, and while a reviewer decides on the mailbox. */
  mail: z.strictObject({ status: z.string(), attempts: z.int(), error: text }).nullable(),
  createdAt: time,
  /** When the mail server took it. */
  sentAt: time.nullable(),
  reminders: z.int(),
  /** When a right code first opened it. */
  openedAt: time.nullable(),
  codesTried: z.int(),
  expiresAt: time,
  /** When another link took its place. */
  endedAt: time.nullable(),
});

/** An exchange over TRP, without the secret addresses that were exchanged in it. */
const TrpExchange = z.strictObject({
  network: z.literal('TRP'),
  direction: z.enum(['OUTGOING', 'INCOMING']),
  requestIdentifier: z.string(),
  /** Where the inquiry went, or where the sender is told. */
  host: text,
  /** SHA-256 of the verified client certificate of a received inquiry; null where none was shown. */
  certificate: text,
  provenEntityId: text,
  createdAt: time,
  sentAt: time.nullable(),
  /** What the other VASP has answered. */
  answer: z.strictObject({ approvedAddress: text, rejected: text }).nullable(),
  /** The latest that the other VASP was told. */
  told: text,
  toldAt: time.nullable(),
});

/** What a VASP outside did with the message: each reading of its data, and whether it called the destination its own. */
const GatewayEntry = z.strictObject({
  network: z.literal('GATEWAY'),
  source: z.string().describe('As `travelRuleMessageSource`.'),
  type: z.string(),
  createdAt: time,
});

/** A line of `exchanges.jsonl`. */
export const ExchangeLine = z.discriminatedUnion('network', [MailedLink, TrpExchange, GatewayEntry]);
export type ExchangeLine = z.infer<typeof ExchangeLine>;
