import { createHash } from 'node:crypto';
import { signerKey } from '../../domain/addresses/shared-hashes.ts';
import type { VerificationRecord } from '../../domain/verifications/record.ts';
import type { Queryable } from '../postgres.ts';
import { insertSql, unnestValues, type Column } from '../columns.ts';

type ClaimedVerification = Pick<VerificationRecord, 'id' | 'tenantId' | 'addressNormal'>;

/** The stored trace of an accepted message: only its hash. */
export interface SignedMessage extends Pick<VerificationRecord, 'id' | 'tenantId'> {
  /** One for all spellings of an account: the same key signs for all chains that it has. */
  signer: string;
  hash: Buffer;
  now: Date;
}

export const signedMessageColumns: Column<SignedMessage>[] = [
  { name: 'address_normal', type: 'text', value: (message) => message.signer },
  { name: 'message_hash', type: 'bytea', value: (message) => message.hash },
  { name: 'tenant_id', type: 'uuid', value: (message) => message.tenantId },
  { name: 'verification_id', type: 'uuid', value: (message) => message.id },
  { name: 'created_at', type: 'timestamptz', value: (message) => message.now },
];

const INSERT = `${insertSql('signed_messages', signedMessageColumns)} on conflict do nothing`;

/** Hashes the message that was signed for a verification. */
export function signedMessage(verification: ClaimedVerification, message: string, now: Date): SignedMessage {
  const { id, tenantId, addressNormal } = verification;
  const hash = createHash('sha256').update(message, 'utf8').digest();
  return { id, tenantId, signer: signerKey(addressNormal), hash, now };
}

/**
 * Records that a message was signed for this verification. False when the same message of the same account was
 * accepted for another verification of any tenant. Must run inside the transaction that accepts it: a parallel claim
 * waits for its end.
 */
export async function claimMessage(
  tx: Queryable,
  verification: ClaimedVerification,
  message: string,
  now: Date,
): Promise<boolean> {
  const signed = signedMessage(verification, message, now);
  const { rowCount } = await tx.query(INSERT, unnestValues(signedMessageColumns, [signed]));
  if (rowCount === 1) return true;
  const { rows } = await tx.query<{ verification_id: string }>(
    'select verification_id from signed_messages where address_normal = $1 and message_hash = $2',
    [signed.signer, signed.hash],
  );
  return rows[0]?.verification_id === verification.id;
}
