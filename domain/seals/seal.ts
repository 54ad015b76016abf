import { z } from 'zod';
import { canonicalJson } from '../canonical-json.ts';
import { listQuery } from '../list-query.ts';

const Day = z.iso.date();
const HexHash = z.string().regex(/^[0-9a-f]{64}$/);

const AuditHead = HexHash.nullable().describe(
  'The hash of the last batch of the audit log at the end of the day; null if there was none, and in seals of before audit logs.',
);
const OperatorAuditHead = HexHash.nullable().describe('As `audit`, of the log of what operators do.');

/** What the seal of a day states, signed, about the event logs of one tenant. */
const SealStatement = z.strictObject({
  tenantId: z.uuid(),
  day: Day.describe('The UTC day, as YYYY-MM-DD.'),
  heads: z.int().describe('Records whose event log grew on that day.'),
  root: HexHash.describe(
    'SHA-256 of one line for each of these records, ordered by id: `KIND id sequence hash` and a line feed, of the last ' +
      'event of the day; KIND is TRANSACTION, VERIFICATION or CLAIM, `sequence` and `hash` are those of the event.',
  ),
  previous: HexHash.nullable().describe('SHA-256 of the `jws` of the day before; null for the first seal.'),
  audit: AuditHead.optional(),
  operatorAudit: OperatorAuditHead.optional(),
});
export type SealStatement = z.infer<typeof SealStatement>;

/** A seal in responses and in the webhook `seal`. */
export const EventSeal = SealStatement.extend({
  audit: AuditHead,
  operatorAudit: OperatorAuditHead,
  keyId: z.string().describe('As `kid` in the header of `jws`.'),
  publicKey: z
    .string()
    .describe('The Ed25519 public key of the deployment (SPKI, PEM). Keep the first one and compare.'),
  jws: z
    .string()
    .describe(
      'The signed statement: compact JWS by EdDSA (RFC 7515, RFC 8037). Its payload is the JSON object with `tenantId`, ' +
        '`day`, `heads`, `root`, `previous`, `audit` and `operatorAudit`.',
    ),
  createdAt: z.iso.datetime(),
}).meta({ id: 'EventSeal' });
export type EventSeal = z.infer<typeof EventSeal>;

/** The query of `GET /tenant/me/seals`. */
export const ListSealsQuery = listQuery({ sortable: ['day'], filters: { _from: Day, _to: Day } });
export type SealList = z.output<typeof ListSealsQuery>;

/** The bytes that are signed. */
export function statementText(statement: SealStatement): string {
  return canonicalJson(statement);
}

/** What a seal states to this release. A later one may state more, which the signature holds for as well. */
const ReadStatement = z.object(SealStatement.shape);

/** Reads a signed statement. Throws for a text that is none. */
export function readStatement(text: string): SealStatement {
  return ReadStatement.parse(JSON.parse(text));
}

/** The last event of a record on a day. */
export interface DayHead {
  subjectKind: string;
  subjectId: string;
  sequence: number;
  hash: Buffer;
}

/** The line by which a record counts in the root of a day. */
export function headLine({ subjectKind, subjectId, sequence, hash }: DayHead): string {
  return `${subjectKind} ${subjectId} ${sequence} ${hash.toString('hex')}\n`;
}
