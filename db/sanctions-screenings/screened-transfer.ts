import type { RecordKey } from '../vault/record-key.ts';

/** The transfer that a screening was made for. Its key seals the screening. */
export interface ScreenedTransfer {
  id: string;
  key: RecordKey;
}

/**
 * The id of a transfer's screening of one subject: always the same, so that a rescreening replaces the one before. It has
 * the form and the time of the transfer's own id (UUIDv7).
 */
export function transferScreeningId({ id, key }: ScreenedTransfer, subjectToken: bigint): string {
  const random = key.derive(`sanctions screening:${subjectToken}`);
  random[2] = ((random[2] ?? 0) & 0x3f) | 0x80;
  const hex = random.toString('hex');
  return `${id.slice(0, 13)}-7${hex.slice(0, 3)}-${hex.slice(4, 8)}-${hex.slice(8, 20)}`;
}

/** SQL: whether a row of `screenings` belongs to no transfer, or to one that its tenant has not deleted. */
export const NOT_DELETED = `(screenings.transaction_id is null or exists (
  select from transactions t
  where t.tenant_id = screenings.tenant_id and t.id = screenings.transaction_id and t.deleted_at is null))`;

/** SQL: the wrapped key of the transfer that a row of `screenings` belongs to; null without one. */
export const TRANSFER_KEY = `(
  select t.record_key from transactions t
  where t.tenant_id = screenings.tenant_id and t.id = screenings.transaction_id) as record_key`;
