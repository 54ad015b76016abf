import { DomainError } from '../../domain/errors.ts';
import type { Queryable } from '../postgres.ts';
import type { TravelDestination } from './travel-tokens.ts';

/** How many undecided messages of unproven senders a wallet has at most: each is work for a reviewer, and anybody can send one. */
export const MAX_OPEN_UNPROVEN = 20;
const RETRY_SECONDS = 3_600;

/**
 * Throws rate_limited while the wallet has too many undecided messages of unproven senders. Many inquiries at once all find room
 * for one: the count holds only in a database transaction that has called `lockInquiries`.
 */
export async function refuseFlood(db: Queryable, wallet: TravelDestination): Promise<void> {
  const { rows } = await db.query<{ open: number }>({
    name: 'open-unproven-inquiries',
    text: `
      select count(*)::int as open from (
        select 1 from transactions where tenant_id = $1 and destination_normal = $2
          and coalesce(destination_tag, '') = coalesce($3, '') and direction = 'INCOMING' and message_source = 'TRP'
          and counterparty_entity_id is null and status = 'DELIVERED' and deleted_at is null
        limit ${MAX_OPEN_UNPROVEN}) undecided`,
    values: [wallet.tenantId, wallet.addressNormal, wallet.tag],
  });
  if ((rows[0]?.open ?? 0) < MAX_OPEN_UNPROVEN) return;
  throw new DomainError('rate_limited', 'Too many messages for this travel address wait for an answer.', {
    retryAfterSeconds: RETRY_SECONDS,
  });
}

/** Lets the messages of unproven senders to a wallet be delivered one after another, until the end of the database transaction. */
export async function lockInquiries(tx: Queryable, wallet: TravelDestination): Promise<void> {
  const { tenantId, addressNormal, tag } = wallet;
  await tx.query({
    name: 'lock-unproven-inquiries',
    text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
    values: [`inquiries:${JSON.stringify([tenantId, addressNormal, tag])}`],
  });
}
