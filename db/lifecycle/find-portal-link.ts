import type { ClaimRecord } from '../../domain/claims/record.ts';
import { DomainError, notFound } from '../../domain/errors.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { findClaimWithKey } from '../claims/find-claim.ts';
import type { Database } from '../database.ts';
import { findDeletedTransaction, findOpenTransaction } from '../transactions/find-transaction.ts';
import type { RecordKey } from '../vault/record-key.ts';
import { findLinkById, type StoredLink } from '../portal/portal-links.ts';
import { isTokenOf, linkIdIn } from '../portal/portal-token.ts';

interface LinkWithKey {
  link: StoredLink;
  /** The key of the record, from which tokens are derived. */
  key: RecordKey;
}

/** A link with the message that it leads to: the sender's record. */
export interface MessageLink extends LinkWithKey {
  kind: 'TRANSACTION';
  record: TransactionRecord;
}

/** A link with the claim that it leads to: the asking side's record. */
export interface ClaimLink extends LinkWithKey {
  kind: 'CLAIM';
  record: ClaimRecord;
}

export type OpenPortalLink = MessageLink | ClaimLink;

/**
 * The link of a token. Throws the same not_found for every invalid token; for the right one of a record that its tenant has deleted
 * it is another text, with the member `isDeleted`.
 */
export async function getByPortalToken(db: Database, token: string): Promise<OpenPortalLink> {
  const id = linkIdIn(token);
  const link = id === undefined ? undefined : await findLinkById(db, id);
  const open = link && (await openLink(db, link));
  if (open && isTokenOf(open.link.id, open.key, token)) return open;
  if (link && !open && (await isOfDeleted(db, link, token))) throw deletedRecord();
  throw notFound('link');
}

/** No tenant deletes a claim. */
async function isOfDeleted(db: Database, { id, tenantId, subject }: StoredLink, token: string) {
  if (subject.kind !== 'TRANSACTION') return false;
  const deleted = await findDeletedTransaction(db, tenantId, subject.id);
  return deleted !== undefined && isTokenOf(id, deleted.key, token);
}

function deletedRecord(): DomainError {
  const text = 'The message is no longer available: its sender has deleted it.';
  return new DomainError('not_found', text, { members: { isDeleted: true } });
}

async function openLink(db: Database, link: StoredLink): Promise<OpenPortalLink | undefined> {
  const { tenantId, subject } = link;
  if (subject.kind === 'CLAIM') {
    const claim = await findClaimWithKey(db, tenantId, subject.id);
    return claim && { kind: 'CLAIM', link, record: claim.record, key: claim.key };
  }
  const message = await findOpenTransaction(db, tenantId, subject.id);
  return message && { kind: 'TRANSACTION', link, record: message.record, key: message.key };
}
