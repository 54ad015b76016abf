import { canonicalJson } from '../../domain/canonical-json.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { sentData } from '../../domain/transactions/sent-data.ts';
import type { Database } from '../database.ts';

/** Tells whether an inquiry has sent what a message says now. Keyed, since names could be guessed from a plain hash. */
export function inquiryHash({ vault }: Database, record: TransactionRecord): Buffer {
  return vault.deploymentHash('trp-inquiry', canonicalJson(sentData(record)));
}

/**
 * Tells a repeated inquiry from another one with the same request identifier: one to another travel address is another one, too.
 * The second hash is that of inquiries that were received before travel addresses counted.
 */
export function receivedHashes({ vault }: Database, token: string, body: unknown): [Buffer, Buffer] {
  const hashOf = (said: unknown) => vault.deploymentHash('trp-received', canonicalJson(said));
  return [hashOf([token, body]), hashOf(body)];
}
