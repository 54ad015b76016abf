import { createHash } from 'node:crypto';
import type { VerificationRecord } from '../../domain/verifications/record.ts';
import type { Queryable } from '../postgres.ts';
import { insertSql, unnestValues, type Column } from '../columns.ts';

type ClaimedVerification = Pick<VerificationRecord, 'id' | 'tenantId' | 'addressNormal'>;

/** Of an accepted text only this hash is kept, whoever looks. */
export interface SignedMessage extends ClaimedVerification {
  hash: Buffer;
  now: Date;
}

export const signedMessageColumns: Column<SignedMessage>[] = [
  { name: 'address_normal', type: 'text', value: (message) => message.addressNormal },
  { name: 'message_hash', type: 'bytea', value: (message) => message.hash },
  { name: 'tenant_id', type: 'uuid', value: (message) => message.tenantId },
  { name: 'verification_id', type: 'uuid', value: (message) => message.id },
  { name: 'created_at', type: 'timestamptz', value: (message) => message.now },
];

const INSERT = `${insertSql('signed_messages', signedMessageColumns)} on conflict do nothing`;

/** What is kept of the text that was signed for a verification. */
export function signedMessage(subject: ClaimedVerification, message: string, now: Date): SignedMessage {
  const { id, tenantId, addressNormal } = subject;
  return { id, tenantId, addressNormal, hash: createHash('sha256').update(message, 'utf8').digest(), now };
}

/**
 * Notes that a text was signed for this verification; false when the same text of the same address was accepted for
 * another one before, of whichever tenant. Must run inside the transaction that accepts it: a twin waits for its end.
 */
export async function claimMessage(
  tx: Queryable,
  subject: ClaimedVerification,
  message: string,
  now: Date,
): Promise<boolean> {
  const signed = signedMessage(subject, message, now);
  const { rowCount } = await tx.query(INSERT, unnestValues(signedMessageColumns, [signed]));
  if (rowCount === 1) return true;
  const { rows } = await tx.query<{ verification_id: string }>(
    'select verification_id from signed_messages where address_normal = $1 and message_hash = $2',
    [signed.addressNormal, signed.hash],
  );
  return rows[0]?.verification_id === subject.id;
}
